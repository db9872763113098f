import { Grid, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fact } from '../../components/fact.tsx';
import { Id } from '../../components/id.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { AttemptCharts } from '../../components/stats/attempt-charts.tsx';
import { counted, t } from '../../language/language.ts';
import { LiveMessages } from '../live-messages.tsx';
import { type PortalEndpoint, statsQuery, subscriptionsQuery } from '../portal-queries.ts';
import { useMay } from '../session.ts';

/** The endpoint's last 24 hours, its live messages, and its settings. */
export function OverviewTab({ endpoint }: { endpoint: PortalEndpoint }) {
  const mayReadDeliveries = useMay('deliveries:read');
  return (
    <Stack gap="lg">
      {mayReadDeliveries ? <Charts endpointId={endpoint.id} /> : null}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: mayReadDeliveries ? 6 : 12 }}>
          <Facts endpoint={endpoint} />
        </Grid.Col>
        {mayReadDeliveries ? (
          <Grid.Col span={{ base: 12, md: 6 }}>
            <LiveMessages endpointId={endpoint.id} />
          </Grid.Col>
        ) : null}
      </Grid>
    </Stack>
  );
}

function Charts({ endpointId }: { endpointId: string }) {
  const { data, error, refetch } = useQuery(statsQuery('hour', endpointId));
  return <AttemptCharts span={t('last 24 h')} stats={data} error={error} onRetry={() => void refetch()} />;
}

function Facts({ endpoint }: { endpoint: PortalEndpoint }) {
  const { stats } = endpoint;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      <Fact name={t('Subscriptions')}>
        <Subscriptions endpoint={endpoint} />
      </Fact>
      {stats === undefined ? null : (
        <>
          <Fact name={t('Last success')}>
            <RelativeTime at={stats.lastSuccessAt} />
          </Fact>
          <Fact name={t('Last failure')}>
            <RelativeTime at={stats.lastFailureAt} />
          </Fact>
        </>
      )}
      <Fact name={t('Description')}>{endpoint.description || '–'}</Fact>
      <Fact name={t('Created')}>
        <RelativeTime at={endpoint.createdAt} />
      </Fact>
      <Fact name={t('Id')}>
        <Id value={endpoint.id} />
      </Fact>
    </SimpleGrid>
  );
}

function Subscriptions({ endpoint: { id, eventTypePatterns } }: { endpoint: PortalEndpoint }) {
  const { data } = useQuery(subscriptionsQuery(id));
  if (data === undefined) return <>…</>;
  const patterns = eventTypePatterns.map(({ pattern }) => pattern);
  if (patterns.includes('*')) return <>{t('All messages')}</>;
  if (patterns.length > 0) return <span className="mono">{patterns.join(', ')}</span>;
  if (data.length === 0) return <>{t('Subscribed to nothing')}</>;
  return <>{counted(data.length, '{count} event type', '{count} event types')}</>;
}
