import { Button, EmptyState } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Endpoint } from '../../../client/resources.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { queryState } from '../../../components/table-state.tsx';
import { useHrefOf, usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { customerEventsQuery } from '../customers/customer-queries.ts';
import { eventColumns } from '../events/event-columns.tsx';
import { SendEvent } from '../events/send-event.tsx';
import { useOpenEvent } from '../events/use-open-event.ts';

export type CustomerTableProps = {
  applicationId: string;
  /** The customer's endpoints; undefined until they are read. */
  endpoints: ReadonlyMap<string, Endpoint> | undefined;
};

/** The newest events for the customer. Each row leads to the event's trace. */
export function LastEvents({ applicationId }: Pick<CustomerTableProps, 'applicationId'>) {
  const place = usePlace();
  const events = useQuery(customerEventsQuery(place, applicationId));
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
          >
            {mayChange(place) ? (
              <EmptyState.Actions>
                <SendToCustomer applicationId={applicationId} />
              </EmptyState.Actions>
            ) : null}
          </EmptyState>
        ),
      }}
    />
  );
}

function SendToCustomer({ applicationId }: { applicationId: string }) {
  const [isSending, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="sm" onClick={open}>
        Send event
      </Button>
      <SendEvent opened={isSending} onClose={close} applicationId={applicationId} />
    </>
  );
}
