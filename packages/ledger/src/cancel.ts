import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { among, within } from '@posthorn/db/uuid-range';
import { deliveryIdsOf } from './delivery-id.ts';
import { TOKEN_AFTER_LEASE, WAITS } from './lease.ts';
import { LOCKS_ARE_TAKEN, locksOfChosen } from './ordering.ts';

export type Cancelled =
  /** Now failed with the reason `cancelled`. `from` is the earlier status. */
  | { kind: 'cancelled'; from: string }
  /** An attempt is in progress. */
  | { kind: 'in_progress' }
  | { kind: 'ended' }
  | { kind: 'missing' };

const AS_CANCELLED = Prisma.sql`status = 'failed', failure_reason = 'cancelled', due_at = null,
        lease_token = ${TOKEN_AFTER_LEASE}, leased_until = null, generation = d.generation + 1, updated_at = now()`;

/**
 * Cancels a delivery (docs/interface.md, Cancel): a delivery without an attempt in progress becomes `failed`. A job
 * that is already enqueued finds nothing to claim.
 */
export async function cancelDelivery(db: Db | DbTransaction, deliveryId: string): Promise<Cancelled> {
  const [row] = await db.$queryRaw<{ was: string; changed: boolean }[]>`
    with ${locksOfChosen(among('id', [deliveryId]))},
    before as (
      select d.id, d.status, ${WAITS} as waits from delivery d
      where d.id = ${deliveryId}::uuid and ${LOCKS_ARE_TAKEN} for update),
    changed as (
      update delivery d set ${AS_CANCELLED} from before
      where d.id = ${deliveryId}::uuid and d.id = before.id and before.waits
      returning d.id)
    select before.status as was, exists (select from changed) as changed from before`;
  if (row === undefined) return { kind: 'missing' };
  if (row.changed) return { kind: 'cancelled', from: row.was };
  return { kind: row.was === 'delivering' ? 'in_progress' : 'ended' };
}

export type CancelledDelivery = {
  deliveryId: string;
  eventType: string | null;
  endpointId: string;
  orderingKey: string | null;
  /** The delivery did not wait in an order. With an ordering key, it was the head. */
  wasDue: boolean;
};

/** Cancels the deliveries without an attempt in progress, and returns them. */
export async function cancelDeliveries(
  transaction: DbTransaction,
  deliveryIds: readonly string[],
): Promise<CancelledDelivery[]> {
  return transaction.$queryRaw<CancelledDelivery[]>`
    with ${locksOfChosen(among('id', deliveryIds))},
    before as (
      select id, due_at from delivery where ${among('id', deliveryIds)} and ${LOCKS_ARE_TAKEN} order by id for update)
    update delivery d set ${AS_CANCELLED} from before b
    where ${among('d.id', deliveryIds)} and d.id = b.id and ${WAITS} and not d.is_test
    returning d.id as "deliveryId", d.event_type as "eventType", d.endpoint_id as "endpointId",
      d.ordering_key as "orderingKey", b.due_at < end_of_time() as "wasDue"`;
}

/** Each delivery may take the lock of its order, and the number of Postgres' locks is limited. */
const MAX_AT_ONCE = 250;

/** Open deliveries of an event that were cancelled, and the key after which there may be more. */
export type CancelledPage = { cancelled: CancelledDelivery[]; next: string | undefined };

/**
 * Cancels the first deliveries of an event after the key `after` that have no attempt in progress. A delivery in
 * progress goes on, including its retries. Tests are left out.
 */
export async function cancelPageOfEvent(
  transaction: DbTransaction,
  eventId: string,
  after: string,
): Promise<CancelledPage> {
  const rows = await transaction.$queryRaw<{ id: string }[]>`
    select d.id from delivery d where ${isOpen(eventId)} and d.id > ${after}::uuid order by d.id limit ${MAX_AT_ONCE}::int`;
  if (rows.length === 0) return { cancelled: [], next: undefined };
  const ids = rows.map(({ id }) => id);
  const cancelled = await cancelDeliveries(transaction, ids);
  return { cancelled, next: ids.length === MAX_AT_ONCE ? ids.at(-1) : undefined };
}

/** The number of deliveries of an event after the key `after` that can be cancelled. */
export async function countOpenOfEvent(transaction: DbTransaction, eventId: string, after: string): Promise<number> {
  const [row] = await transaction.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from delivery d where ${isOpen(eventId)} and d.id > ${after}::uuid`;
  return row?.count ?? 0;
}

function isOpen(eventId: string): Prisma.Sql {
  const { lowest, highest } = deliveryIdsOf(eventId);
  return Prisma.sql`${within('d.id', [lowest, highest])} and d.event_id = ${eventId}::uuid and ${WAITS} and not d.is_test`;
}
