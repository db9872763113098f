import { SimpleGrid, Skeleton } from '@mantine/core';
import type { StatsSeries } from '../../../client/resources.ts';
import { NumberTile } from '../../../components/stats/number-tile.tsx';
import { durationWords } from '../../../components/time-words.ts';
import { changeWords, pointsWords } from './change-words.ts';
import { wholeSteps } from './whole-steps.ts';

type Props = { stats: StatsSeries | undefined; before: StatsSeries['totals'] | undefined };

/** The four key numbers of the page, each with its change since the span before. */
export function Numbers({ stats, before }: Props) {
  if (stats === undefined) return <Skeleton height={104} />;
  const { totals } = stats;
  const series = wholeSteps(stats);
  const { p50, p95 } = totals.delayMs;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
      <NumberTile
        name="Accepted events"
        value={(totals.ingested ?? 0).toLocaleString('en')}
        change={changeWords(totals.ingested ?? 0, before?.ingested)}
        note={totals.attempts === 1 ? '1 attempt' : `${totals.attempts.toLocaleString('en')} attempts`}
        values={series.map(({ ingested }) => ingested)}
        colour="var(--accent)"
      />
      <NumberTile
        name="Delivered"
        value={shareWords(totals.delivered, totals.ended)}
        change={pointsWords(deliveredOf(totals), before && deliveredOf(before))}
        note={`${totals.delivered.toLocaleString('en')} of ${totals.ended.toLocaleString('en')}`}
        values={series.map(({ delivered }) => delivered)}
        colour="var(--delivered-ink)"
      />
      <NumberTile
        name="Delay of the first attempt, p50"
        value={p50 === null ? '–' : durationWords(p50)}
        change={p50 === null ? undefined : changeWords(p50, before?.delayMs.p50)}
        note={p95 === null ? 'no attempts' : `p95 ${durationWords(p95)}`}
        values={series.map(({ delayMs }) => delayMs.p50)}
        colour="var(--delivering-ink)"
      />
      <NumberTile
        name="Dead letters"
        value={totals.deadLettered.toLocaleString('en')}
        change={changeWords(totals.deadLettered, before?.deadLettered)}
        note="after the last attempt"
        values={series.map(({ deadLettered }) => deadLettered)}
        colour="var(--dead_letter-ink)"
      />
    </SimpleGrid>
  );
}

function deliveredOf({ delivered, ended }: StatsSeries['totals']): { part: number; whole: number } {
  return { part: delivered, whole: ended };
}

/** A share in percent. It only shows 100 % if no part is missing. */
function shareWords(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = part === whole ? 100 : Math.min(99.9, Math.round((part / whole) * 1000) / 10);
  return `${percent} %`;
}
