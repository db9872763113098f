/** One measured figure. `bare` is the value of the bare pipeline, if it has one. */
export type Figure = { figure: string; value: number; unit: string; bare?: number };

/** The p-th percentile (0–100) by nearest rank; NaN if there are no values. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** p50 and p99 of times, and of the bare pipeline's times if it has any. */
export function timeFigures(name: string, times: readonly number[], bareTimes?: readonly number[]): Figure[] {
  return [50, 99].map((p) => ({
    figure: `${name} p${p}`,
    value: percentile(times, p),
    unit: 'ms',
    ...(bareTimes === undefined ? {} : { bare: percentile(bareTimes, p) }),
  }));
}

/** Formats a number for reading: three digits, or whole thousands. */
export function format(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** For each time, the share of all times (in %) that are not longer, to plot. */
export function cumulative(times: readonly number[]): [number, number][] {
  const sorted = [...times].sort((a, b) => a - b);
  // The last hundredth would stretch the axis too far, so it is left out.
  return sorted
    .map((time, index): [number, number] => [time, (100 * (index + 1)) / sorted.length])
    .filter(([, share]) => share <= 99);
}
