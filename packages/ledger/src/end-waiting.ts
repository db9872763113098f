import type { DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';

/** An event that waited for its time or its fan-out. Without a number, its time was still ahead. */
type WaitingEvent = {
  eventId: string;
  environmentId: string | null;
  orderingKey: string | null;
  orderingNumber: bigint | null;
};

/**
 * Ends the wait of events for their time or their fan-out, and returns the events that waited. Another event of the
 * same key may then be the first. The rows of both are locked in the sequence of fan-out, to avoid deadlocks.
 */
export async function endWaiting(transaction: DbTransaction, eventIds: readonly string[]): Promise<WaitingEvent[]> {
  const given = Prisma.sql`any(${[...eventIds]}::uuid[])`;
  const scheduled = await transaction.$queryRaw<WaitingEvent[]>`
    delete from scheduled_event where event_id = ${given} and event_id in (
      select event_id from scheduled_event where event_id = ${given}
      order by environment_id, deliver_at, event_id for update)
    returning event_id as "eventId", environment_id as "environmentId", ordering_key as "orderingKey",
      null::bigint as "orderingNumber"`;
  await transaction.$executeRaw`
    select from pending_fan_out where event_id = any(array(
      select event_id from pending_fan_out where event_id = ${given}
      union
      select first.event_id from (
        select distinct environment_id, ordering_key from pending_fan_out
        where event_id = ${given} and ordering_key is not null) k
      cross join lateral (
        select event_id from pending_fan_out
        where environment_id = k.environment_id and ordering_key = k.ordering_key and event_id <> all(${[...eventIds]}::uuid[])
        order by ordering_number limit 1) first))
    order by event_id for update`;
  const pending = await transaction.$queryRaw<WaitingEvent[]>`
    delete from pending_fan_out where event_id = ${given}
    returning event_id as "eventId", environment_id as "environmentId", ordering_key as "orderingKey",
      ordering_number as "orderingNumber"`;
  await enqueueFirsts(transaction, pending);
  return [...scheduled, ...pending];
}

/**
 * Makes the reconciler enqueue the first waiting event of each key next. Its own wait may have grown behind the ended
 * event.
 */
async function enqueueFirsts(transaction: DbTransaction, ended: readonly WaitingEvent[]): Promise<void> {
  const ordered = ended.filter(({ orderingKey }) => orderingKey !== null);
  if (ordered.length === 0) return;
  await transaction.$executeRaw`
    update pending_fan_out set due_at = now(), enqueues = 0 where event_id = any(array(
      select first.event_id from (select distinct * from unnest(${ordered.map((one) => one.environmentId)}::uuid[],
        ${ordered.map((one) => one.orderingKey)}::text[]) as g(environment_id, ordering_key)) k
      cross join lateral (
        select event_id from pending_fan_out
        where environment_id = k.environment_id and ordering_key = k.ordering_key
        order by ordering_number limit 1) first))`;
}
