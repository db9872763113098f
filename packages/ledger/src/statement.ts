import type { Db, DbTransaction } from '@posthorn/db/client';
import { withLargeValues } from '@posthorn/db/large-values';
import { sqlText } from './sql-text.ts';

// The statements that run for every batch of events or deliveries are files of packages/ledger/sql: a reader can paste one
// into psql, and the text never differs, so Postgres plans it once for a connection. The comments above the first line of a file say
// what its parameters are.

/** A statement whose text never changes. */
export type Statement<Row> = {
  /** Runs the statement with the values of its parameters, in order. */
  run(db: Pick<Db | DbTransaction, '$queryRawUnsafe'>, values: readonly StatementValue[]): Promise<Row[]>;
  text: string;
};

export type StatementValue = string | number | boolean | Uint8Array | readonly string[] | null;

type Options = { without?: string | readonly string[] };

/**
 * Reads a statement. `without` names what it is to do without. Each part for it is replaced by the text behind its end:
 * `-- name {` begins the part, and `-- } without: …` ends it.
 */
export function readStatement<Row>(name: string, { without = [] }: Options = {}): Statement<Row> {
  const begins = [without].flat().map((part) => `-- ${part} {`);
  const kept: string[] = [];
  let isLeftOut = false;
  for (const line of sqlText(name).split('\n')) {
    const words = line.trim();
    const [, instead] = words.split('-- } without:');
    if (begins.includes(words)) isLeftOut = true;
    else if (isLeftOut && instead !== undefined) {
      isLeftOut = false;
      kept.push(instead.trim());
    } else if (!isLeftOut && !words.startsWith('--')) kept.push(line);
  }
  const text = kept.join('\n').trim();
  const run: Statement<Row>['run'] = (db, values) =>
    withLargeValues(values, (given) => db.$queryRawUnsafe<Row[]>(text, ...given));
  return { text, run };
}
