import type { StatsSeries } from '../../../client/resources.ts';

/** The series without the running minute, which would look like a fall. */
export function wholeSteps({ series, step }: StatsSeries): StatsSeries['series'] {
  return step === 'minute' ? series.slice(0, -1) : series;
}
