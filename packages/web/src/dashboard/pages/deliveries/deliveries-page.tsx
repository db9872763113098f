import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Choices } from '../../../components/choices.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { FilterBar } from '../../../components/filter-bar.tsx';
import { FirstUse } from '../../../components/first-use.tsx';
import { ListFooter } from '../../../components/list-footer.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { StatusFilter } from '../../../components/status-filter.tsx';
import { searchOlder } from '../../../components/table-state.tsx';
import { RANGE_OPTIONS, withFilter } from '../../../components/time-range.ts';
import type { Known } from '../../customer-name.tsx';
import { useHrefOf, usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { useCustomerChoices } from '../customers/use-customer-choices.ts';
import { useEndpointChoices } from '../endpoints/use-endpoint-choices.ts';
import { eventTypesQuery } from '../event-types/event-type-queries.ts';
import { CONTAINS, hasSearchKeys, SEARCHED_PER_PAGE } from '../event-types/searched.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import type { BulkAction } from './bulk-queries.ts';
import type { DeliveriesSearch } from './deliveries-search.ts';
import { deliveryColumns } from './delivery-columns.tsx';
import { useDeliveries } from './delivery-queries.ts';
import { ingestCommand } from './ingest-command.ts';
import { useOpenDelivery } from './use-open-delivery.ts';

const route = getRouteApi('/w/$workspace/$environment/deliveries');

/** All deliveries of this environment, sent or to be sent, newest first. */
export function DeliveriesPage() {
  const place = usePlace();
  const search = route.useSearch();
  const { filter, clear: clearFilters } = useFilters();
  // A payload value is kept out of the address.
  const [value, setValue] = useState<string>();
  const clear = () => {
    setValue(undefined);
    clearFilters();
  };
  const endpoints = useEndpointChoices(search.endpoint);
  const customers = useCustomerChoices(search.customer);
  return (
    <>
      <PageHeader
        title="Deliveries"
        line="One row for each event and each endpoint that it goes to."
        actions={mayChange(place) ? <BulkActions search={search} isByValue={value !== undefined} /> : undefined}
      />
      <FilterBar
        fields={useFields(place.workspace.id, endpoints.choices, customers.choices)}
        values={{
          customer: search.customer,
          endpoint: search.endpoint,
          type: search.type,
          since: search.since,
          at: search.at,
          value,
        }}
        onChange={(name, chosen) => (name === 'value' ? setValue(chosen) : filter(name, chosen))}
        onClear={clear}
      >
        <StatusFilter status={search.status} onChange={(status) => filter('status', status)} />
      </FilterBar>
      <DeliveriesTable
        search={search}
        value={value}
        known={{ endpoints: endpoints.byId, customers: customers.byId }}
        onClear={Object.keys(search).length > 0 || value !== undefined ? clear : undefined}
      />
    </>
  );
}

type TableProps = {
  search: DeliveriesSearch;
  value?: string | undefined;
  known: Known;
  onClear: (() => void) | undefined;
};

/** The deliveries that match the filters, newest first. */
export function DeliveriesTable({ search, value, known: { endpoints, customers }, onClear }: TableProps) {
  const place = usePlace();
  const { list, pages } = useDeliveries(place, search, value);
  const { rows } = pages.state;
  const hrefOf = useHrefOf();
  const columns = useMemo(
    () => deliveryColumns(hrefOf, { endpoints, customers }).filter(({ id }) => isShown(search, id)),
    [hrefOf, endpoints, customers, search],
  );
  return (
    <DataTable
      label="Deliveries"
      columns={columns}
      rowId={({ id }) => id}
      {...useOpenDelivery()}
      onSeen={pages.onSeen}
      onEnd={pages.onEnd}
      footer={rows && rows.length > 0 ? <ListFooter count={rows.length} list={list} /> : undefined}
      list={{
        ...pages.state,
        onClear,
        searchOlder: searchOlder(list, SEARCHED_PER_PAGE),
        firstUse: (
          <FirstUse
            title="No deliveries yet"
            sentence="A delivery appears when an event of a published type is sent and an endpoint subscribes to that type."
            curl={ingestCommand(window.location.origin)}
          />
        ),
      }}
    />
  );
}

/** A list of one endpoint or one customer needs no column for it. */
function isShown({ endpoint, customer }: DeliveriesSearch, column: string): boolean {
  if (column === 'customer') return endpoint === undefined && customer === undefined;
  return column !== 'endpoint' || endpoint === undefined;
}

/** Writes the filters into the address. */
function useFilters() {
  const navigate = route.useNavigate();
  return {
    filter: (name: string, value: string | undefined) =>
      void navigate({ search: (before) => withFilter(before, name, value), replace: true }),
    clear: () => void navigate({ search: {}, replace: true }),
  };
}

function useFields(workspaceId: string, endpoints: Choices, customers: Choices) {
  const { data: types } = useQuery(eventTypesQuery(workspaceId));
  return [
    { kind: 'search', name: 'customer', label: 'Customer', choices: customers },
    { kind: 'search', name: 'endpoint', label: 'Endpoint', choices: endpoints },
    {
      kind: 'select',
      name: 'type',
      label: 'Event type',
      options: (types ?? []).map(({ name }) => ({ value: name, label: name })),
    },
    ...(hasSearchKeys(types) ? [CONTAINS] : []),
    { kind: 'select', name: 'since', label: 'Any time', options: RANGE_OPTIONS },
    { kind: 'time', name: 'at', label: 'Half an hour before and after, in UTC' },
  ] as const;
}

/**
 * Retries or cancels every delivery that the filters of the list match. A bulk takes no value of a payload: it would change
 * more than the list shows, so it is refused while the list is filtered by one.
 */
function BulkActions({ search, isByValue }: { search: DeliveriesSearch; isByValue: boolean }) {
  const [action, setAction] = useState<BulkAction | null>(null);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">Retry or cancel all …</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {isByValue ? (
            <Menu.Label maw={240}>Clear “Contains” first: a bulk takes all other filters.</Menu.Label>
          ) : null}
          <Menu.Item disabled={isByValue} onClick={() => setAction('retry')}>
            Retry them …
          </Menu.Item>
          <Menu.Item disabled={isByValue} onClick={() => setAction('cancel')}>
            Cancel the open ones …
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <BulkDialog action={action} search={search} onClose={() => setAction(null)} />
    </>
  );
}
