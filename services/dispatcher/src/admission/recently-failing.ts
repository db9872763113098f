import type { Db } from '@posthorn/db/client';

/** The latest are told: as many as a process keeps the states of. */
const MOST = 10_000;

/**
 * The endpoints whose last attempt failed, and that within the hour: what a dispatcher that begins knows of them, so
 * that those that hang do not take the places of those that answer.
 */
export async function findKnownToFail(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ endpoint_id: string }[]>`
    select endpoint_id from endpoint_health
    where consecutive_failures > 0 and last_failure_at > now() - interval '1 hour'
    order by last_failure_at desc limit ${MOST}::int`;
  return rows.map((row) => row.endpoint_id);
}
