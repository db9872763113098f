import { Button, EmptyState } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Endpoint } from '../../client/resources.ts';
import { DataTable } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { Column } from '../../components/table-columns.ts';
import { EndpointState } from '../../dashboard/pages/endpoints/endpoint-state.tsx';
import { PortalLink } from '../portal-link.tsx';
import { endpointsQuery } from '../portal-queries.ts';
import { useMay } from '../session.ts';
import { go, hrefOf } from '../view.ts';
import { AddEndpoint } from './add-endpoint.tsx';

/** The customer's own endpoints. */
export function EndpointsPage() {
  const endpoints = useQuery(endpointsQuery());
  const [isAdding, { open: add, close }] = useDisclosure();
  const addButton = useMay('endpoints:write') ? <Button onClick={add}>Add endpoint</Button> : null;
  const hasSome = endpoints.data !== undefined && endpoints.data.length > 0;
  return (
    <>
      <PageHeader
        title="Your endpoints"
        line="The addresses that get your messages."
        actions={hasSome ? addButton : null}
      />
      <DataTable
        label="Your endpoints"
        columns={COLUMNS}
        rowId={({ id }) => id}
        onOpen={({ id }) => go(hrefOf('endpoints', id))}
        list={{
          rows: endpoints.data,
          error: endpoints.error,
          onRetry: () => void endpoints.refetch(),
          isFetching: endpoints.isFetching,
          isStale: false,
          firstUse: (
            <EmptyState
              size="sm"
              title="No endpoints yet"
              description="An endpoint is an https address of yours. It gets the messages of the types that you choose."
            >
              <EmptyState.Actions>{addButton}</EmptyState.Actions>
            </EmptyState>
          ),
        }}
      />
      <AddEndpoint opened={isAdding} onClose={close} />
    </>
  );
}

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    id: 'url',
    header: 'Address',
    width: 'minmax(160px, 3fr)',
    cell: ({ id, url }) => (
      <PortalLink mono href={hrefOf('endpoints', id)}>
        {url}
      </PortalLink>
    ),
  },
  { id: 'state', header: 'State', width: '100px', cell: (row) => <EndpointState endpoint={row} /> },
  {
    id: 'description',
    header: 'Description',
    width: 'minmax(120px, 2fr)',
    from: 'sm',
    cell: ({ description }) => description || <span className="soft">–</span>,
  },
  {
    id: 'created',
    header: 'Created',
    width: '90px',
    from: 'md',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];
