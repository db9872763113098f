import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Application } from '../../../client/resources.ts';
import type { Choices } from '../../../components/choices.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { FilterBar } from '../../../components/filter-bar.tsx';
import { FirstUse } from '../../../components/first-use.tsx';
import { ListFooter } from '../../../components/list-footer.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { searchOlder } from '../../../components/table-state.tsx';
import { RANGE_OPTIONS, withFilter } from '../../../components/time-range.ts';
import { useHrefOf, usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { useCustomerChoices } from '../customers/use-customer-choices.ts';
import { ingestCommand } from '../deliveries/ingest-command.ts';
import { eventTypesQuery } from '../event-types/event-type-queries.ts';
import { CONTAINS, hasSearchKeys, SEARCHED_PER_PAGE } from '../event-types/searched.ts';
import { eventColumns } from './event-columns.tsx';
import { useEvents } from './event-queries.ts';
import { EVENT_STATUS_WORDS } from './event-statuses.ts';
import { SendEvent } from './send-event.tsx';
import { useOpenEvent } from './use-open-event.ts';

const route = getRouteApi('/w/$workspace/$environment/events');

/** All events that Posthorn accepted in this environment, newest first. */
export function EventsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { byId, choices } = useCustomerChoices(search.customer);
  const [isSending, { open, close }] = useDisclosure();
  // A payload value is kept out of the address.
  const [value, setValue] = useState<string>();
  const clear = () => {
    setValue(undefined);
    void navigate({ search: {}, replace: true });
  };
  return (
    <>
      <PageHeader
        title="Events"
        line="One row for each accepted event, with its deliveries."
        actions={mayChange(usePlace()) ? <Button onClick={open}>Send event</Button> : undefined}
      />
      <SendEvent opened={isSending} onClose={close} />
      <FilterBar
        fields={useFields(choices)}
        values={{ ...search, value }}
        onChange={(name, chosen) =>
          name === 'value'
            ? setValue(chosen)
            : void navigate({ search: (before) => withFilter(before, name, chosen), replace: true })
        }
        onClear={clear}
      />
      <EventsTable
        customers={byId}
        value={value}
        onClear={Object.keys(search).length > 0 || value !== undefined ? clear : undefined}
      />
    </>
  );
}

type TableProps = {
  customers: ReadonlyMap<string, Application> | undefined;
  value: string | undefined;
  onClear: (() => void) | undefined;
};

function EventsTable({ customers, value, onClear }: TableProps) {
  const place = usePlace();
  const { list, pages } = useEvents(place, route.useSearch(), value);
  const { rows } = pages.state;
  const hrefOf = useHrefOf();
  const columns = useMemo(() => eventColumns(hrefOf, { customers }), [hrefOf, customers]);
  return (
    <DataTable
      label="Events"
      columns={columns}
      rowId={({ id }) => id}
      {...useOpenEvent()}
      onSeen={pages.onSeen}
      onEnd={pages.onEnd}
      footer={rows && rows.length > 0 ? <ListFooter count={rows.length} list={list} /> : undefined}
      list={{
        ...pages.state,
        onClear,
        searchOlder: searchOlder(list, SEARCHED_PER_PAGE),
        firstUse: (
          <FirstUse
            title="No events yet"
            sentence="An event appears as soon as your software sends one with an API key of this environment."
            curl={ingestCommand(window.location.origin)}
          />
        ),
      }}
    />
  );
}

function useFields(customers: Choices) {
  const { workspace } = usePlace();
  const { data: types } = useQuery(eventTypesQuery(workspace.id));
  return [
    {
      kind: 'select',
      name: 'type',
      label: 'Event type',
      options: (types ?? []).map(({ name }) => ({ value: name, label: name })),
    },
    { kind: 'select', name: 'status', label: 'Status', options: STATUSES },
    { kind: 'text', name: 'key', label: 'Idempotency key' },
    ...(hasSearchKeys(types) ? [CONTAINS] : []),
    { kind: 'search', name: 'customer', label: 'Customer', choices: customers },
    { kind: 'select', name: 'since', label: 'Any time', options: RANGE_OPTIONS },
    { kind: 'time', name: 'at', label: 'Half an hour before and after, in UTC' },
  ] as const;
}

const STATUSES = Object.entries(EVENT_STATUS_WORDS).map(([value, label]) => ({ value, label }));
