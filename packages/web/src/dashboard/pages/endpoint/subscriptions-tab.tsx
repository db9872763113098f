import { Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Endpoint } from '../../../client/resources.ts';
import { AllEvents } from '../../../components/all-events.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { FirstUse } from '../../../components/first-use.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { subscriptionsQuery } from '../endpoints/endpoint-queries.ts';
import { eventTypesQuery, visibilityQuery } from '../event-types/event-type-queries.ts';
import { EditFilter } from './edit-filter.tsx';
import { type SubscriptionRow, subscriptionColumns } from './subscription-columns.tsx';
import { useSubscribe, useSubscribeToAll } from './use-subscribe.ts';

/** All event types, each with a switch, and the filters of the endpoint's subscriptions. */
export function SubscriptionsTab({ endpoint }: { endpoint: Endpoint }) {
  const isEditor = mayChange(usePlace());
  const [search, setSearch] = useState('');
  const [editing, setEditing] = useState<string | null>(null);
  const subscribe = useSubscribe(endpoint.id);
  const list = useRows(endpoint.id, search);
  const columns = useMemo(
    () => subscriptionColumns({ isEditor, onToggle: subscribe, onEdit: ({ id }) => setEditing(id) }),
    [isEditor, subscribe],
  );
  const edited = list.rows?.find(({ id, subscription }) => id === editing && subscription !== null);
  const close = () => setEditing(null);
  const subscribeToAll = useSubscribeToAll(endpoint);
  return (
    <Stack gap="sm">
      <AllEvents
        patterns={endpoint.eventTypePatterns}
        noun="events"
        isDisabled={!isEditor || subscribeToAll.isPending}
        onChange={subscribeToAll.change}
      />
      <TextInput
        aria-label="Part of a name"
        placeholder="Part of a name"
        size="xs"
        maw={240}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <DataTable
        label="Subscriptions"
        columns={columns}
        rowId={({ id }) => id}
        list={{
          ...list,
          isStale: false,
          onClear: search === '' ? undefined : () => setSearch(''),
          firstUse: FIRST_USE,
        }}
      />
      <SideSheet opened={edited !== undefined} onClose={close} title={`Filter of ${edited?.name ?? ''}`}>
        {edited === undefined ? null : <EditFilter endpointId={endpoint.id} row={edited} onSaved={close} />}
      </SideSheet>
    </Stack>
  );
}

const FIRST_USE = (
  <FirstUse
    title="No event types yet"
    sentence="An endpoint subscribes to event types. Create one on the page Event types."
    curl={
      'curl "$BASE_URL/management/v1/workspaces/$WORKSPACE_ID/event-types" -H "Authorization: Bearer $MANAGEMENT_TOKEN"'
    }
  />
);

/** The event types that match the search, subscribed ones first. */
function useRows(endpointId: string, search: string) {
  const { workspace, environment } = usePlace();
  const types = useQuery(eventTypesQuery(workspace.id));
  const subscriptions = useQuery(subscriptionsQuery(workspace.id, endpointId));
  const { data: visibility } = useQuery(visibilityQuery(workspace.id, environment.id));
  const rows = useMemo(() => {
    if (types.data === undefined || subscriptions.data === undefined) return undefined;
    const subscribed = new Map(subscriptions.data.map((one) => [one.eventTypeId, one]));
    const published = new Set(visibility?.filter((one) => one.published).map((one) => one.eventTypeId));
    const all: SubscriptionRow[] = types.data
      .filter(({ name }) => name.includes(search.trim().toLowerCase()))
      .map(({ id, name, example }) => ({
        id,
        name,
        example,
        subscription: subscribed.get(id) ?? null,
        isPublished: visibility === undefined || published.has(id),
      }));
    return [...all.filter((row) => row.subscription !== null), ...all.filter((row) => row.subscription === null)];
  }, [types.data, subscriptions.data, visibility, search]);
  const refetch = () => {
    void types.refetch();
    void subscriptions.refetch();
  };
  return {
    rows,
    error: types.error ?? subscriptions.error,
    onRetry: refetch,
    isFetching: types.isFetching || subscriptions.isFetching,
  };
}
