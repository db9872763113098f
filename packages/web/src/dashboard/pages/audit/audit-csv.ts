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

/** The entries as a CSV file (RFC 4180), with a header line. */
export function auditCsv(entries: readonly AuditEntry[]): string {
  const lines = [COLUMNS.map(([name]) => name), ...entries.map((entry) => COLUMNS.map(([, read]) => read(entry)))];
  return BYTE_ORDER_MARK + lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

/**
 * The start of a cell that a spreadsheet would run as a formula. An apostrophe there makes it text. In many countries
 * `;` separates cells, and the quotes around a text are then ignored: a `;` in it may start a new cell.
 */
const FORMULA = /(^|;)(?=[ "]*[=+\-@\t\r\n])/g;

function csvCell(value: string): string {
  return `"${value.replace(FORMULA, "$1'").replaceAll('"', '""')}"`;
}
