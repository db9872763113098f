import { Select, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api } from '../../../client/api.ts';
import type { EventTypeVisibility } from '../../../client/resources.ts';
import { addressOf } from '../../../components/destination/address-of.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { FirstUse } from '../../../components/first-use.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { endpointsQuery, subscriptionsQuery } from '../endpoints/endpoint-queries.ts';
import { visibilityQuery } from '../event-types/event-type-queries.ts';
import { OperationalEventsTable } from './operational-events-table.tsx';
import { useTell } from './use-tell.ts';

const route = getRouteApi('/w/$workspace/$environment/operational-events');

/**
 * Sends operational events (Posthorn's own events about deliveries) to an endpoint of the workspace: a switch for each.
 */
export function OperationalEventsPage() {
  const place = usePlace();
  const navigate = route.useNavigate();
  const { endpoint: chosen } = route.useSearch();
  const endpoints = useQuery({
    ...endpointsQuery(place),
    // Customers' endpoints never receive operational events.
    select: (all) => all.filter(({ applicationId }) => applicationId === null),
  });
  const endpointId = chosen ?? endpoints.data?.[0]?.id;
  return (
    <Stack gap="md">
      <PageHeader
        title="Operational events"
        line={`What happens to deliveries in ${place.environment.name} can be sent to an endpoint of yours, like any other event.`}
      />
      {endpoints.error && endpoints.data === undefined ? (
        <ErrorNotice
          title="The endpoints could not be loaded"
          error={endpoints.error}
          onRetry={() => void endpoints.refetch()}
        />
      ) : endpoints.data?.length === 0 ? (
        <FirstUse
          title="No endpoint of your own here"
          sentence="Operational events are sent to an endpoint of the workspace. Add one first."
          action={
            <ButtonLink from="/w/$workspace/$environment" to="/w/$workspace/$environment/endpoints">
              Endpoints
            </ButtonLink>
          }
          curl={createCommand(window.location.origin, place.workspace.id, place.environment.id)}
        />
      ) : (
        <>
          <Select
            label="Send to"
            maw={560}
            allowDeselect={false}
            data={endpoints.data?.map((one) => ({ value: one.id, label: one.description || addressOf(one) })) ?? []}
            value={endpointId ?? null}
            onChange={(id) => void navigate({ search: id === null ? {} : { endpoint: id }, replace: true })}
          />
          {endpointId === undefined ? null : <Switches key={endpointId} endpointId={endpointId} />}
        </>
      )}
    </Stack>
  );
}

function Switches({ endpointId }: { endpointId: string }) {
  const place = usePlace();
  const { workspace, environment } = place;
  const events = useQuery(
    api.queryOptions('get', '/api/workspaces/{workspaceId}/operational-events', {
      params: { path: { workspaceId: workspace.id } },
    }),
  );
  const subscriptions = useQuery(subscriptionsQuery(workspace.id, endpointId));
  const visibility = useQuery(publishedNamesQuery(workspace.id, environment.id));
  const tell = useTell(endpointId);
  const isEditor = mayChange(place);
  const told = useMemo(
    () => new Set(subscriptions.data?.map((one) => one.eventTypeName).filter((name) => visibility.data?.has(name))),
    [subscriptions.data, visibility.data],
  );
  const queries = [events, subscriptions, visibility];
  const failed = queries.find(({ error, data }) => error !== null && data === undefined);
  if (failed !== undefined) {
    return (
      <ErrorNotice
        title="The operational events could not be loaded"
        error={failed.error}
        onRetry={() => void failed.refetch()}
      />
    );
  }
  if (events.data === undefined || queries.some(({ data }) => data === undefined)) return <Skeleton height={320} />;
  return (
    <>
      <OperationalEventsTable events={events.data} told={told} isEditor={isEditor} onToggle={tell} />
      <Text size="sm" c="dimmed">
        Switching one on creates its event type, publishes it in {environment.name} and subscribes the endpoint. An
        event that is about no endpoint, such as an API key that expires, is sent in the default environment alone.
      </Text>
    </>
  );
}

const publishedNamesQuery = (workspaceId: string, environmentId: string) => ({
  ...visibilityQuery(workspaceId, environmentId),
  select: (entries: EventTypeVisibility[]) =>
    new Set(entries.filter(({ published }) => published).map(({ eventTypeName }) => eventTypeName)),
});

function createCommand(baseUrl: string, workspaceId: string, environmentId: string): string {
  return [
    `curl -X POST "${baseUrl}/management/v1/workspaces/${workspaceId}/endpoints" \\`,
    '  -H "Authorization: Bearer $MANAGEMENT_TOKEN" -H "Content-Type: application/json" \\',
    `  -d '{"url":"https://example.com/operations","environmentId":"${environmentId}"}'`,
  ].join('\n');
}
