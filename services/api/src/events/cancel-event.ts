import { toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { NIL_UUID } from '@posthorn/db/uuid-range';
import { type CancelledPage, cancelPageOfEvent, countOpenOfEvent } from '@posthorn/ledger/cancel';
import { deliveryIdsOf } from '@posthorn/ledger/delivery-id';
import { endWaiting } from '@posthorn/ledger/end-waiting';
import { keepPlace } from '@posthorn/ledger/enter-order';
import { enqueueHeads } from '../deliveries/deliveries.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError } from '../transport/error.ts';
import { getEvent, requireEvent } from './get-event.ts';

/**
 * Cancels an event (docs/interface.md, Cancel): an event that is scheduled or waits for its fan-out gets no deliveries,
 * and its deliveries that are still to be delivered end as failed, page by page. The event stays `matched` if it has
 * another delivery. `not_cancellable` when nothing is left to cancel.
 */
export async function cancelEvent(ctx: WorkspaceContext, id: string) {
  const event = await requireEvent(ctx, id);
  let page = await ctx.change('event.cancelled', async (transaction) => {
    // Do this first: it waits for a fan-out that is making deliveries, so that the second statement sees its rows.
    const [waiting] = await endWaiting(transaction, [event.id]);
    const first = await cancelPageOfEvent(transaction, event.id, NIL_UUID);
    if (waiting !== undefined && waiting.orderingKey !== null) {
      await keepPlace(transaction, { ...waiting, orderingKey: waiting.orderingKey });
    }
    if (waiting === undefined && first.cancelled.length === 0 && first.next === undefined) {
      throw new ApiError('not_cancellable', 'This event has nothing left to deliver');
    }
    // The entry is committed with the first page, so that it is there even when the process ends before the last one.
    const rest = first.next === undefined ? 0 : await countOpenOfEvent(transaction, event.id, first.next);
    const changes = { deliveries: { from: 0, to: first.cancelled.length + rest } };
    await endPage(ctx, transaction, event.id, first);
    return { result: first, entry: { resourceId: toId('msg', event.id), changes } };
  });
  for (;;) {
    await tellOf(ctx, page);
    const { next } = page;
    if (next === undefined) return getEvent(ctx, id, {});
    page = await ctx.change('event.cancelled', async (transaction) => {
      const result = await cancelPageOfEvent(transaction, event.id, next);
      await endPage(ctx, transaction, event.id, result);
      return { result, entry: null };
    });
  }
}

/** After the last page, the event counts as cancelled, unless it has another delivery. */
async function endPage(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  eventId: string,
  { next }: CancelledPage,
): Promise<void> {
  const data = { eventId, workspaceId: ctx.workspace.id };
  if (next !== undefined || (await hasOtherDelivery(transaction, data))) return;
  await transaction.cancelledEvent.createMany({ data, skipDuplicates: true });
}

/** Tells live streams, statistics and dispatchers of the deliveries of a page. */
async function tellOf(ctx: WorkspaceContext, { cancelled }: CancelledPage): Promise<void> {
  const { id: workspaceId } = ctx.workspace;
  for (const { deliveryId, endpointId, eventType } of cancelled) {
    ctx.live.deliveryChanged({ workspaceId, deliveryId, endpointId });
    ctx.stats.countEnded({ workspaceId, endpointId, eventType }, 'failed');
  }
  await enqueueHeads(ctx, cancelled);
}

/** Whether the event has a delivery that ended before or goes on. Then it is cancelled only in part. */
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
