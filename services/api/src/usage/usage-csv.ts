import type { usagePage } from '@posthorn/contract/usage';
import type { z } from 'zod';

type Page = z.output<typeof usagePage>;
type UsageRow = Page['usage'][number];

const COLUMNS = [
  ['from', ({ from }) => from],
  ['to', ({ to }) => to],
  ['application_id', ({ applicationId }) => applicationId],
  ['external_id', ({ externalId }) => externalId],
  ['name', ({ name }) => name],
  ['events', ({ events }) => events],
  ['deliveries', ({ deliveries }) => deliveries],
  ['attempts', ({ attempts }) => attempts],
  ['bytes', ({ bytes }) => bytes],
  ['provisional', ({ provisional }) => String(provisional)],
] as const satisfies [string, (row: UsageRow) => string | number | null][];

/** A page of usage as CSV (RFC 4180), with a line of names. Numbers stand as they are, every text in quotes. */
export function usageCsv({ usage }: Page): string {
  const lines = [COLUMNS.map(([name]) => name), ...usage.map((row) => COLUMNS.map(([, read]) => csvCell(read(row))))];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

/**
 * Matches the beginning of a cell that a spreadsheet takes for a formula. An apostrophe there makes it a text. In many
 * countries `;` separates cells, and then the quotes around a text do not hold it together: a quote in it may begin a
 * cell.
 */
const FORMULA = /(^|;)(?=[ "]*[=+\-@\t\r\n])/g;

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  return `"${value.replace(FORMULA, "$1'").replaceAll('"', '""')}"`;
}
