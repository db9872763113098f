import type { Quota } from '../../../client/resources.ts';

const number = new Intl.NumberFormat('en');

/** The use of a quota, such as `1,200 of 10,000 events`, or `1,200 events` without a limit. */
export function usageWords({ used, limit }: Quota, unit: 'event' | 'byte'): string {
  const noun = (limit ?? used) === 1 ? unit : `${unit}s`;
  return `${number.format(used)}${limit === null ? '' : ` of ${number.format(limit)}`} ${noun}`;
}
