import { Button, EmptyState, SimpleGrid, Skeleton, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { isUnread } from '../../../client/api-error.ts';
import type { Application, Endpoint } from '../../../client/resources.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Fact } from '../../../components/fact.tsx';
import { Id } from '../../../components/id.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { queryState } from '../../../components/table-state.tsx';
import { UnreadPage } from '../../../components/unread-page.tsx';
import { useHrefOf, usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { customerEndpointsQuery, customerQuery } from '../customers/customer-queries.ts';
import { endpointColumns } from '../endpoints/endpoint-columns.tsx';
import { useEndpointStats } from '../endpoints/use-endpoint-stats.ts';
import { DeleteCustomer } from './delete-customer.tsx';
import { useOpenPortal } from './open-portal.tsx';

const route = getRouteApi('/w/$workspace/$environment/customers/$applicationId');

/** A customer with its endpoints in the environment, and the way into its portal. */
export function CustomerPage() {
  const { applicationId } = route.useParams();
  const { workspace } = usePlace();
  const { data, error, refetch } = useQuery(customerQuery(workspace.id, applicationId));
  if (isUnread({ data, error })) {
    return (
      <UnreadPage
        of="customer"
        error={error}
        onRetry={() => void refetch()}
        why="The address may be mistyped, or the customer was deleted together with its endpoints."
        wayOn={
          <ButtonLink from="/w/$workspace/$environment" to="/w/$workspace/$environment/customers">
            All customers
          </ButtonLink>
        }
      />
    );
  }
  if (data === undefined) return <Skeleton height={120} />;
  // Another customer begins anew: a portal link that is shown is that of the first one.
  return <LoadedCustomer key={data.id} customer={data} />;
}

function LoadedCustomer({ customer }: { customer: Application }) {
  const place = usePlace();
  const endpoints = useQuery(customerEndpointsQuery(place, customer.id));
  const portal = useOpenPortal(customer.id);
  const [isDeleting, { open, close }] = useDisclosure();
  const actions = (
    <>
      <Button variant="default" onClick={open}>
        Delete …
      </Button>
      {portal.button}
    </>
  );
  return (
    <Stack gap="md">
      <PageHeader
        title={customer.name}
        line={<Id value={customer.id} />}
        actions={mayChange(place) ? actions : undefined}
      />
      {portal.notice}
      <Facts customer={customer} />
      <Title order={2} fz="md" fw={500}>
        Endpoints in {place.environment.name}
      </Title>
      <CustomerEndpoints applicationId={customer.id} />
      <DeleteCustomer customer={customer} endpoints={endpoints.data?.length} opened={isDeleting} onClose={close} />
    </Stack>
  );
}

function CustomerEndpoints({ applicationId }: { applicationId: string }) {
  const place = usePlace();
  const endpoints = useQuery(customerEndpointsQuery(place, applicationId));
  const stats = useEndpointStats(applicationId);
  const hrefOf = useHrefOf();
  const columns = useMemo(() => endpointColumns({ hrefOf, stats }), [hrefOf, stats]);
  const navigate = route.useNavigate();
  const open = ({ id: endpointId }: Endpoint) =>
    void navigate({
      to: '/w/$workspace/$environment/endpoints/$endpointId',
      params: { workspace: place.workspace.slug, environment: place.environment.slug, endpointId },
    });
  return (
    <DataTable
      label="Endpoints of the customer"
      columns={columns}
      rowId={({ id }) => id}
      onOpen={open}
      list={{
        rows: endpoints.data,
        ...queryState(endpoints),
        firstUse: (
          <EmptyState
            size="sm"
            title="No endpoints here"
            description="The customer adds its endpoints in the portal."
          />
        ),
      }}
    />
  );
}

function Facts({ customer }: { customer: Application }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md" verticalSpacing="sm">
      <Fact name="External id">
        {customer.externalId === null ? <span className="soft">–</span> : <Id value={customer.externalId} />}
      </Fact>
      <Fact name="Created">
        <RelativeTime at={customer.createdAt} />
      </Fact>
      {Object.entries(customer.metadata).map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </SimpleGrid>
  );
}
