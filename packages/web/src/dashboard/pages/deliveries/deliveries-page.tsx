import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Delivery } from '../../../client/resources.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { FilterBar } from '../../../components/filter-bar.tsx';
import { FirstUse } from '../../../components/first-use.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { usePlace } from '../../place.ts';
import { endpointNamesQuery } from '../endpoints/endpoint-queries.ts';
import { eventTypesQuery } from '../event-types/event-type-queries.ts';
import { deliveryColumns } from './delivery-columns.tsx';
import { useDeliveries } from './delivery-queries.ts';
import { ingestCommand } from './ingest-command.ts';
import { StatusFilter } from './status-filter.tsx';

const route = getRouteApi('/w/$workspace/$environment/deliveries');

/** Every request that Posthorn has to send or has sent from this environment, newest first. */
export function DeliveriesPage() {
  const place = usePlace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const deliveries = useDeliveries(place, search);
  const { endpoints, columns } = useEndpointUrls();
  const rows = useMemo(() => deliveries.data?.pages.flatMap((page) => page.deliveries), [deliveries.data]);
  const filter = (name: string, value: string | undefined) =>
    navigate({ search: (before) => ({ ...before, [name]: value }), replace: true });
  const clear = () => void navigate({ search: {}, replace: true });
  const open = ({ id }: Delivery) =>
    void navigate({
      to: '/w/$workspace/$environment/deliveries/$deliveryId',
      params: { ...params(place), deliveryId: id },
    });
  return (
    <>
      <PageHeader
        title="Deliveries"
        line="One row for each event and each endpoint that it goes to."
        actions={
          <Button variant="default" loading={deliveries.isRefetching} onClick={() => void deliveries.refetch()}>
            Refresh
          </Button>
        }
      />
      <FilterBar
        fields={useFields(place.workspace.id, endpoints)}
        values={{ endpoint: search.endpoint, type: search.type, since: search.since }}
        onChange={filter}
        onClear={clear}
      >
        <StatusFilter status={search.status} onChange={(status) => void filter('status', status)} />
      </FilterBar>
      <DataTable
        label="Deliveries"
        columns={columns}
        rowId={({ id }) => id}
        onOpen={open}
        onEnd={() => deliveries.hasNextPage && void deliveries.fetchNextPage()}
        footer={rows && rows.length > 0 ? footer(rows.length, deliveries) : undefined}
        list={{
          rows,
          error: deliveries.error,
          onRetry: () => void deliveries.refetch(),
          isFetching: deliveries.isFetching,
          isStale: deliveries.isPlaceholderData,
          onClear: Object.keys(search).length > 0 ? clear : undefined,
          firstUse: (
            <FirstUse
              title="No deliveries yet"
              sentence="A delivery appears when an event of a published type is sent and an endpoint subscribes to that type."
              curl={ingestCommand(window.location.origin)}
            />
          ),
        }}
      />
    </>
  );
}

function params({ workspace, environment }: ReturnType<typeof usePlace>) {
  return { workspace: workspace.slug, environment: environment.slug };
}

/** The environment's endpoints, for the filter and for the column that shows their URLs. */
function useEndpointUrls() {
  const { data: endpoints } = useQuery(endpointNamesQuery(usePlace()));
  const columns = useMemo(() => deliveryColumns(new Map(endpoints?.map(({ id, url }) => [id, url]))), [endpoints]);
  return { endpoints, columns };
}

function useFields(workspaceId: string, endpoints: readonly { id: string; url: string }[] | undefined) {
  const { data: types } = useQuery(eventTypesQuery(workspaceId));
  return [
    { kind: 'select', name: 'endpoint', label: 'Endpoint', options: options(endpoints, 'id', 'url') },
    { kind: 'select', name: 'type', label: 'Event type', options: options(types, 'name', 'name') },
    { kind: 'select', name: 'since', label: 'Any time', options: TIMES },
  ] as const;
}

const TIMES = [
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '3d', label: 'Last 3 days' },
];

function options<Key extends string>(items: readonly Record<Key, string>[] | undefined, value: Key, label: Key) {
  return (items ?? []).map((item) => ({ value: item[value], label: item[label] }));
}

function footer(
  count: number,
  { hasNextPage, isFetchingNextPage }: { hasNextPage: boolean; isFetchingNextPage: boolean },
) {
  const rest = isFetchingNextPage ? 'loading older ones …' : hasNextPage ? 'scroll for older ones' : 'no older ones';
  return `${count.toLocaleString('en')} shown, newest first · ${rest}`;
}
