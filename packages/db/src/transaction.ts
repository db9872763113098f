import type { Db, DbTransaction } from './client.ts';
import { isWriteConflict } from './violations.ts';

/**
 * Runs `work` in one transaction and returns its result; any error rolls back. A deadlock or a write conflict is
 * retried, so the effects of `work` outside the database must be safe to repeat. It ends after `timeoutMs`.
 */
export function inTransaction<T>(
  db: Db,
  work: (transaction: DbTransaction) => Promise<T>,
  { timeoutMs = 20_000 }: { timeoutMs?: number } = {},
): Promise<T> {
  return retryConflicts(() => db.$transaction(work, { maxWait: 5_000, timeout: timeoutMs }));
}

/** Runs a statement or a transaction again after a deadlock or a write conflict, three times in all. */
export async function retryConflicts<T>(run: () => Promise<T>): Promise<T> {
  for (let triesLeft = 2; ; triesLeft -= 1) {
    try {
      return await run();
    } catch (error) {
      if (triesLeft === 0 || !isWriteConflict(error)) throw error;
    }
  }
}
