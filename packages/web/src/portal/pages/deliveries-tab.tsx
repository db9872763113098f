import { EmptyState, Stack } from '@mantine/core';
import type { Delivery } from '../../client/resources.ts';
import { DataTable } from '../../components/data-table.tsx';
import { answerColumn, attemptsColumn, statusColumn } from '../../components/delivery-columns.tsx';
import { isDeliveryStatus } from '../../components/delivery-statuses.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { StatusFilter } from '../../components/status-filter.tsx';
import type { Column } from '../../components/table-columns.ts';
import { t } from '../../language/language.ts';
import { MessageName } from '../message-name.tsx';
import { useDeliveries } from '../portal-queries.ts';
import { go, hrefOf, useFilter } from '../view.ts';

/** The messages to one endpoint by their status, newest first. */
export function DeliveriesTab({ endpointId }: { endpointId: string }) {
  const [filter, setFilter] = useFilter('status');
  const status = isDeliveryStatus(filter) ? filter : undefined;
  const { state, onSeen, onEnd } = useDeliveries(endpointId, status);
  return (
    <Stack gap="sm">
      <StatusFilter status={status} onChange={(chosen) => setFilter(chosen ?? null)} />
      <DataTable
        label={t('Messages to this endpoint')}
        columns={COLUMNS}
        rowId={({ id }) => id}
        onOpen={({ id }) => go(hrefOf('deliveries', id))}
        onSeen={onSeen}
        onEnd={onEnd}
        list={{
          ...state,
          onClear: status === undefined ? undefined : () => setFilter(null),
          firstUse: (
            <EmptyState
              size="sm"
              title={t('No messages yet')}
              description={t('A message appears when something happens that your endpoint subscribes to.')}
            />
          ),
        }}
      />
    </Stack>
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  statusColumn,
  {
    id: 'type',
    header: t('Event type'),
    width: 'minmax(82px, 1fr)',
    cell: (row) => <MessageName href={hrefOf('deliveries', row.id)} of={row} />,
  },
  attemptsColumn,
  answerColumn,
  { id: 'created', header: t('Accepted'), width: '86px', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];
