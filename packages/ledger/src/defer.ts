import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { among, NIL_UUID } from '@posthorn/db/uuid-range';
import { IS_KEPT } from './catch-up.ts';
import { NOT_LEASED } from './lease.ts';
import { enterLines } from './line.ts';
import { placeInLine } from './waiting.ts';

/** With a lease token, releases that lease. Without one, defers a delivery that is not leased. */
export type Defer = {
  deliveryId: string;
  leaseToken?: string;
  delaySeconds: number;
  /**
   * The delivery enters the line of its endpoint, whose next turn comes after the delay at the latest. It gets no job.
   */
  entersLine?: boolean;
  /** Its earlier place in the line, from `firstOfLines`. Without a place, it enters as the last. */
  place?: string | undefined;
};

/** The delivery is due after the delay. Enqueue it under this generation, unless it has entered a line. */
export type Deferred = { generation: number };

/**
 * Defers deliveries without spending an attempt. Returns one result for each, in order: undefined if the row was not
 * due, had ended, or is leased by another worker. A released row returns to its status before the claim: `pending` at
 * the start of its schedule, else `scheduled_retry`. A row without a token keeps its status, even if its lease has
 * expired, so that the next claim still counts the lost lease.
 */
export async function deferDeliveries(db: Db, deliveries: readonly Defer[]): Promise<(Deferred | undefined)[]> {
  const sorted = [...deliveries].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
  const deliveryIds = sorted.map((delivery) => delivery.deliveryId);
  const leaseTokens = sorted.map((delivery) => delivery.leaseToken ?? NIL_UUID);
  const delays = sorted.map((delivery) => delivery.delaySeconds);
  const enters = sorted.map((delivery) => delivery.entersLine === true);
  const places = sorted.map((delivery) => delivery.place ?? '');
  const lines = enters.includes(true)
    ? Prisma.sql`, lines as (${enterLines(Prisma.sql`
        select endpoint_id, (min(workspace_id::text))::uuid as workspace_id, min(delay_seconds) as seconds
        from changed where enters_line group by endpoint_id`)})`
    : Prisma.empty;
  const rows = await retryConflicts(
    () => db.$queryRaw<{ id: string; generation: number }[]>`
      with changed as (update delivery d set
        status = case when not l.holds then d.status
          else (case when d.schedule_step = 0 then 'pending' else 'scheduled_retry' end)::delivery_status end,
        due_at = case when l.enters_line
          then coalesce(nullif(l.place, '')::timestamptz, ${placeInLine(Prisma.sql`d.operation_id is not null and d.next_trigger <> 'schedule'`, IS_KEPT)})
          else now() + make_interval(secs => l.delay_seconds) end, generation = d.generation + 1,
        lease_token = case when not l.holds then d.lease_token end,
        leased_until = case when not l.holds then d.leased_until end,
        updated_at = now()
      from (
        select *, lease_token <> ${NIL_UUID}::uuid as holds
        from unnest(${deliveryIds}::uuid[], ${leaseTokens}::uuid[], ${delays}::float8[], ${enters}::bool[],
          ${places}::text[]) as given(delivery_id, lease_token, delay_seconds, enters_line, place)) l
      where ${among('d.id', deliveryIds)} and d.id = l.delivery_id and case
        when l.holds then d.lease_token = l.lease_token and d.status = 'delivering'
        else d.due_at <= now() and ${NOT_LEASED} end
      returning d.id, d.generation, d.endpoint_id, d.workspace_id, l.enters_line, l.delay_seconds)${lines}
      select id, generation from changed`,
  );
  const generations = new Map(rows.map((row) => [row.id, row.generation]));
  return deliveries.map(({ deliveryId }) => {
    const generation = generations.get(deliveryId);
    // Defer a delivery only once if it is requested twice, because a second job would be the same.
    generations.delete(deliveryId);
    return generation === undefined ? undefined : { generation };
  });
}
