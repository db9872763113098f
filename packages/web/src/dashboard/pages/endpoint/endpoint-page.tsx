import { Skeleton, Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { isGone, isUnread } from '../../../client/api-error.ts';
import type { Endpoint } from '../../../client/resources.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { addressOf } from '../../../components/destination/address-of.ts';
import { ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { UnreadPage } from '../../../components/unread-page.tsx';
import { WholeUrl } from '../../../components/url-text.tsx';
import { useShowCurrent } from '../../../components/use-show-current.ts';
import { usePlace } from '../../place.ts';
import { ENDPOINT_EVERY_MS, endpointQuery } from '../endpoints/endpoint-queries.ts';
import { AdvancedTab } from './advanced-tab.tsx';
import { DeliveriesTab } from './deliveries-tab.tsx';
import { DestinationTab } from './destination-tab.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { TAB_WORDS, type Tab, tabsOf } from './endpoint-search.ts';
import { InboxTab } from './inbox-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { PullTab } from './pull-tab.tsx';
import { SecurityTab } from './security-tab.tsx';
import { StateLine } from './state-line.tsx';
import { SubscriptionsTab } from './subscriptions-tab.tsx';
import { TestingTab } from './testing-tab.tsx';
import { TransformationTab } from './transformation-tab.tsx';

const route = getRouteApi('/w/$workspace/$environment/endpoints/$endpointId');

/** One endpoint: what it gets, how its deliveries go, and all its settings. */
export function EndpointPage() {
  const { endpointId } = route.useParams();
  const { workspace } = usePlace();
  const {
    data: endpoint,
    error,
    refetch,
  } = useQuery({
    ...endpointQuery(workspace.id, endpointId),
    refetchInterval: ({ state }) => !isGone(state.error) && ENDPOINT_EVERY_MS,
  });
  if (isUnread({ data: endpoint, error })) {
    return (
      <UnreadPage
        of="endpoint"
        error={error}
        onRetry={() => void refetch()}
        why="The address may be mistyped, or the endpoint was deleted. Its deliveries stay in the list of deliveries."
        wayOn={
          <ButtonLink from="/w/$workspace/$environment" to="/w/$workspace/$environment/endpoints">
            All endpoints
          </ButtonLink>
        }
      />
    );
  }
  if (endpoint === undefined) return <PageSkeleton />;
  return <LoadedEndpoint key={endpoint.id} endpoint={endpoint} />;
}

const TABS: Record<Tab, (props: { endpoint: Endpoint }) => React.ReactNode> = {
  overview: OverviewTab,
  destination: DestinationTab,
  inbox: InboxTab,
  pull: PullTab,
  deliveries: DeliveriesTab,
  subscriptions: SubscriptionsTab,
  transformation: TransformationTab,
  testing: TestingTab,
  security: SecurityTab,
  advanced: AdvancedTab,
};

function LoadedEndpoint({ endpoint }: { endpoint: Endpoint }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const tabs = tabsOf(endpoint);
  const tab = tabs.find((one) => one === search.tab) ?? 'overview';
  const Content = TABS[tab];
  const row = useShowCurrent<HTMLDivElement>(tab);
  const address = addressOf(endpoint);
  const open = (name: string | null) => {
    const next = tabs.find((one) => one === name);
    if (next !== undefined) void navigate({ search: next === 'overview' ? {} : { tab: next }, resetScroll: false });
  };
  return (
    <>
      <PageHeader
        name={address}
        title={<UrlTitle url={address} />}
        line={<StateLine endpoint={endpoint} />}
        actions={<EndpointActions endpoint={endpoint} />}
      />
      <Tabs value={tab} onChange={open} keepMounted={false}>
        <Tabs.List {...row} mb="md" style={{ flexWrap: 'nowrap', overflowY: 'hidden' }}>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one} flex="none">
              {TAB_WORDS[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <Content endpoint={endpoint} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function UrlTitle({ url }: { url: string }) {
  return (
    <>
      <span className="mono" style={{ fontSize: 18, overflowWrap: 'anywhere' }}>
        <WholeUrl url={url} />
      </span>{' '}
      <CopyButton value={url} what="the URL" />
    </>
  );
}

function PageSkeleton() {
  return (
    <Stack gap="md">
      <Skeleton height={24} width="60%" />
      <Skeleton height={14} width="30%" />
      <Skeleton height={32} />
      <Skeleton height={160} />
    </Stack>
  );
}
