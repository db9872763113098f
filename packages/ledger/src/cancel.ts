import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { among, within } from '@posthorn/db/uuid-range';
import { deliveryIdsOf } from './delivery-id.ts';
import { LOCKS_ARE_TAKEN, locksOfChosen } from './ordering.ts';

export type Cancelled =
  /** Failed with the reason `cancelled`; it was in this status before. */
  | { kind: 'cancelled'; from: string }
  /** An attempt is under way. */
  | { kind: 'in_progress' }
  | { kind: 'ended' }
  | { kind: 'missing' };

/**
 * Cancels a delivery (docs/interface.md, Cancel): one that is `pending` or `scheduled_retry` becomes `failed`. A job
 * that is already enqueued finds nothing to claim.
 */
export async function cancelDelivery(db: Db | DbTransaction, deliveryId: string): Promise<Cancelled> {
  const [row] = await db.$queryRaw<{ was: string; changed: boolean }[]>`
    with ${locksOfChosen(among('id', [deliveryId]))},
    before as (select id, status from delivery where id = ${deliveryId}::uuid and ${LOCKS_ARE_TAKEN} for update),
    changed as (
      update delivery d set status = 'failed', failure_reason = 'cancelled', due_at = null,
        generation = d.generation + 1, updated_at = now()
      from before
      where d.id = ${deliveryId}::uuid and d.id = before.id and before.status in ('pending', 'scheduled_retry')
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
  /** It did not wait in an order. With an ordering key, it was the head. */
  wasDue: boolean;
};

/** Cancels those of the deliveries that are `pending` or `scheduled_retry`, and returns them. */
export async function cancelDeliveries(
  transaction: DbTransaction,
  deliveryIds: readonly string[],
): Promise<CancelledDelivery[]> {
  return transaction.$queryRaw<CancelledDelivery[]>`
    with ${locksOfChosen(among('id', deliveryIds))},
    before as (
      select id, due_at from delivery where ${among('id', deliveryIds)} and ${LOCKS_ARE_TAKEN} order by id for update)
    update delivery d set status = 'failed', failure_reason = 'cancelled', due_at = null,
      generation = d.generation + 1, updated_at = now()
    from before b
    where ${among('d.id', deliveryIds)} and d.id = b.id and d.status in ('pending', 'scheduled_retry') and not d.is_test
    returning d.id as "deliveryId", d.event_type as "eventType", d.endpoint_id as "endpointId",
      d.ordering_key as "orderingKey", b.due_at < end_of_time() as "wasDue"`;
}

/**
 * Cancels those deliveries of an event that are `pending` or `scheduled_retry`, and returns them. A delivery that is being
 * delivered goes on, its retries included. Tests are left out.
 */
export async function cancelDeliveriesOfEvent(
  transaction: DbTransaction,
  eventId: string,
): Promise<{ deliveryId: string; endpointId: string; orderingKey: string | null }[]> {
  const { lowest, highest } = deliveryIdsOf(eventId);
  const isOpen = Prisma.sql`${within('id', [lowest, highest])} and event_id = ${eventId}::uuid
    and status in ('pending', 'scheduled_retry') and not is_test`;
  return transaction.$queryRaw<{ deliveryId: string; endpointId: string; orderingKey: string | null }[]>`
    with ${locksOfChosen(isOpen)}
    update delivery set status = 'failed', failure_reason = 'cancelled', due_at = null, generation = generation + 1,
      updated_at = now()
    where id in (select id from delivery where ${isOpen} and ${LOCKS_ARE_TAKEN} order by id for update) and ${isOpen}
    returning id as "deliveryId", endpoint_id as "endpointId", ordering_key as "orderingKey"`;
}
