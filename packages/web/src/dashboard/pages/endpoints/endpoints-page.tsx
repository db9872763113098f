import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Application, Endpoint } from '../../../client/resources.ts';
import type { Choices } from '../../../components/choices.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { FilterBar } from '../../../components/filter-bar.tsx';
import { FirstUse } from '../../../components/first-use.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import type { ListState } from '../../../components/table-state.tsx';
import { queryState } from '../../../components/table-state.tsx';
import { useHrefOf, usePlace } from '../../place.ts';
import { RecoverSheet } from '../../recover/recover-sheet.tsx';
import { mayChange } from '../../role.ts';
import { useCustomerChoices } from '../customers/use-customer-choices.ts';
import { AddEndpoint } from './add-endpoint.tsx';
import { DeleteEndpoint } from './delete-endpoint.tsx';
import { endpointColumns } from './endpoint-columns.tsx';
import { endpointsQuery } from './endpoint-queries.ts';
import { matchesEndpoint } from './endpoints-search.ts';
import { useEndpointStats } from './use-endpoint-stats.ts';

const route = getRouteApi('/w/$workspace/$environment/endpoints');

/** The endpoints of the environment, including the customers' endpoints. */
export function EndpointsPage() {
  const place = usePlace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const endpoints = useQuery(endpointsQuery(place));
  const customers = useCustomerChoices(search.customer);
  const [isAdding, { open: add, close: closeAdd }] = useDisclosure();
  const rows = useMemo(() => endpoints.data?.filter((one) => matchesEndpoint(search, one)), [endpoints.data, search]);
  const clear = () => void navigate({ search: {}, replace: true });
  const addButton = mayChange(place) ? <Button onClick={add}>Add endpoint</Button> : undefined;
  const hasSome = endpoints.data !== undefined && endpoints.data.length > 0;
  const list: ListState<Endpoint> = {
    rows,
    ...queryState(endpoints),
    onClear: hasSome ? clear : undefined,
    firstUse: (
      <FirstUse
        title="No endpoints yet"
        sentence="An endpoint is a destination, such as an https URL. It gets the events of the types that it subscribes to."
        action={addButton}
        curl={addCommand(window.location.origin, place.workspace.id, place.environment.id)}
      />
    ),
  };
  return (
    <>
      <PageHeader
        title="Endpoints"
        line="The URLs that get this environment’s events."
        actions={hasSome ? addButton : undefined}
      />
      <FilterBar
        fields={fieldsOf(customers.choices)}
        values={search}
        onChange={(name, value) => void navigate({ search: (before) => ({ ...before, [name]: value }), replace: true })}
        onClear={clear}
        summary={hasSome && `${rows?.length} of ${endpoints.data.length}`}
      />
      <EndpointsTable list={list} customers={customers.byId} />
      <AddEndpoint
        opened={isAdding}
        onClose={closeAdd}
        onAdded={(endpointId) =>
          void navigate({
            to: '/w/$workspace/$environment/endpoints/$endpointId',
            params: { workspace: place.workspace.slug, environment: place.environment.slug, endpointId },
          })
        }
      />
    </>
  );
}

type TableProps = { list: ListState<Endpoint>; customers: ReadonlyMap<string, Application> | undefined };

function EndpointsTable({ list, customers }: TableProps) {
  const place = usePlace();
  const navigate = route.useNavigate();
  const isEditor = mayChange(place);
  const [recovering, setRecovering] = useState<Endpoint | null>(null);
  const [deleting, setDeleting] = useState<Endpoint | null>(null);
  const stats = useEndpointStats();
  const hrefOf = useHrefOf();
  const columns = useMemo(() => {
    const actions = isEditor ? { onDelete: setDeleting, onRecover: setRecovering } : undefined;
    return endpointColumns({ hrefOf, stats, known: { customers }, actions });
  }, [hrefOf, isEditor, stats, customers]);
  const open = ({ id }: Endpoint) =>
    void navigate({
      to: '/w/$workspace/$environment/endpoints/$endpointId',
      params: { workspace: place.workspace.slug, environment: place.environment.slug, endpointId: id },
    });
  return (
    <>
      <DataTable label="Endpoints" columns={columns} rowId={({ id }) => id} onOpen={open} list={list} />
      <RecoverSheet endpoint={recovering} onClose={() => setRecovering(null)} />
      <DeleteEndpoint endpoint={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}

const fieldsOf = (customers: Choices) =>
  [
    { kind: 'text', name: 'search', label: 'URL, description or id' },
    { kind: 'search', name: 'customer', label: 'Customer', choices: customers },
    { kind: 'select', name: 'state', label: 'State', options: STATES },
  ] as const;

const STATES = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
];

function addCommand(baseUrl: string, workspaceId: string, environmentId: string): string {
  return [
    `curl -X POST "${baseUrl}/management/v1/workspaces/${workspaceId}/endpoints" \\`,
    '  -H "Authorization: Bearer $MANAGEMENT_TOKEN" -H "Content-Type: application/json" \\',
    `  -d '{"url":"https://example.com/webhooks","environmentId":"${environmentId}"}'`,
  ].join('\n');
}
