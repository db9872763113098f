import { Box, EmptyState, Skeleton } from '@mantine/core';
import { api } from '../client/api.ts';
import { isUnauthorized } from '../client/api-error.ts';
import { DataTable } from '../components/data-table.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { PageHeader } from '../components/page-header.tsx';

/** The customer's own endpoints. */
export function PortalPage() {
  const session = api.useQuery('get', '/api/portal/session');
  const endpoints = api.useQuery('get', '/api/portal/endpoints', {}, { enabled: session.isSuccess });
  if (isUnauthorized(session.error)) {
    return <EmptyState p="xl" title="This link has ended" description="Open the page again from where you came." />;
  }
  return (
    <Box p="lg" maw={1280} mx="auto">
      {session.error ? <ErrorNotice title="The page could not be loaded" error={session.error} /> : null}
      {session.data === undefined ? (
        <Skeleton height={24} width={220} mb="md" />
      ) : (
        <PageHeader title="Your endpoints" />
      )}
      <DataTable
        label="Your endpoints"
        columns={COLUMNS}
        rowId={({ id }) => id}
        list={{
          rows: endpoints.data,
          error: endpoints.error,
          onRetry: () => void endpoints.refetch(),
          isFetching: endpoints.isFetching,
          isStale: false,
          firstUse: <EmptyState title="No endpoints yet" />,
        }}
      />
    </Box>
  );
}

const COLUMNS = [
  {
    id: 'url',
    header: 'URL',
    width: 'minmax(200px, 3fr)',
    cell: ({ url }: { url: string }) => <span className="mono">{url}</span>,
  },
];
