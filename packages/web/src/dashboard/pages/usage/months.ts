import { searchOf } from '../../search-of.ts';

/** The number of months before the current one for which usage is kept. */
const MONTHS_KEPT = 13;

/** The month, such as `2026-10`, and whether the page shows single days. */
export const readUsageSearch = searchOf({ month: isMonth, step: isDay });

function isMonth(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(`${value}-01T00:00:00Z`));
}

function isDay(value: unknown): value is 'day' {
  return value === 'day';
}

/** The months to choose from, the current one first. */
export function monthsBefore(now: Date): string[] {
  return Array.from({ length: MONTHS_KEPT + 1 }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  );
}

/** The start of a month, and of the next one. */
export function spanOfMonth(month: string): { from: string; to: string } {
  const from = new Date(`${month}-01T00:00:00.000Z`);
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1));
  return { from: from.toISOString(), to: to.toISOString() };
}
