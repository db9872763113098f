import { EmptyState } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Endpoint } from '../../../client/resources.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { queryState } from '../../../components/table-state.tsx';
import { useHrefOf, usePlace } from '../../place.ts';
import { customerEventsQuery } from '../customers/customer-queries.ts';
import { eventColumns } from '../events/event-columns.tsx';
import { useOpenEvent } from '../events/use-open-event.ts';

export type CustomerTableProps = {
  applicationId: string;
  /** The customer's endpoints; undefined until they are read. */
  endpoints: ReadonlyMap<string, Endpoint> | undefined;
};

/** The newest events that named the customer: each row leads to the trace of its event. */
export function LastEvents({ applicationId }: Pick<CustomerTableProps, 'applicationId'>) {
  const events = useQuery(customerEventsQuery(usePlace(), applicationId));
  const hrefOf = useHrefOf();
  const columns = useMemo(() => eventColumns(hrefOf, {}).filter(({ id }) => id !== 'customer'), [hrefOf]);
  return (
    <DataTable
      label="Last events"
      columns={columns}
      rowId={({ id }) => id}
      {...useOpenEvent()}
      hasKeys={false}
      list={{
        rows: events.data?.events,
        ...queryState(events),
        firstUse: (
          <EmptyState
            size="sm"
            title="No events yet"
            description="An event names the customer by applicationId. Without it, an event goes to every endpoint that subscribes to its type."
          />
        ),
      }}
    />
  );
}
