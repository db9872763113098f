import { Grid, Group, Paper, SegmentedControl, Skeleton, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Stats, StatsSeries } from '../../../client/resources.ts';
import { nowMs } from '../../../clock.ts';
import { ChartLegend } from '../../../components/chart-legend.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import type { ChartSeries } from '../../../components/time-chart.tsx';
import { usePlace } from '../../place.ts';
import { CatchingUp } from './catching-up.tsx';
import { LiveDeliveries } from './live-deliveries.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { Numbers } from './numbers.tsx';
import { previousStatsQuery, statsQuery } from './overview-queries.ts';
import { isSpan, spanOfAge } from './overview-search.ts';
import { wholeSteps } from './whole-steps.ts';

const route = getRouteApi('/w/$workspace/$environment/overview');

// Lazy, because the charts are the largest part of the page, and the numbers should not wait for them.
const TimeChart = lazy(async () => ({ default: (await import('../../../components/time-chart.tsx')).TimeChart }));

/** The state of the environment: four numbers, the attempts over time, problems to look at, and live deliveries. */
export function OverviewPage() {
  const place = usePlace();
  const [byAge] = useState(() => spanOfAge(place.workspace.createdAt, nowMs()));
  const { span = byAge } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(statsQuery(place, span));
  const stats = isSeries(data) ? data : undefined;
  const { data: before } = useQuery(previousStatsQuery(place, stats));
  const choose = (value: string) => void navigate({ search: isSpan(value) ? { span: value } : {}, replace: true });
  return (
    <>
      <PageHeader
        title="Overview"
        line={`What happened in ${place.environment.name}.`}
        actions={<SegmentedControl size="xs" data={CHOICES} value={span} onChange={choose} aria-label="Span" />}
      />
      <Stack gap="md">
        {error && stats === undefined ? (
          <ErrorNotice title="The numbers could not be loaded" error={error} onRetry={() => void refetch()} />
        ) : (
          <>
            <CatchingUp catchingUp={stats?.catchingUp ?? null} />
            <Numbers stats={stats} before={before?.step === stats?.step ? before?.totals : undefined} />
            <Chart stats={stats} />
          </>
        )}
        <Grid gap="md">
          <Grid.Col span={{ base: 12, md: 6 }}>
            <NeedsAttention />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <LiveDeliveries key={place.environment.id} />
          </Grid.Col>
        </Grid>
      </Stack>
    </>
  );
}

const CHOICES = [
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
];

/** The series in order: failures are stacked on top. */
const OUTCOMES: readonly ChartSeries[] = [
  { key: 'succeeded', name: 'Succeeded', ink: '--delivered-ink', kind: 'area' },
  { key: 'failed', name: 'Failed', ink: '--failed-ink', kind: 'area' },
];

function isSeries(data: Stats | undefined): data is StatsSeries {
  return data?.series !== undefined && data.totals !== undefined;
}

function Chart({ stats }: { stats: StatsSeries | undefined }) {
  const skeleton = <Skeleton height={220} />;
  return (
    <Paper component="section" withBorder p="md" bg="var(--surface-raised)" aria-label="Attempts over time">
      <Group justify="space-between" mb="sm">
        <Title order={2} fz="md" fw={500}>
          Attempts by outcome
        </Title>
        <ChartLegend series={OUTCOMES} />
      </Group>
      {stats === undefined ? (
        skeleton
      ) : (
        <Suspense fallback={skeleton}>
          <TimeChart
            label="Attempts over time"
            points={wholeSteps(stats).map(({ at, succeeded, failed }) => ({ at, succeeded, failed }))}
            series={OUTCOMES}
            words={(value) => value.toLocaleString('en')}
            tick={(at) => (stats.step === 'day' ? at.slice(5, 10) : at.slice(11, 16))}
            height={220}
          />
        </Suspense>
      )}
    </Paper>
  );
}
