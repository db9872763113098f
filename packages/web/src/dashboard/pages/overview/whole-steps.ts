import type { StatsSeries } from '../../../client/resources.ts';

/** The series without the current minute, which is incomplete and would look like a drop. */
export function wholeSteps({ series, step }: StatsSeries): StatsSeries['series'] {
  return step === 'minute' ? series.slice(0, -1) : series;
}
