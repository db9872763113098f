import type { Db } from '@posthorn/db/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { END_OF_TIME, isFirstOfKey } from './ordering.ts';

/**
 * Ends the waiting of a direct event. Its delivery was created outside its order, because earlier events of the key
 * waited for their fan-out, or because its time lay ahead. At a fifo endpoint the delivery now takes its place in the
 * order; at any other endpoint it is now due. A delivery that was cancelled meanwhile stays so, and keeps the place for a
 * retry. Undefined when an earlier event of the key still waits.
 */
export async function enterOrder(
  db: Db,
  { eventId, deliveryId }: { eventId: string; deliveryId: string },
): Promise<{ generation: number; isDue: boolean } | undefined> {
  const entered = await retryConflicts(
    () => db.$executeRaw`
      with front as (
        delete from pending_fan_out w where w.event_id = ${eventId}::uuid and ${isFirstOfKey()}
        returning w.ordering_key, w.ordering_number
      )
      update delivery d set
        ordering_key = case when p.is_fifo then f.ordering_key end,
        ordering_number = case when p.is_fifo then f.ordering_number end,
        due_at = case when d.due_at is null then null when p.is_fifo then ${END_OF_TIME} else now() end,
        generation = d.generation + 1
      from front f, endpoint p
      where d.id = ${deliveryId}::uuid and p.id = d.endpoint_id and d.ordering_key is null
        and (d.due_at is null or d.status = 'pending' and d.due_at = ${END_OF_TIME})`,
  );
  if (entered === 0) return undefined;
  const [row] = await db.$queryRaw<{ generation: number; isDue: boolean }[]>`
    select generation, coalesce(due_at <= now(), false) as "isDue" from delivery where id = ${deliveryId}::uuid`;
  return row;
}
