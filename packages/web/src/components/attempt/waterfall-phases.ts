import type { Attempt } from '../../client/resources.ts';
import { t } from '../../language/language.ts';

export type Phase = { name: string; ms: number; startMs: number };

/**
 * The phases of an attempt in order: DNS, TCP, TLS, first byte, and the rest as the body. Phases that did not take
 * place, such as DNS on a reused connection, are left out. Rounding never makes the rest negative. A success without
 * phases, such as an attempt at a playground, has only its total duration.
 */
export function waterfallPhases(attempt: Pick<Attempt, 'timings' | 'durationMs' | 'outcome'>): Phase[] {
  const { timings, durationMs, outcome } = attempt;
  const measured: [string, number | null][] = [
    ['DNS', timings.dnsMs],
    ['TCP', timings.connectMs],
    ['TLS', timings.tlsMs],
    [t('First byte'), timings.ttfbMs],
  ];
  const phases: Phase[] = [];
  let startMs = 0;
  for (const [name, ms] of measured) {
    if (ms === null) continue;
    phases.push({ name, ms, startMs });
    startMs += ms;
  }
  const rest = durationMs - startMs;
  const unended = outcome === 'success' ? t('Duration') : t('Until it failed');
  const restName = timings.ttfbMs === null ? unended : t('Body');
  if (rest >= 0.05) phases.push({ name: restName, ms: rest, startMs });
  return phases;
}
