import type { DbTransaction } from '@posthorn/db/client';
import { among } from '@posthorn/db/uuid-range';
import type { AttemptTrigger } from './claim.ts';
import { LATE_FAN_OUT_SECONDS, type NewDelivery, newDeliveryRow } from './create.ts';
import { STATUS_NOW, TOKEN_AFTER_LEASE } from './lease.ts';
import {
  dueInTurn,
  headsOf,
  LOCKS_ARE_TAKEN,
  lockEventsToBePlaced,
  locksOfChosen,
  PLACES_OF_RETRIED,
} from './ordering.ts';
import { readStatement } from './statement.ts';

export type RetryDeliveries = {
  deliveryIds: readonly string[];
  /** The operation that retries the deliveries, for which their progress is counted. */
  operationId: string;
  trigger: Extract<AttemptTrigger, 'manual' | 'recovery'>;
  /** Only deliveries that are still in one of these statuses are changed, and never one with an attempt in progress. */
  statuses: readonly string[];
  mostRetries: number;
};

/**
 * A delivery that is open again. If it is due, enqueue it under its generation. If not, it waits in its order, for its
 * place there, or for a consumer.
 */
export type RetriedDelivery = { deliveryId: string; eventId: string; generation: number; isDue: boolean };

/**
 * Makes deliveries `pending` and due now, with one full schedule again, as a manual retry does, and returns those that
 * changed. Unlike a manual retry, it sends no direct delivery before its event's time: such a delivery does not change,
 * nor does one that waits for its place in an order. A cancelled delivery that has yet to get a place waits for it
 * again. Call it in the transaction that stores the operation's position, so that no delivery is enqueued twice.
 */
export async function retryDeliveries(transaction: DbTransaction, given: RetryDeliveries): Promise<RetriedDelivery[]> {
  const { operationId, trigger, statuses, mostRetries } = given;
  const deliveryIds = [...given.deliveryIds];
  const toBePlaced = await lockEventsToBePlaced(transaction, deliveryIds);
  const rows = await transaction.$queryRaw<(RetriedDelivery & OrderOfRow)[]>`
    with ${locksOfChosen(among('id', deliveryIds))},
    retried as (update delivery d set
      status = 'pending', due_at = ${dueInTurn(toBePlaced)}, generation = d.generation + 1, schedule_step = 0, lost_leases = 0,
      next_trigger = ${trigger}::attempt_trigger, operation_id = ${operationId}::uuid,
      manual_retries = d.manual_retries + 1, failure_reason = null, cancel_reason = null,
      lease_token = ${TOKEN_AFTER_LEASE}, leased_until = null, updated_at = now()
    where ${among('d.id', deliveryIds)} and d.id in (
        select id from delivery where ${among('id', deliveryIds)} and ${LOCKS_ARE_TAKEN} order by id for update)
      and ${STATUS_NOW} <> 'delivering' and ${STATUS_NOW} = any(${[...statuses]}::delivery_status[]) and not d.is_test
      and d.manual_retries < ${mostRetries}::int
      and case when d.event_id = any(${toBePlaced}::uuid[]) then d.status <> 'pending' else d.total_attempts > 0
        or not exists (select from event e where e.id = d.event_id and e.deliver_at > now() offset 0) end
    returning d.*), ${PLACES_OF_RETRIED}
    select id as "deliveryId", event_id as "eventId", generation, endpoint_id as "endpointId",
      ordering_key as "orderingKey", due_at <= now() as "isDue", is_pulled as "isPulled"
    from retried`;
  // The triggers have chosen the heads by the end of the statement.
  const orders = rows.flatMap(({ endpointId, orderingKey }) =>
    orderingKey === null ? [] : [{ endpointId, orderingKey }],
  );
  const heads = new Map((await headsOf(transaction, orders)).map((head) => [head.deliveryId, head]));
  const released = await withoutOrder(transaction, rows);
  return rows.map(({ deliveryId, eventId, generation, orderingKey, isDue, isPulled }) => ({
    deliveryId,
    eventId,
    generation: heads.get(deliveryId)?.releasedGeneration ?? generation,
    isDue: orderingKey === null ? isDue : !isPulled && (heads.has(deliveryId) || released.has(deliveryId)),
  }));
}

/** The rows that a trigger has made due and taken out of their order, because the endpoint is no longer fifo. */
async function withoutOrder(
  transaction: DbTransaction,
  rows: readonly (Pick<RetriedDelivery, 'deliveryId'> & OrderOfRow)[],
): Promise<ReadonlySet<string>> {
  const ordered = rows.flatMap(({ deliveryId, orderingKey }) => (orderingKey === null ? [] : [deliveryId]));
  if (ordered.length === 0) return new Set();
  const found = await transaction.$queryRaw<{ id: string }[]>`
    select id from delivery where ${among('id', ordered)} and ordering_key is null`;
  return new Set(found.map(({ id }) => id));
}

type OrderOfRow = { endpointId: string; orderingKey: string | null; isPulled: boolean };

const CREATE_MISSED = readStatement<{ id: string; due: boolean }>('create-missed');

/** Creates the deliveries of events that their endpoint missed, and returns the new ones. */
export async function createMissed(
  transaction: DbTransaction,
  deliveries: readonly NewDelivery[],
  operationId: string,
): Promise<RetriedDelivery[]> {
  const given = JSON.stringify(deliveries.map(newDeliveryRow));
  const rows = await CREATE_MISSED.run(transaction, [given, operationId, LATE_FAN_OUT_SECONDS]);
  const isDue = new Map(rows.map((row) => [row.id, row.due]));
  return deliveries.flatMap(({ deliveryId, eventId }) => {
    const due = isDue.get(deliveryId);
    return due === undefined ? [] : [{ deliveryId, eventId, generation: 0, isDue: due }];
  });
}
