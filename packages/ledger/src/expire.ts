import type { Db } from '@posthorn/db/client';

const BATCH = 1_000;

/**
 * Fails deliveries that are still open at the end of their retention (docs/interface.md, Transitions: failed,
 * `payload_expired`), by Postgres' clock and in batches. Returns how many. A leased delivery is left to its settle.
 */
export async function expireDeliveries(db: Db, retentionDays: number): Promise<number> {
  let total = 0;
  for (let expired = BATCH; expired === BATCH; total += expired) {
    expired = await db.$executeRaw`
      update delivery set status = 'failed', failure_reason = 'payload_expired', due_at = null, lease_token = null,
        leased_until = null,
        generation = generation + 1, updated_at = now()
      where id in (
        select id from delivery
        where due_at is not null and (status <> 'delivering' or coalesce(leased_until, due_at) < now())
          and id < (lpad(to_hex((extract(epoch from now() - make_interval(days => ${retentionDays}::int)) * 1000)::bigint),
            12, '0') || repeat('0', 20))::uuid
        limit ${BATCH}::int for update skip locked)`;
  }
  return total;
}
