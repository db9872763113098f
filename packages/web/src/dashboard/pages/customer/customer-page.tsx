import { Button, EmptyState, Group, SimpleGrid, Skeleton, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { isUnread } from '../../../client/api-error.ts';
import type { Application, Endpoint } from '../../../client/resources.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Fact } from '../../../components/fact.tsx';
import { Id } from '../../../components/id.tsx';
import { ButtonLink, TextLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { AttemptCharts } from '../../../components/stats/attempt-charts.tsx';
import { queryState } from '../../../components/table-state.tsx';
import { UnreadPage } from '../../../components/unread-page.tsx';
import { useHrefOf, usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { agentSettingsQuery } from '../access/access-queries.ts';
import { AgentSubscriptions } from '../access/agent-subscriptions.tsx';
import { WorkspaceAlerts } from '../alerts/workspace-alerts.tsx';
import {
  customerEndpointsQuery,
  customerQuery,
  customerStatsQuery,
  useNotDelivered,
} from '../customers/customer-queries.ts';
import { deliveryColumns } from '../deliveries/delivery-columns.tsx';
import { useOpenDelivery } from '../deliveries/use-open-delivery.ts';
import { AddEndpoint } from '../endpoints/add-endpoint.tsx';
import { endpointColumns } from '../endpoints/endpoint-columns.tsx';
import { useEndpointStats } from '../endpoints/use-endpoint-stats.ts';
import { DeleteCustomer } from './delete-customer.tsx';
import { EditCustomer } from './edit-customer.tsx';
import { type CustomerTableProps, LastEvents } from './last-events.tsx';
import { useOpenPortal } from './open-portal.tsx';

const route = getRouteApi('/w/$workspace/$environment/customers/$applicationId');

/** A customer: its failed deliveries, latest events, endpoints, alert rules, and a link into its portal. */
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
  // A new key resets the state for another customer: a shown portal link belongs to the first one.
  return <LoadedCustomer key={data.id} customer={data} />;
}

function LoadedCustomer({ customer }: { customer: Application }) {
  const place = usePlace();
  const { data: endpoints } = useQuery(customerEndpointsQuery(place, customer.id));
  const byId = useMemo(() => endpoints && new Map(endpoints.map((one) => [one.id, one])), [endpoints]);
  const portal = useOpenPortal(customer.id);
  return (
    <Stack gap="lg">
      <PageHeader
        title={customer.name}
        line={<Id value={customer.id} />}
        actions={
          mayChange(place) ? (
            <Actions customer={customer} endpoints={endpoints?.length} portal={portal.button} />
          ) : undefined
        }
      />
      {portal.notice}
      <Facts customer={customer} />
      <Section
        title="Not delivered"
        link={<CustomerListLink applicationId={customer.id} to="deliveries" words="All its deliveries" />}
      >
        <NotDelivered applicationId={customer.id} endpoints={byId} />
      </Section>
      <Section
        title="Last events"
        link={<CustomerListLink applicationId={customer.id} to="events" words="All its events" />}
      >
        <LastEvents applicationId={customer.id} />
      </Section>
      <Section title={`Endpoints in ${place.environment.name}`}>
        <CustomerEndpoints applicationId={customer.id} />
      </Section>
      <CustomerAgents applicationId={customer.id} />
      <Volume applicationId={customer.id} />
      <Section title="Alerts">
        <WorkspaceAlerts applicationId={customer.id} />
      </Section>
    </Stack>
  );
}

type ActionsProps = { customer: Application; endpoints: number | undefined; portal: ReactNode };

function Actions({ customer, endpoints, portal }: ActionsProps) {
  const [opened, setOpened] = useState<'edit' | 'delete' | null>(null);
  const close = () => setOpened(null);
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setOpened('delete')}>
        Delete …
      </Button>
      <Button variant="default" onClick={() => setOpened('edit')}>
        Edit
      </Button>
      <AddToCustomer applicationId={customer.id} />
      {portal}
      <EditCustomer customer={customer} opened={opened === 'edit'} onClose={close} />
      <DeleteCustomer customer={customer} endpoints={endpoints} opened={opened === 'delete'} onClose={close} />
    </>
  );
}

/** Adds an endpoint to the customer, and opens its page. */
function AddToCustomer({ applicationId }: { applicationId: string }) {
  const open = useOpenEndpoint();
  const [isAdding, adding] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={adding.open}>
        Add endpoint
      </Button>
      <AddEndpoint opened={isAdding} onClose={adding.close} onAdded={open} applicationId={applicationId} />
    </>
  );
}

function useOpenEndpoint() {
  const { workspace, environment } = usePlace();
  const navigate = route.useNavigate();
  return (endpointId: string) =>
    void navigate({
      to: '/w/$workspace/$environment/endpoints/$endpointId',
      params: { workspace: workspace.slug, environment: environment.slug, endpointId },
    });
}

function Section({ title, link, children }: { title: string; link?: ReactNode; children: ReactNode }) {
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Group justify="space-between">
        <Title order={2} fz="md" fw={500}>
          {title}
        </Title>
        {link}
      </Group>
      {children}
    </Stack>
  );
}

type ListLinkProps = { applicationId: string; to: 'deliveries' | 'events'; words: string };

function CustomerListLink({ applicationId, to, words }: ListLinkProps) {
  return (
    <TextLink
      fz="sm"
      from="/w/$workspace/$environment"
      to={`/w/$workspace/$environment/${to}`}
      search={{ customer: applicationId }}
    >
      {words}
    </TextLink>
  );
}

function Volume({ applicationId }: { applicationId: string }) {
  const { data, error, refetch } = useQuery(customerStatsQuery(usePlace(), applicationId));
  return <AttemptCharts span="last 24 h" stats={data} error={error} onRetry={() => void refetch()} />;
}

function CustomerEndpoints({ applicationId }: { applicationId: string }) {
  const place = usePlace();
  const endpoints = useQuery(customerEndpointsQuery(place, applicationId));
  const stats = useEndpointStats(applicationId);
  const hrefOf = useHrefOf();
  const columns = useMemo(() => endpointColumns({ hrefOf, stats }), [hrefOf, stats]);
  const open = useOpenEndpoint();
  return (
    <DataTable
      label="Endpoints of the customer"
      columns={columns}
      rowId={({ id }) => id}
      onOpen={({ id }: Endpoint) => open(id)}
      hasKeys={false}
      list={{
        rows: endpoints.data,
        ...queryState(endpoints),
        firstUse: (
          <EmptyState
            size="sm"
            title="No endpoints here"
            description="Add one, or let the customer add its endpoints in the portal."
          >
            {mayChange(place) ? (
              <EmptyState.Actions>
                <AddToCustomer applicationId={applicationId} />
              </EmptyState.Actions>
            ) : null}
          </EmptyState>
        ),
      }}
    />
  );
}

/** The subscriptions of the customer's agents, if agents may subscribe. */
function CustomerAgents({ applicationId }: { applicationId: string }) {
  const { data: settings } = useQuery(agentSettingsQuery(usePlace()));
  if (!settings?.available || !settings.enabled) return null;
  return (
    <Section title="Agents">
      <AgentSubscriptions applicationId={applicationId} />
    </Section>
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

/** Deliveries that did not reach the customer, newest first. Each row leads to the reason. */
function NotDelivered({ applicationId, endpoints }: CustomerTableProps) {
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
          <EmptyState
            size="sm"
            title="Nothing failed"
            description="No delivery failed or waits for a retry. Those on their way are not listed here."
          />
        ),
      }}
    />
  );
}
