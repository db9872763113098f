import type { Db } from '@posthorn/db/client';

/** The most rows in one statement, which takes some tens of milliseconds. */
const BATCH = 1_000;

/**
 * Deletes expired portal sessions, in batches until it is stopped, and returns their number. Concurrent calls are safe:
 * a row that another process is deleting is skipped.
 */
export async function deleteExpiredPortalSessions(db: Db, stopped?: AbortSignal): Promise<number> {
  let total = 0;
  for (let deleted = BATCH; deleted === BATCH && !stopped?.aborted; total += deleted) {
    deleted = await db.$executeRaw`
      delete from portal_session where id in (
        select id from portal_session where expires_at < now()
        order by expires_at limit ${BATCH}::int for update skip locked)`;
  }
  return total;
}
