import { Code, EmptyState, Group, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { client } from '../../client/api.ts';
import type { EventType } from '../../client/resources.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { eventTypesQuery, subscriptionsQuery, useReadAgain } from '../portal-queries.ts';
import { useMay } from '../session.ts';

/** The published types, each with a switch: whether the endpoint gets its messages. */
export function SubscriptionsTab({ endpointId }: { endpointId: string }) {
  const types = useQuery(eventTypesQuery());
  const subscriptions = useQuery(subscriptionsQuery(endpointId));
  const toggle = useToggle(endpointId);
  const mayChange = useMay('endpoints:write');
  const error = types.error ?? subscriptions.error;
  if (error) return <ErrorNotice title="The event types could not be loaded" error={error} />;
  if (types.data === undefined || subscriptions.data === undefined) return <Skeleton height={120} />;
  if (types.data.length === 0) return <EmptyState size="sm" title="No event type is published yet" />;
  const filters = new Map(subscriptions.data.map(({ eventTypeId, filter }) => [eventTypeId, filter]));
  return (
    <Stack gap="md">
      {toggle.error ? <ErrorNotice title="Nothing was changed" error={toggle.error} /> : null}
      {types.data.map((type: EventType) => (
        <Group key={type.id} gap="md" wrap="nowrap" align="flex-start">
          <Switch
            aria-label={`Messages of ${type.name}`}
            checked={filters.has(type.id)}
            disabled={!mayChange || toggle.isPending}
            onChange={({ currentTarget }) => toggle.mutate({ eventTypeId: type.id, on: currentTarget.checked })}
          />
          <Stack gap={2} miw={0}>
            <span className="mono">{type.name}</span>
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {type.description}
            </Text>
            <Filter filter={filters.get(type.id)} />
          </Stack>
        </Group>
      ))}
    </Stack>
  );
}

function Filter({ filter }: { filter: object | null | undefined }) {
  if (filter === null || filter === undefined) return null;
  return (
    <Text size="xs" c="dimmed">
      only <Code style={{ overflowWrap: 'anywhere' }}>{JSON.stringify(filter)}</Code>
    </Text>
  );
}

function useToggle(id: string) {
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: async ({ eventTypeId, on }: { eventTypeId: string; on: boolean }) => {
      if (on) {
        const body = { eventTypeIds: [eventTypeId] };
        await client.POST('/api/portal/endpoints/{id}/subscriptions', { params: { path: { id } }, body });
      } else {
        const params = { path: { id, eventTypeId } };
        await client.DELETE('/api/portal/endpoints/{id}/subscriptions/{eventTypeId}', { params });
      }
    },
    onSettled: readAgain,
  });
}
