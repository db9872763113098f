import type { Db } from '@posthorn/db/client';
import { eraseAgain } from '@posthorn/ledger/erase';

/**
 * Erases what attempts have stored that were under way when their events were erased. It continues until nothing is due or
 * it is stopped, and returns the number of events. Concurrent calls are safe: an event that another process has taken is
 * skipped.
 */
export async function eraseLateAttempts(db: Db, stopped?: AbortSignal): Promise<number> {
  let total = 0;
  while (!stopped?.aborted) {
    const { events, isLast } = await eraseAgain(db);
    total += events;
    if (isLast) break;
  }
  return total;
}
