import { SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Stats } from '../../client/resources.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { AttemptCharts } from '../../components/stats/attempt-charts.tsx';
import { NumberTile } from '../../components/stats/number-tile.tsx';
import { durationWords } from '../../components/time-words.ts';
import { number, t } from '../../language/language.ts';
import { statsQuery } from '../portal-queries.ts';

/** The time spans to choose from, each with the step of its points. The service derives the span from the step. */
const SPANS = {
  hour: { label: t('24 hours'), words: t('last 24 h') },
  day: { label: t('7 days'), words: t('last 7 days') },
} as const;

type Span = keyof typeof SPANS;

/** The statistics of the messages to all endpoints. */
export function StatisticsPage() {
  const [span, setSpan] = useState<Span>('hour');
  const { words } = SPANS[span];
  const { data, error, refetch } = useQuery(statsQuery(span));
  return (
    <>
      <PageHeader
        title={t('Statistics')}
        line={t('How the messages to your endpoints are doing.')}
        actions={
          <SegmentedControl
            size="xs"
            aria-label={t('Span')}
            data={Object.entries(SPANS).map(([value, { label }]) => ({ value, label }))}
            value={span}
            onChange={(value) => isSpan(value) && setSpan(value)}
          />
        }
      />
      <Stack gap="lg">
        <Tiles stats={data} />
        <AttemptCharts span={words} stats={data} error={error} onRetry={() => void refetch()} />
      </Stack>
    </>
  );
}

function isSpan(value: string): value is Span {
  return Object.hasOwn(SPANS, value);
}

function Tiles({ stats }: { stats: Stats | undefined }) {
  if (stats?.series === undefined || stats.totals === undefined) return null;
  const { series, totals } = stats;
  const { p50, p95 } = totals.delayMs;
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
      <NumberTile
        name={t('Arrived')}
        value={number(totals.delivered)}
        note={t('of {ended} that ended', { ended: totals.ended })}
        values={series.map(({ delivered }) => delivered)}
        colour="var(--delivered-ink)"
      />
      <NumberTile
        name={t('Given up')}
        value={number(totals.deadLettered)}
        note={t('after every attempt failed')}
        values={series.map(({ deadLettered }) => deadLettered)}
        colour="var(--dead_letter-ink)"
      />
      <NumberTile
        name={t('Time to the first attempt, p50')}
        value={p50 === null ? '–' : durationWords(p50)}
        note={p95 === null ? t('no attempts') : `p95 ${durationWords(p95)}`}
        values={series.map(({ delayMs }) => delayMs.p95)}
        colour="var(--delivering-ink)"
      />
    </SimpleGrid>
  );
}
