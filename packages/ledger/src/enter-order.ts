import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { within } from '@posthorn/db/uuid-range';
import { deliveryIdsOf } from './delivery-id.ts';
import { IS_FIRST_OF_KEY } from './ordering.ts';
import { BEHIND_HEAD, dueOf } from './waiting.ts';

/**
 * Ends the waiting of a direct event. Its delivery was created outside its order, because earlier events of the key
 * waited for their fan-out, or because its time lay ahead. At a fifo endpoint the delivery now takes its place in the
 * order; at any other endpoint it is now due. A delivery that was cancelled meanwhile stays so, and keeps the place for a
 * retry.
 *
 * Undefined when no delivery has changed. While an earlier event of the key waits, the event also waits on. Otherwise its
 * waiting has ended: its delivery is gone, has its place already, is due, or is being delivered.
 */
export async function enterOrder(
  db: Db,
  { eventId, deliveryId }: { eventId: string; deliveryId: string },
): Promise<{ generation: number; isDue: boolean } | undefined> {
  const entered = await retryConflicts(
    () => db.$executeRaw`
      with front as (
        delete from pending_fan_out w where w.event_id = ${eventId}::uuid and ${IS_FIRST_OF_KEY}
        returning w.ordering_key, w.ordering_number
      )
      update delivery d set
        ordering_key = case when p.is_fifo then f.ordering_key end,
        ordering_number = case when p.is_fifo then f.ordering_number end,
        due_at = case when d.due_at is null then null when p.is_fifo then ${BEHIND_HEAD}
          else ${dueOf(Prisma.sql`now()`, Prisma.sql`d.is_pulled`)} end,
        generation = d.generation + 1
      from front f, endpoint p
      where d.id = ${deliveryId}::uuid and p.id = d.endpoint_id and d.ordering_key is null
        and (d.due_at is null or d.status = 'pending' and d.due_at = ${BEHIND_HEAD})`,
  );
  if (entered === 0) return undefined;
  const [row] = await db.$queryRaw<{ generation: number; isDue: boolean }[]>`
    select generation, coalesce(due_at <= now(), false) as "isDue" from delivery where id = ${deliveryId}::uuid`;
  return row;
}

/** The place of an event in its order. The number is null while the event's time is in the future. */
type Place = { eventId: string; orderingKey: string; orderingNumber: bigint | null };

/**
 * Gives the cancelled delivery of a direct event at a fifo endpoint the place for which the event waited, so that a
 * manual retry is sent in its order. Call it when the event no longer waits. Other events have no delivery yet, so
 * nothing changes.
 */
export async function keepPlace(transaction: DbTransaction, place: Place): Promise<void> {
  const { lowest, highest } = deliveryIdsOf(place.eventId);
  await transaction.$executeRaw`
    update delivery d set ordering_key = ${place.orderingKey},
      ordering_number = coalesce(${place.orderingNumber}::bigint, nextval('ordering_number'))
    from endpoint p
    where ${within('d.id', [lowest, highest])} and d.event_id = ${place.eventId}::uuid and d.ordering_key is null
      and d.due_at is null and d.failure_reason = 'cancelled' and p.id = d.endpoint_id and p.is_fifo`;
}
