import { EmptyState } from '@mantine/core';
import { useMemo } from 'react';
import type { Event } from '../../client/resources.ts';
import { DataTable } from '../../components/data-table.tsx';
import { DeliveryCounts } from '../../components/delivery-counts.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { Column } from '../../components/table-columns.ts';
import { PortalLink } from '../portal-link.tsx';
import { useMessages } from '../portal-queries.ts';
import { go, hrefOf } from '../view.ts';

/** Every message that was sent to the customer, newest first. */
export function MessagesPage() {
  const list = useMessages();
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.events), [list.data]);
  return (
    <>
      <PageHeader title="Messages" line="What was sent to your endpoints, newest first." />
      <DataTable
        label="Messages"
        columns={COLUMNS}
        rowId={({ id }) => id}
        onOpen={({ id }) => go(hrefOf('messages', id))}
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
              description="A message appears when something happens that one of your endpoints subscribes to."
            />
          ),
        }}
      />
    </>
  );
}

const COLUMNS: readonly Column<Event>[] = [
  {
    id: 'type',
    header: 'Event type',
    width: 'minmax(90px, 1fr)',
    cell: ({ id, eventTypeName }) => (
      <PortalLink href={hrefOf('messages', id)}>{eventTypeName ?? 'without a type'}</PortalLink>
    ),
  },
  {
    id: 'deliveries',
    header: 'At your endpoints',
    width: 'minmax(90px, 1fr)',
    cell: ({ deliveries }) => <DeliveryCounts counts={deliveries} />,
  },
  {
    id: 'id',
    header: 'Id',
    width: 'minmax(180px, 1fr)',
    from: 'md',
    cell: ({ id }) => <span className="mono">{id}</span>,
  },
  { id: 'created', header: 'Sent', width: '90px', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];
