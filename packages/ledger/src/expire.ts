import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { TOKEN_AFTER_LEASE } from './lease.ts';
import { LOCKS_ARE_TAKEN } from './ordering.ts';

/** Each row may take the lock of its order, and the number of Postgres' locks is limited. */
const BATCH = 250;

type Expired = {
  deliveryId: string;
  workspaceId: string;
  endpointId: string;
  eventType: string | null;
  isTest: boolean;
};

type ExpireOptions = {
  /** Called for each batch, with at most 250 deliveries. */
  onExpired?: (expired: readonly Expired[]) => void;
  /** When it is aborted, no further batch begins. */
  stopped?: AbortSignal | undefined;
};

/**
 * Fails deliveries that are still open at the end of their retention (docs/interface.md, Transitions: failed,
 * `payload_expired`), by Postgres' clock and in batches. Returns how many. A leased delivery is left for its settle.
 */
export async function expireDeliveries(
  db: Db,
  retentionDays: number,
  { onExpired = () => {}, stopped }: ExpireOptions = {},
): Promise<number> {
  let total = 0;
  // A batch is smaller if another transaction holds one of its rows, so only an empty batch is the last.
  for (let expired = BATCH; expired > 0 && !stopped?.aborted; total += expired) {
    const rows = await retryConflicts(
      () => db.$queryRaw<Expired[]>`
      with found as materialized (
        select id, endpoint_id, ordering_key from delivery
        where ${isOver(retentionDays)} limit ${BATCH}::int
      ), locks as materialized (
        select pg_advisory_xact_lock(l.lock) from (
          select distinct ordering_lock(endpoint_id, ordering_key) as lock from found
          where ordering_key is not null order by 1) l
      ) update delivery d set status = 'failed', failure_reason = 'payload_expired', due_at = null,
        lease_token = ${TOKEN_AFTER_LEASE}, leased_until = null, generation = generation + 1, updated_at = now()
      where id in (
        select id from delivery where ${LOCKS_ARE_TAKEN} and id in (select id from found) and ${isOver(retentionDays)}
        for update skip locked)
      returning id as "deliveryId", workspace_id as "workspaceId", endpoint_id as "endpointId",
        event_type as "eventType", is_test as "isTest"`,
    );
    expired = rows.length;
    onExpired(rows);
  }
  return total;
}

/**
 * Condition on a row of `delivery`: open, not leased, and older than the retention. What a consumer holds is left to the
 * end of its lease, which is an attempt.
 */
function isOver(retentionDays: number): Prisma.Sql {
  return Prisma.sql`due_at is not null and (status <> 'delivering' or not is_pulled and coalesce(leased_until, due_at) < now())
      and id < (lpad(to_hex((extract(epoch from now() - make_interval(days => ${retentionDays}::int)) * 1000)::bigint),
        12, '0') || repeat('0', 20))::uuid`;
}
