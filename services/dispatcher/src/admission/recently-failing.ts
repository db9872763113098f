import type { Db } from '@posthorn/db/client';
import { answersWithin } from '@posthorn/runtime/deadline';

/** The number of endpoints for which the process keeps a load. The latest failures come first. */
const MAX_ENDPOINTS = 10_000;
/** How long deliveries wait for the result. */
const WITHIN_MS = 2_000;

/**
 * The endpoints whose last attempt failed within the hour. A starting dispatcher treats them as slow, so that they do
 * not take the slots that working endpoints need. Empty if Postgres does not answer within 2 s.
 */
export async function findRecentlyFailing(db: Db): Promise<string[]> {
  let failing: string[] = [];
  const asked = readFailing(db).then((found) => {
    failing = found;
  });
  await answersWithin(asked, WITHIN_MS);
  return failing;
}

async function readFailing(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ endpoint_id: string }[]>`
    select endpoint_id from endpoint_health
    where consecutive_failures > 0 and last_failure_at > now() - interval '1 hour'
    order by last_failure_at desc limit ${MAX_ENDPOINTS}::int`;
  return rows.map((row) => row.endpoint_id);
}
