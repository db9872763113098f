import type { Db } from '@posthorn/db/client';

/** Rows of one statement: some tens of milliseconds. */
const BATCH = 10_000;

/**
 * Deletes the idempotency keys whose 24 h are over, in ranges of the index on their end, and answers how many. Each range
 * begins where the one before it ended, so that no statement reads again what another has deleted. One process at a time
 * does it; another caller meanwhile deletes nothing. A key that an event is just taking again stays.
 */
export async function deleteExpiredIdempotency(db: Db): Promise<number> {
  let total = 0;
  for (let from = '-infinity'; ; ) {
    // As text: a Date would cut the microseconds off.
    const [next] = await db.$queryRaw<{ to: string }[]>`
      select expires_at::text as "to" from idempotency_record
      where expires_at > ${from}::timestamptz and expires_at < now()
      order by expires_at offset ${BATCH - 1}::int limit 1`;
    const to = next?.to ?? 'infinity';
    total += await db.$executeRaw`
      delete from idempotency_record where ctid = any(array(
        select ctid from idempotency_record
        where expires_at > ${from}::timestamptz and expires_at <= ${to}::timestamptz and expires_at < now()
          and (select pg_try_advisory_xact_lock(7061727471))
        for update skip locked))`;
    if (next === undefined) return total;
    from = next.to;
  }
}
