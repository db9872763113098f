import type { Db } from '@posthorn/db/client';

/** The most rows in one statement, which takes some tens of milliseconds. */
const BATCH = 10_000;

/**
 * Deletes idempotency keys whose 24 h are over, in ranges of the index on their expiry, and returns their number. Each
 * range begins where the last one ended, so that no statement reads rows that another has deleted. Only one process at
 * a time does this: a concurrent call deletes nothing. A key that an event is reusing at this moment is kept.
 */
export async function deleteExpiredIdempotency(db: Db, stopped?: AbortSignal): Promise<number> {
  let total = 0;
  for (let from = '-infinity'; ; ) {
    // Read as text, because a Date has no microseconds.
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

/**
 * Deletes the answers to changes whose 24 h are over, and the secrets in answers whose ten minutes are over. Returns
 * the number of answers. A key that a change is reusing at this moment is kept.
 */
export async function deleteExpiredAnswers(db: Db, stopped?: AbortSignal): Promise<number> {
  await db.$executeRaw`
    update idempotent_answer set secrets_sealed = null, secrets_until = null where digest = any(array(
      select digest from idempotent_answer where secrets_until < now() limit ${BATCH}::int for update skip locked))`;
  for (let total = 0; ; ) {
    const deleted = await db.$executeRaw`
      delete from idempotent_answer where digest = any(array(
        select digest from idempotent_answer where expires_at < now() limit ${BATCH}::int for update skip locked))`;
    total += deleted;
    if (deleted < BATCH || stopped?.aborted) return total;
  }
}
