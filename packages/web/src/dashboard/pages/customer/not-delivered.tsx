import { EmptyState } from '@mantine/core';
import { useMemo } from 'react';
import { DataTable } from '../../../components/data-table.tsx';
import { queryState } from '../../../components/table-state.tsx';
import { useHrefOf, usePlace } from '../../place.ts';
import { useNotDelivered } from '../customers/customer-queries.ts';
import { deliveryColumns } from '../deliveries/delivery-columns.tsx';
import { useOpenDelivery } from '../deliveries/use-open-delivery.ts';
import type { CustomerTableProps } from './last-events.tsx';

/** What did not reach the customer, newest first: each row leads to why. */
export function NotDelivered({ applicationId, endpoints }: CustomerTableProps) {
  const notDelivered = useNotDelivered(usePlace(), applicationId);
  const hrefOf = useHrefOf();
  const columns = useMemo(
    () => deliveryColumns(hrefOf, { endpoints }).filter(({ id }) => id !== 'customer'),
    [hrefOf, endpoints],
  );
  return (
    <DataTable
      label="Not delivered"
      columns={columns}
      rowId={({ id }) => id}
      {...useOpenDelivery()}
      list={{
        rows: notDelivered.data,
        ...queryState(notDelivered),
        firstUse: (
          <EmptyState size="sm" title="Everything arrived" description="No delivery failed or waits for a retry." />
        ),
      }}
    />
  );
}
