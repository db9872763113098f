import { createHash } from 'node:crypto';
import type pg from 'pg';
import { awaitAdvisoryLock, type LockTries, withLockTries } from './lock-tries.ts';
import { PARTITION_DROP_LOCK } from './partitions.ts';

type Connection = Pick<pg.Client, 'query'>;

/** An index, parsed from its statement. `definition` is the text after the table's name. */
export type NewIndex = { unique: boolean; name: string; table: string; definition: string };

/** The first line of a migration whose indexes are built while the tables are written to. */
const CONCURRENTLY = '-- posthorn: concurrently';

const CREATE_INDEX = /^create (unique )?index "(\w+)" on "(\w+)" *(\(.*|using .*)$/is;

/**
 * The indexes of a migration that begins with the line `-- posthorn: concurrently`; undefined for any other migration.
 * Such a file holds plain `create index "name" on "table" …;` statements and nothing else, so that
 * `prisma migrate deploy` can apply it too. Throws when it holds anything else.
 */
export function readConcurrentIndexes(sql: string): NewIndex[] | undefined {
  if (sql.split(/\r?\n/, 1)[0]?.trimEnd() !== CONCURRENTLY) return undefined;
  const statements = sql.replace(/^[ \t]*--.*$/gm, '').split(';');
  return statements
    .map((statement) => statement.trim().replaceAll(/\s+/g, ' '))
    .filter((statement) => statement !== '')
    .map((statement) => {
      const [, unique, name, table, definition] = CREATE_INDEX.exec(statement) ?? [];
      if (name === undefined || table === undefined || definition === undefined) {
        throw new Error(
          `a migration that begins with "${CONCURRENTLY}" holds only create index "name" on "table": ${statement}`,
        );
      }
      return { unique: unique !== undefined, name, table, definition };
    });
}

/**
 * Builds the indexes without blocking writers. For a partitioned table it first creates the index on the parent only,
 * so that new partitions have it; then it builds the index on each partition concurrently and attaches it. Calling it
 * again resumes an interrupted build: an invalid index is dropped and built again.
 */
export async function buildConcurrently(
  connection: Connection,
  indexes: readonly NewIndex[],
  locks: LockTries,
): Promise<void> {
  // No partition may be detached meanwhile: the parent's index becomes valid when the last partition's index is
  // attached.
  await awaitAdvisoryLock(connection, PARTITION_DROP_LOCK);
  try {
    for (const index of indexes) {
      if (await isPartitioned(connection, index.table)) await buildOnPartitions(connection, index, locks);
      else await buildOne(connection, index);
    }
  } finally {
    // If the connection broke, the lock is released already, and the first error is the one to report.
    await connection.query('select pg_advisory_unlock($1)', [PARTITION_DROP_LOCK]).catch(() => undefined);
  }
}

async function buildOnPartitions(connection: Connection, index: NewIndex, locks: LockTries): Promise<void> {
  if ((await stateOf(connection, index.name)) === 'missing') {
    await withLockTries(connection, locks, () =>
      connection.query(`${create(index)} "${index.name}" on only "${index.table}" ${index.definition}`),
    );
  }
  for (const partition of await partitionsWithout(connection, index)) {
    const name = `${partition}_${digest(index)}_idx`;
    await buildOne(connection, { ...index, name, table: partition });
    await withLockTries(connection, locks, () =>
      connection.query(`alter index "${index.name}" attach partition "${name}"`),
    );
  }
  if ((await stateOf(connection, index.name)) !== 'valid') {
    throw new Error(`index ${index.name} is not valid although every partition has it: drop it and migrate again`);
  }
}

async function buildOne(connection: Connection, index: NewIndex): Promise<void> {
  // This waits for open transactions, however long they take, and blocks no other session meanwhile.
  await connection.query('set lock_timeout = 0');
  const state = await stateOf(connection, index.name);
  if (state === 'valid') return;
  if (state === 'invalid') await connection.query(`drop index concurrently "${index.name}"`);
  await connection.query(`${create(index)} concurrently "${index.name}" on "${index.table}" ${index.definition}`);
}

const create = ({ unique }: NewIndex) => (unique ? 'create unique index' : 'create index');

/** The index names of one table must differ, and a resumed build must find the same name for the same index. */
function digest({ name, definition }: NewIndex): string {
  return createHash('sha256').update(`${name} ${definition}`).digest('hex').slice(0, 12);
}

async function stateOf(connection: Connection, index: string): Promise<'missing' | 'invalid' | 'valid'> {
  const { rows } = await connection.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [`"${index}"`],
  );
  const [row] = rows;
  if (row === undefined) return 'missing';
  return row.valid ? 'valid' : 'invalid';
}

async function isPartitioned(connection: Connection, table: string): Promise<boolean> {
  const { rows } = await connection.query('select from pg_partitioned_table where partrelid = to_regclass($1)', [
    `"${table}"`,
  ]);
  return rows.length > 0;
}

async function partitionsWithout(connection: Connection, { name, table }: NewIndex): Promise<string[]> {
  const { rows } = await connection.query<{ partition: string }>(
    `select c.relname as partition from pg_inherits t join pg_class c on c.oid = t.inhrelid
     where t.inhparent = to_regclass($1) and not exists (
       select from pg_inherits i join pg_index x on x.indexrelid = i.inhrelid
       where i.inhparent = to_regclass($2) and x.indrelid = c.oid)
     order by c.relname`,
    [`"${table}"`, `"${name}"`],
  );
  return rows.map((row) => row.partition);
}
