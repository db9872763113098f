import type { Db, DbTransaction } from '@posthorn/db/client';
import { withLargeValues } from '@posthorn/db/large-values';
import { sqlText } from './sql-text.ts';

// The statements that run for every batch of events or deliveries are files in packages/ledger/sql. You can paste one
// into psql, and the text never differs, so Postgres plans it once for a connection. The comments at the top of a file
// describe its parameters.

/** A statement whose text never changes. */
export type Statement<Row> = {
  /** Runs the statement with the values of its parameters, in order. */
  run(db: Pick<Db | DbTransaction, '$queryRawUnsafe'>, values: readonly StatementValue[]): Promise<Row[]>;
  text: string;
};

export type StatementValue = string | number | boolean | Uint8Array | readonly string[] | null;

type Options = { without?: string | readonly string[] };

/**
 * Reads a statement. `without` names the parts to leave out. A part begins with `-- name {` and ends with `-- }
 * without: …`. If it is left out, the text after `without:` replaces it.
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
