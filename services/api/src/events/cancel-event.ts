import { toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { cancelDeliveriesOfEvent } from '@posthorn/ledger/cancel';
import { deliveryIdsOf } from '@posthorn/ledger/delivery-id';
import { keepPlace } from '@posthorn/ledger/enter-order';
import { enqueueHeads } from '../deliveries/deliveries.ts';
import type { WorkspaceContext } from '../http/context.ts';
import { ApiError } from '../http/error.ts';
import { getEvent, requireEvent } from './get-event.ts';

/**
 * Cancels an event (docs/interface.md, Cancel): an event that is scheduled or waits for its fan-out gets no deliveries, and its
 * deliveries that are still to be delivered end as failed. It stays `matched` when it has another. `not_cancellable` when
 * nothing is left to cancel.
 */
export async function cancelEvent(ctx: WorkspaceContext, id: string) {
  const event = await requireEvent(ctx, id);
  const cancelled = await ctx.change('event.cancelled', async (transaction) => {
    // First: it waits for a fan-out that is making deliveries, whose rows the second statement then sees.
    const waiting = await endWaiting(transaction, event.id);
    const deliveries = await cancelDeliveriesOfEvent(transaction, event.id);
    if (waiting !== undefined && waiting.orderingKey !== null) {
      await keepPlace(transaction, { ...waiting, eventId: event.id, orderingKey: waiting.orderingKey });
    }
    if (waiting === undefined && deliveries.length === 0) {
      throw new ApiError('not_cancellable', 'Nothing of this event is left to be delivered');
    }
    const data = { eventId: event.id, workspaceId: ctx.workspace.id };
    if (!(await hasOtherDelivery(transaction, data))) {
      await transaction.cancelledEvent.createMany({ data, skipDuplicates: true });
    }
    const changes = { deliveries: { from: 0, to: deliveries.length } };
    return { result: deliveries, entry: { resourceId: toId('msg', event.id), changes } };
  });
  const { id: workspaceId } = ctx.workspace;
  for (const { deliveryId, endpointId } of cancelled) {
    ctx.live.deliveryChanged({ workspaceId, deliveryId, endpointId });
    ctx.stats.countEnded({ workspaceId, endpointId, eventType: event.eventType }, 'failed');
  }
  await enqueueHeads(ctx, cancelled);
  return getEvent(ctx, id, {});
}

/** Whether a delivery of the event had ended before, or goes on: then the event is cancelled only in part. */
async function hasOtherDelivery(
  transaction: DbTransaction,
  { eventId, workspaceId }: { eventId: string; workspaceId: string },
) {
  const { lowest, highest } = deliveryIdsOf(eventId);
  const [row] = await transaction.$queryRaw<{ found: boolean }[]>`
    select exists (select from delivery where workspace_id = ${workspaceId}::uuid and event_id = ${eventId}::uuid
      and id between ${lowest}::uuid and ${highest}::uuid and failure_reason is distinct from 'cancelled') as found`;
  return row?.found ?? false;
}

/** Ends the waiting of an event for its time or its fan-out. Undefined when it did not wait. */
async function endWaiting(transaction: DbTransaction, eventId: string): Promise<WaitingEvent | undefined> {
  const [scheduled] = await transaction.$queryRaw<WaitingEvent[]>`
    delete from scheduled_event where event_id = ${eventId}::uuid
    returning environment_id as "environmentId", ordering_key as "orderingKey", null::bigint as "orderingNumber"`;
  const [pending] = await transaction.$queryRaw<WaitingEvent[]>`
    delete from pending_fan_out where event_id = ${eventId}::uuid
    returning environment_id as "environmentId", ordering_key as "orderingKey", ordering_number as "orderingNumber"`;
  if (pending !== undefined && pending.orderingKey !== null) await enqueueFirstOf(transaction, pending);
  return pending ?? scheduled;
}

type WaitingEvent = { environmentId: string | null; orderingKey: string | null; orderingNumber: bigint | null };

/** The reconciler enqueues the first waiting event of the key next: behind the cancelled one its wait may have grown. */
async function enqueueFirstOf(transaction: DbTransaction, { environmentId, orderingKey }: WaitingEvent): Promise<void> {
  await transaction.$executeRaw`
    update pending_fan_out set due_at = now(), enqueues = 0 where event_id = (
      select event_id from pending_fan_out
      where environment_id = ${environmentId}::uuid and ordering_key = ${orderingKey}::text
      order by ordering_number limit 1)`;
}
