import type { AuditEntry } from '../../../client/resources.ts';

const COLUMNS = [
  ['time', ({ createdAt }) => createdAt],
  ['actor_type', ({ actorType }) => actorType],
  ['actor', ({ actorLabel }) => actorLabel],
  ['actor_id', ({ actorId }) => actorId],
  ['action', ({ action }) => action],
  ['resource_type', ({ resourceType }) => resourceType],
  ['resource_id', ({ resourceId }) => resourceId],
  ['changes', ({ metadata }) => JSON.stringify(metadata.changes)],
  ['ip', ({ metadata }) => metadata.ip ?? ''],
  ['request_id', ({ metadata }) => metadata.requestId ?? ''],
] as const satisfies [string, (entry: AuditEntry) => string][];

/** Entries as CSV (RFC 4180), with a line of names. */
export function auditCsv(entries: readonly AuditEntry[]): string {
  const lines = [COLUMNS.map(([name]) => name), ...entries.map((entry) => COLUMNS.map(([, read]) => read(entry)))];
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

/** A spreadsheet takes a cell that begins with one of these for a formula; an apostrophe makes it a text. */
const FORMULA_STARTS = ['=', '+', '-', '@', '\t', '\r'];

function csvCell(value: string): string {
  const text = FORMULA_STARTS.some((start) => value.startsWith(start)) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}
