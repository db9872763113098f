import { EmptyState } from '@mantine/core';
import { useMemo } from 'react';
import type { Delivery } from '../../client/resources.ts';
import { DataTable } from '../../components/data-table.tsx';
import { DeliveryStatusChip } from '../../components/delivery-status-chip.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { Column } from '../../components/table-columns.ts';
import { PortalLink } from '../portal-link.tsx';
import { useDeliveries } from '../portal-queries.ts';
import { go, hrefOf } from '../view.ts';

/** The messages to one endpoint, newest first. */
export function DeliveriesTab({ endpointId }: { endpointId: string }) {
  const list = useDeliveries(endpointId);
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.deliveries), [list.data]);
  return (
    <DataTable
      label="Messages to this endpoint"
      columns={COLUMNS}
      rowId={({ id }) => id}
      onOpen={({ id }) => go(hrefOf('deliveries', id))}
      onEnd={() => list.hasNextPage && void list.fetchNextPage()}
      list={{
        rows,
        error: list.error,
        onRetry: () => void list.refetch(),
        isFetching: list.isFetching,
        isStale: false,
        firstUse: (
          <EmptyState
            size="sm"
            title="No messages yet"
            description="A message appears when something happens that your endpoint subscribes to."
          />
        ),
      }}
    />
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  {
    id: 'status',
    header: 'Status',
    width: 'minmax(132px, 190px)',
    cell: (row) => <DeliveryStatusChip delivery={row} />,
  },
  {
    id: 'type',
    header: 'Event type',
    width: 'minmax(90px, 1fr)',
    cell: ({ id, eventTypeName }) => (
      <PortalLink href={hrefOf('deliveries', id)}>{eventTypeName ?? 'without a type'}</PortalLink>
    ),
  },
  { id: 'attempts', header: 'Attempts', width: '72px', from: 'sm', cell: ({ totalAttempts }) => totalAttempts },
  {
    id: 'answer',
    header: 'Answer',
    width: '64px',
    from: 'sm',
    cell: ({ lastResponseStatus }) => <span className="mono">{lastResponseStatus ?? '–'}</span>,
  },
  { id: 'created', header: 'Sent', width: '76px', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];
