import type { DbTransaction } from '@posthorn/db/client';
import { among } from '@posthorn/db/uuid-range';
import type { AttemptTrigger } from './claim.ts';
import { createDeliveries, type NewDelivery, rowsOf } from './create.ts';

export type RetryDeliveries = {
  deliveryIds: readonly string[];
  /** The operation that retries them, which their progress is noted for. */
  operationId: string;
  trigger: Extract<AttemptTrigger, 'manual' | 'recovery'>;
  /** Only deliveries that are still in one of these statuses are changed; never one that is being delivered. */
  statuses: readonly string[];
  mostRetries: number;
};

/** A delivery that is due now, to be enqueued under its generation. */
export type RetriedDelivery = { deliveryId: string; eventId: string; generation: number };

/**
 * Makes deliveries `pending` and due now, with one full schedule again, as a manual retry does, and returns those that
 * changed. Part of the transaction that moves the operation on, so that none is enqueued twice.
 */
export function retryDeliveries(transaction: DbTransaction, given: RetryDeliveries): Promise<RetriedDelivery[]> {
  const { operationId, trigger, statuses, mostRetries } = given;
  const deliveryIds = [...given.deliveryIds];
  return transaction.$queryRaw<RetriedDelivery[]>`
    update delivery d set
      status = 'pending', due_at = now(), generation = d.generation + 1, schedule_step = 0, lost_leases = 0,
      next_trigger = ${trigger}::attempt_trigger, operation_id = ${operationId}::uuid,
      manual_retries = d.manual_retries + 1, failure_reason = null, lease_token = null, leased_until = null,
      updated_at = now()
    where ${among('d.id', deliveryIds)} and d.id in (
        select id from delivery where ${among('id', deliveryIds)} order by id for update)
      and d.status <> 'delivering' and d.status = any(${[...statuses]}::delivery_status[]) and not d.is_test
      and d.manual_retries < ${mostRetries}::int
    returning d.id as "deliveryId", d.event_id as "eventId", d.generation`;
}

/** Creates the deliveries of events that their endpoint missed, and returns the ids of those that are new. */
export async function createMissed(
  transaction: DbTransaction,
  deliveries: readonly NewDelivery[],
  operationId: string,
): Promise<Set<string>> {
  const sorted = [...deliveries].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
  const rows = await transaction.$queryRaw<{ id: string }[]>`${createDeliveries(rowsOf(sorted), operationId)}`;
  return new Set(rows.map((row) => row.id));
}
