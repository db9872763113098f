import { Box, Button, Skeleton, Tabs } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isGone, isUnread } from '../../client/api-error.ts';
import type { Endpoint } from '../../client/resources.ts';
import { addressOf } from '../../components/destination/address-of.ts';
import { EndpointMark } from '../../components/endpoint-mark.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { UnreadPage } from '../../components/unread-page.tsx';
import { WholeUrl } from '../../components/url-text.tsx';
import { useShowCurrent } from '../../components/use-show-current.ts';
import { t } from '../../language/language.ts';
import { ENDPOINT_EVERY_MS, endpointQuery, type PortalEndpoint } from '../portal-queries.ts';
import { type Capability, useMay, useSession } from '../session.ts';
import { go, hrefOf } from '../view.ts';
import { DeleteEndpoint } from './delete-endpoint.tsx';
import { DeliveriesTab } from './deliveries-tab.tsx';
import { DestinationTab } from './destination-tab.tsx';
import { EditEndpoint } from './edit-endpoint.tsx';
import { InactiveEndpoint } from './inactive-endpoint.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { PullTab } from './pull-tab.tsx';
import { RecoverButton, RecoveryProgress } from './recovery.tsx';
import { SecretTab } from './secret-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { SubscriptionsTab } from './subscriptions-tab.tsx';
import { TestingTab } from './testing-tab.tsx';
import { TransformationTab } from './transformation-tab.tsx';
import { Unsubscribed } from './unsubscribed.tsx';

type Tab = {
  name: string;
  label: string;
  needs: Capability;
  /** Returns whether an endpoint has this tab. Without it, all endpoints have the tab. */
  isFor?: (endpoint: PortalEndpoint) => boolean;
  content: (endpoint: PortalEndpoint) => ReactNode;
};

const TABS: readonly Tab[] = [
  {
    name: 'overview',
    label: t('Overview'),
    needs: 'endpoints:read',
    content: (endpoint) => <OverviewTab endpoint={endpoint} />,
  },
  {
    name: 'destination',
    label: t('Destination'),
    needs: 'endpoints:read',
    isFor: ({ config }) => config.destination !== undefined,
    content: (endpoint) => <DestinationTab endpoint={endpoint} />,
  },
  {
    name: 'fetching',
    label: t('Fetching'),
    needs: 'endpoints:read',
    isFor: ({ pull }) => Boolean(pull),
    content: (endpoint) => <PullTab endpoint={endpoint} />,
  },
  {
    name: 'subscriptions',
    label: t('Subscriptions'),
    needs: 'endpoints:read',
    content: (endpoint) => <SubscriptionsTab endpoint={endpoint} />,
  },
  {
    name: 'transformation',
    label: t('Transformation'),
    needs: 'transformations:write',
    content: (endpoint) => <TransformationTab endpoint={endpoint} />,
  },
  {
    name: 'testing',
    label: t('Testing'),
    needs: 'events:test',
    content: (endpoint) => <TestingTab endpoint={endpoint} />,
  },
  {
    name: 'messages',
    label: t('Messages'),
    needs: 'deliveries:read',
    content: ({ id }) => <DeliveriesTab endpointId={id} />,
  },
  {
    name: 'secret',
    label: t('Secret'),
    needs: 'endpoints:read',
    content: (endpoint) => <SecretTab endpoint={endpoint} />,
  },
  {
    name: 'settings',
    label: t('Settings'),
    needs: 'endpoints:read',
    content: (endpoint) => <SettingsTab endpoint={endpoint} />,
  },
];

/** One endpoint, and the progress of its recovery. Tabs that the session does not allow are left out. */
export function EndpointPage({ id, tab }: { id: string; tab: string | null }) {
  const { capabilities } = useSession();
  const {
    data: endpoint,
    error,
    refetch,
  } = useQuery({
    ...endpointQuery(id, useMay('deliveries:read')),
    refetchInterval: ({ state }) => !isGone(state.error) && ENDPOINT_EVERY_MS,
  });
  const tabs = TABS.filter(
    ({ needs, isFor }) => capabilities.includes(needs) && (!isFor || (endpoint !== undefined && isFor(endpoint))),
  );
  const chosen = tabs.find(({ name }) => name === tab) ?? tabs[0];
  const row = useShowCurrent<HTMLDivElement>(endpoint && chosen?.name);
  if (isUnread({ data: endpoint, error })) {
    return (
      <UnreadPage
        of="endpoint"
        error={error}
        onRetry={() => void refetch()}
        why={t('The address may be mistyped, or the endpoint was deleted.')}
        wayOn={
          <Button component="a" href={hrefOf('endpoints')}>
            {t('Your endpoints')}
          </Button>
        }
      />
    );
  }
  if (endpoint === undefined) return <Skeleton height={160} />;
  return (
    <>
      <PageHeader
        name={addressOf(endpoint)}
        title={<WholeUrl url={addressOf(endpoint)} />}
        line={<EndpointMark endpoint={endpoint} attempts={endpoint.stats} />}
        actions={<Actions endpoint={endpoint} />}
      />
      <InactiveEndpoint endpoint={endpoint} />
      <Unsubscribed endpoint={endpoint} tab={chosen?.name} />
      <RecoveryProgress endpointId={endpoint.id} />
      <Tabs value={chosen?.name ?? null} onChange={(name) => go(hrefOf('endpoints', id, name ?? undefined))}>
        <Box {...row} mb="md">
          <Tabs.List style={{ flexWrap: 'nowrap', minWidth: 'max-content' }}>
            {tabs.map(({ name, label }) => (
              <Tabs.Tab key={name} value={name} flex="none">
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Box>
      </Tabs>
      {chosen?.content(endpoint)}
    </>
  );
}

function Actions({ endpoint }: { endpoint: Endpoint }) {
  const [isEditing, { open: edit, close: closeEdit }] = useDisclosure();
  const [isDeleting, { open: remove, close: closeRemove }] = useDisclosure();
  if (!useMay('endpoints:write')) return <RecoverButton endpoint={endpoint} />;
  return (
    <>
      <RecoverButton endpoint={endpoint} />
      <Button variant="default" onClick={edit}>
        {t('Edit')}
      </Button>
      <Button variant="subtle" color="red" onClick={remove}>
        {t('Delete …')}
      </Button>
      <EditEndpoint endpoint={endpoint} opened={isEditing} onClose={closeEdit} />
      <DeleteEndpoint endpoint={endpoint} opened={isDeleting} onClose={closeRemove} />
    </>
  );
}
