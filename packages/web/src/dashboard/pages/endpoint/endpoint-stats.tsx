import { Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { api } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import type { ChartSeries, TimeChartProps } from '../../../components/time-chart.tsx';
import { durationWords } from '../../../components/time-words.ts';
import { usePlace } from '../../place.ts';

// The library of the charts is loaded when the first one is shown.
const TimeChart = lazy(() =>
  import('../../../components/time-chart.tsx').then((room) => ({ default: room.TimeChart })),
);

const EVERY_MS = 10_000;

/** The attempts of the last 24 hours in hours; without a time the service answers them. */
const statsQuery = (workspaceId: string, endpointId: string) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/stats',
    { params: { path: { workspaceId }, query: { step: 'hour', endpoint_id: endpointId } } },
    { refetchInterval: EVERY_MS },
  );

const OUTCOMES: readonly ChartSeries[] = [
  { key: 'succeeded', name: 'Succeeded', ink: '--delivered-ink', kind: 'bar' },
  { key: 'failed', name: 'Failed', ink: '--failed-ink', kind: 'bar' },
];

const DURATIONS: readonly ChartSeries[] = [
  { key: 'p50', name: 'p50', ink: '--delivering-ink', kind: 'line' },
  { key: 'p95', name: 'p95', ink: '--scheduled_retry-ink', kind: 'line' },
];

/** Attempts by outcome and their durations. */
export function EndpointStats({ endpointId }: { endpointId: string }) {
  const { workspace } = usePlace();
  const { data, error, refetch } = useQuery(statsQuery(workspace.id, endpointId));
  if (error && data === undefined) {
    return <ErrorNotice title="The statistics could not be loaded" error={error} onRetry={() => void refetch()} />;
  }
  if (data?.series === undefined || data.totals === undefined) return <Skeleton height={190} />;
  const { attempts, durationMs } = data.totals;
  const points = data.series.map(({ at, succeeded, failed, durationMs: { p50, p95 } }) => ({
    at,
    succeeded,
    failed,
    p50,
    p95,
  }));
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Chart
        title="Attempts, last 24 h"
        line={
          attempts === 0
            ? 'none'
            : `${attempts.toLocaleString('en')}, ${shareWords(data.totals.failed / attempts)} failed`
        }
        points={points}
        series={OUTCOMES}
        words={(value) => value.toLocaleString('en')}
      />
      <Chart
        title="Duration"
        line={durationMs.p50 === null ? 'none' : `p50 ${words(durationMs.p50)}, p95 ${words(durationMs.p95)}`}
        points={points}
        series={DURATIONS}
        words={words}
      />
    </SimpleGrid>
  );
}

function Chart({ title, line, ...chart }: Omit<TimeChartProps, 'label'> & { title: string; line: string }) {
  return (
    <Stack gap="xs" component="section" aria-label={title} miw={0}>
      <Group gap="sm" align="baseline">
        <Title order={3}>{title}</Title>
        <Text size="sm" c="dimmed">
          {line}
        </Text>
        <Group gap="sm" ml="auto">
          {chart.series.map(({ key, name, ink }) => (
            <Text key={key} size="xs" c={`var(${ink})`}>
              {chart.series[0]?.kind === 'bar' ? '■' : '—'} {name}
            </Text>
          ))}
        </Group>
      </Group>
      <Suspense fallback={<Skeleton height={160} />}>
        <TimeChart label={title} {...chart} />
      </Suspense>
    </Stack>
  );
}

function words(ms: number | null): string {
  return ms === null ? '–' : durationWords(ms);
}

function shareWords(share: number): string {
  return share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`;
}
