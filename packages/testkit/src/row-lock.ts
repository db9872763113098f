import { openSession } from '@posthorn/db/session';

/** A statement that takes row locks, with its parameters. */
export type LockingStatement = { sql: string; values: unknown[] };

/**
 * Runs a statement in a transaction of another session. The transaction keeps its locks while `work` runs, and is then
 * rolled back. Throws when the statement changes or selects no row, because nothing would be locked.
 */
export async function whileLocked<T>(
  databaseUrl: string,
  { sql, values }: LockingStatement,
  work: () => Promise<T>,
): Promise<T> {
  const client = openSession({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    const { rowCount } = await client.query(sql, values);
    if (rowCount === 0) throw new Error(`there is no row to lock: ${sql}`);
    return await work();
  } finally {
    await client.query('rollback').finally(() => client.end());
  }
}
