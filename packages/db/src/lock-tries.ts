import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

type Connection = Pick<pg.Client, 'query'>;

/** How often and how long a statement tries to get a strong lock. */
export type LockTries = { timeoutMs: number; tries: number; pauseMs: number };

/**
 * A statement that waits for a table lock blocks every later statement. So each wait is short, and the pauses together
 * outlast the longest transaction of the services (30 s).
 */
export const LOCK_TRIES: LockTries = { timeoutMs: 500, tries: 30, pauseMs: 2_000 };

/**
 * Runs `work`, and again after a pause when it cannot get its locks or is ended to resolve a deadlock. Throws the last
 * error. `work` must leave nothing behind when it fails.
 */
export async function withLockTries(
  connection: Connection,
  { timeoutMs, tries, pauseMs }: LockTries,
  work: () => Promise<unknown>,
): Promise<void> {
  await connection.query(`set lock_timeout = ${timeoutMs}`);
  for (let left = tries - 1; ; left -= 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (left <= 0 || !isLockFailure(error)) throw error;
    }
    await pause(pauseMs);
  }
}

/** Whether a statement ended because it did not get a lock, or to resolve a deadlock. */
export function isLockFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01');
}

/**
 * Takes a session lock by polling. A session that waits inside `pg_advisory_lock` holds a snapshot, and `create index
 * concurrently` in another session would wait for it.
 */
export async function awaitAdvisoryLock(connection: Connection, key: number): Promise<void> {
  for (;;) {
    const { rows } = await connection.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [key]);
    if (rows[0]?.locked === true) return;
    await pause(200);
  }
}
