import { SimpleGrid, Skeleton } from '@mantine/core';
import type { StatsSeries } from '../../../client/resources.ts';
import { NumberTile } from '../../../components/stats/number-tile.tsx';
import { durationWords } from '../../../components/time-words.ts';

/** The four numbers of the page. */
export function Numbers({ stats }: { stats: StatsSeries | undefined }) {
  if (stats === undefined) return <Skeleton height={104} />;
  const { series, totals } = stats;
  const { p50, p95 } = totals.delayMs;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
      <NumberTile
        name="Accepted events"
        value={(totals.ingested ?? 0).toLocaleString('en')}
        note={`${totals.attempts.toLocaleString('en')} attempts`}
        values={series.map(({ ingested }) => ingested)}
        colour="var(--accent)"
      />
      <NumberTile
        name="Delivered"
        value={shareWords(totals.delivered, totals.ended)}
        note={`${totals.delivered.toLocaleString('en')} of ${totals.ended.toLocaleString('en')} that ended`}
        values={series.map(({ delivered }) => delivered)}
        colour="var(--delivered-ink)"
      />
      <NumberTile
        name="Delay of the first attempt, p50"
        value={p50 === null ? '–' : durationWords(p50)}
        note={p95 === null ? 'no attempts' : `p95 ${durationWords(p95)}`}
        values={series.map(({ delayMs }) => delayMs.p95)}
        colour="var(--delivering-ink)"
      />
      <NumberTile
        name="Dead letters"
        value={totals.deadLettered.toLocaleString('en')}
        note="ended without an arrival"
        values={series.map(({ deadLettered }) => deadLettered)}
        colour="var(--dead_letter-ink)"
      />
    </SimpleGrid>
  );
}

/** A share in percent. It is 100 % only when it is whole. */
function shareWords(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = part === whole ? 100 : Math.min(99.9, Math.round((part / whole) * 1000) / 10);
  return `${percent} %`;
}
