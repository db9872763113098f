/** One measured figure of a scenario. */
export type Figure = { scenario: string; figure: string; value: number; unit: string };

/** The p-th percentile (0–100) by nearest rank. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((p / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** A table for people. */
export function table(rows: readonly Figure[]): string {
  const cells = rows.map((row) => [row.scenario, row.figure, format(row.value), row.unit]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((cell) => cell[column]?.length ?? 0)));
  const line = (cell: string[]) =>
    cell
      .map((text, column) => (column === 2 ? text.padStart(widths[2] ?? 0) : text.padEnd(widths[column] ?? 0)))
      .join('  ');
  return cells.map((cell) => line(cell).trimEnd()).join('\n');
}

function format(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(value >= 10 ? 1 : 2);
}
