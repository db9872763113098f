import type { Db } from '@posthorn/db/client';

/** The most rows of one statement, which takes some tens of milliseconds. */
const BATCH = 10_000;

/**
 * Deletes the idempotency keys whose 24 h are over, in ranges of the index on their expiry, and returns their number.
 * Each range begins where the one before it ended, so that no statement reads rows that another one has deleted. Only
 * one process at a time does this: a concurrent call deletes nothing. A key that an event is just reusing is kept.
 */
export async function deleteExpiredIdempotency(db: Db, stopped?: AbortSignal): Promise<number> {
  let total = 0;
  for (let from = '-infinity'; ; ) {
    // As text, because a Date has no microseconds.
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
    if (next === undefined || stopped?.aborted) return total;
    from = next.to;
  }
}
