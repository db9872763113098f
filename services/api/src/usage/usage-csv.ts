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

/** A spreadsheet takes a cell that begins with one of these for a formula; an apostrophe makes it a text. */
const FORMULA_STARTS = ['=', '+', '-', '@', '\t', '\r', '\n'];

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA_STARTS.some((start) => value.startsWith(start)) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}
