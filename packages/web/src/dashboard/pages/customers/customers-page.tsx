import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { CustomerRead } from '../../../client/resources.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { FilterBar } from '../../../components/filter-bar.tsx';
import { FirstUse } from '../../../components/first-use.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { useHrefOf, usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { AddCustomer } from './add-customer.tsx';
import { customerColumns } from './customer-columns.tsx';
import { useCustomers } from './customer-queries.ts';

const route = getRouteApi('/w/$workspace/$environment/customers');

/** The applications of the workspace. */
export function CustomersPage() {
  const place = usePlace();
  const { search, order } = route.useSearch();
  const navigate = route.useNavigate();
  const { state, onSeen, onEnd } = useCustomers(place, {
    ...(search !== undefined && { search }),
    ...(order !== undefined && { order }),
  });
  const rows = useMemo(() => eachOnce(state.rows), [state.rows]);
  const [isAdding, { open: add, close: closeAdd }] = useDisclosure();
  const hrefOf = useHrefOf();
  const columns = useMemo(() => customerColumns(hrefOf), [hrefOf]);
  const clear = () => void navigate({ search: {}, replace: true });
  const button = mayChange(place) ? <Button onClick={add}>Add customer</Button> : undefined;
  const params = { workspace: place.workspace.slug, environment: place.environment.slug };
  return (
    <>
      <PageHeader
        title="Customers"
        line="A customer, an application in the API, has endpoints of its own and a portal to manage them."
        actions={rows && rows.length > 0 ? button : undefined}
      />
      <FilterBar
        fields={FIELDS}
        values={{ search, order }}
        onChange={(name, value) => void navigate({ search: (before) => ({ ...before, [name]: value }), replace: true })}
        onClear={clear}
      />
      <DataTable
        label="Customers"
        columns={columns}
        rowId={({ id }) => id}
        onOpen={({ id: applicationId }) =>
          void navigate({
            to: '/w/$workspace/$environment/customers/$applicationId',
            params: { ...params, applicationId },
          })
        }
        onSeen={onSeen}
        onEnd={onEnd}
        list={{
          ...state,
          rows,
          onClear: search === undefined ? undefined : clear,
          firstUse: <NoCustomers workspaceId={place.workspace.id} action={button} />,
        }}
      />
      <AddCustomer opened={isAdding} onClose={closeAdd} />
    </>
  );
}

const FIELDS = [
  { kind: 'text', name: 'search', label: 'Name or external id' },
  {
    kind: 'select',
    name: 'order',
    label: 'Trouble first',
    options: [{ value: 'newest', label: 'Newest first' }],
  },
] as const;

/** Removes duplicates: a customer whose state improves during scrolling comes twice. The first row stays. */
function eachOnce(rows: readonly CustomerRead[] | undefined): CustomerRead[] | undefined {
  return rows && [...new Map(rows.toReversed().map((row) => [row.id, row])).values()].reverse();
}

function NoCustomers({ workspaceId, action }: { workspaceId: string; action: React.ReactNode }) {
  const curl = [
    `curl -X POST "${window.location.origin}/management/v1/workspaces/${workspaceId}/applications" \\`,
    '  -H "Authorization: Bearer $MANAGEMENT_TOKEN" -H "Content-Type: application/json" \\',
    `  -d '{"name":"Globex","externalId":"customer_42"}'`,
  ].join('\n');
  const sentence = 'Add your customers, and send each of them the events that concern it.';
  return <FirstUse title="No customers yet" sentence={sentence} action={action} curl={curl} />;
}
