import { Box, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Stats } from '../../client/resources.ts';
import { number, t } from '../../language/language.ts';
import { ChartLegend } from '../chart-legend.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import type { ChartSeries, TimeChartProps } from '../time-chart.tsx';
import { dayWords, durationWords } from '../time-words.ts';

// The chart library is loaded when the first chart is shown.
const TimeChart = lazy(() => import('../time-chart.tsx').then((room) => ({ default: room.TimeChart })));

const OUTCOMES: readonly ChartSeries[] = [
  { key: 'succeeded', name: t('Succeeded'), ink: '--delivered-ink', kind: 'bar' },
  { key: 'failed', name: t('Failed'), ink: '--failed-ink', kind: 'bar' },
];

const DURATIONS: readonly ChartSeries[] = [
  { key: 'p50', name: 'p50', ink: '--delivering-ink', kind: 'line' },
  { key: 'p95', name: 'p95', ink: '--scheduled_retry-ink', kind: 'line' },
];

type Props = {
  /** The time span in words, such as `last 24 h`. */
  span: string;
  stats: Stats | undefined;
  error: unknown;
  onRetry: () => void;
};

/** Charts of attempts by outcome and of their durations. */
export function AttemptCharts({ span, stats, error, onRetry }: Props) {
  if (error && stats === undefined) {
    return <ErrorNotice title={t('The statistics could not be loaded')} error={error} onRetry={onRetry} />;
  }
  if (stats?.series === undefined || stats.totals === undefined) return <Skeleton height={190} />;
  const { attempts, failed: failures, durationMs } = stats.totals;
  const points = stats.series.map(({ at, succeeded, failed, durationMs: { p50, p95 } }) => ({
    at,
    succeeded,
    failed,
    p50,
    p95,
  }));
  const tick = (at: string) => (stats.step === 'day' ? dayWords(at) : at.slice(11, 16));
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <Chart
        title={t('Attempts, {span}', { span })}
        line={
          attempts === 0
            ? t('none')
            : t('{attempts}, {share} failed', { attempts, share: shareWords(failures / attempts) })
        }
        points={points}
        series={OUTCOMES}
        words={(value) => number(value)}
        tick={tick}
      />
      <Chart
        title={t('Duration')}
        line={durationMs.p50 === null ? t('none') : `p50 ${words(durationMs.p50)}, p95 ${words(durationMs.p95)}`}
        points={points}
        series={DURATIONS}
        words={words}
        tick={tick}
      />
    </SimpleGrid>
  );
}

function Chart({ title, line, ...chart }: Omit<TimeChartProps, 'label'> & { title: string; line: string }) {
  return (
    <Stack gap="xs" component="section" aria-label={title} miw={0}>
      <Group gap="sm" align="baseline">
        <Title order={2} size="h3">
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {line}
        </Text>
        <Box ml="auto">
          <ChartLegend series={chart.series} />
        </Box>
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
