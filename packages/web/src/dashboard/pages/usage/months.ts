/** Usage is kept for so many months before the present one. */
const MONTHS_KEPT = 13;

/** A month of the page's address, such as `2026-10`. */
export type UsageSearch = { month?: string; step?: 'day' };

/** Reads the month and the step of an address; what is neither is left out. */
export function readUsageSearch({ month, step }: Record<string, unknown>): UsageSearch {
  return {
    ...(typeof month === 'string' && !Number.isNaN(Date.parse(`${month}-01T00:00:00Z`)) && { month }),
    ...(step === 'day' && { step }),
  };
}

/** The months that can be asked for, the present one first. */
export function monthsBefore(now: Date): string[] {
  return Array.from({ length: MONTHS_KEPT + 1 }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  );
}

/** The beginning of a month, and of the next one. */
export function spanOfMonth(month: string): { from: string; to: string } {
  const from = new Date(`${month}-01T00:00:00.000Z`);
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1));
  return { from: from.toISOString(), to: to.toISOString() };
}
