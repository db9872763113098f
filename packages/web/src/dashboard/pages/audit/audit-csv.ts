import type { AuditEntry } from '../../../client/resources.ts';
import { BYTE_ORDER_MARK } from '../../../components/save-file.ts';

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

/** Entries as a file of CSV (RFC 4180), with a line of names. */
export function auditCsv(entries: readonly AuditEntry[]): string {
  const lines = [COLUMNS.map(([name]) => name), ...entries.map((entry) => COLUMNS.map(([, read]) => read(entry)))];
  return BYTE_ORDER_MARK + lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

/**
 * Where a cell begins that a spreadsheet takes for a formula: an apostrophe makes it a text. In many countries `;` separates
 * cells, and then the quotes around a text do not hold it together: a quote in it may begin a cell.
 */
const FORMULA = /(^|;)(?=[ "]*[=+\-@\t\r\n])/g;

function csvCell(value: string): string {
  return `"${value.replace(FORMULA, "$1'").replaceAll('"', '""')}"`;
}
