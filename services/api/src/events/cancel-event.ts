import { toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { cancelDeliveriesOfEvent } from '@posthorn/ledger/cancel';
import type { WorkspaceContext } from '../http/context.ts';
import { ApiError } from '../http/error.ts';
import { getEvent, requireEvent } from './get-event.ts';

/**
 * Cancels an event (docs/interface.md, Cancel): an event that waits for its fan-out gets no deliveries, and its
 * deliveries that are still to be delivered end as failed. `not_cancellable` when nothing is left to cancel.
 */
export async function cancelEvent(ctx: WorkspaceContext, id: string) {
  const event = await requireEvent(ctx, id);
  const cancelled = await ctx.change('event.cancelled', async (transaction) => {
    // First: it waits for a fan-out that is making deliveries, whose rows the second statement then sees.
    const wasWaiting = await endWaiting(transaction, event.id);
    const deliveries = await cancelDeliveriesOfEvent(transaction, event.id);
    if (!wasWaiting && deliveries.length === 0) {
      throw new ApiError('not_cancellable', 'Nothing of this event is left to be delivered');
    }
    const data = { eventId: event.id, workspaceId: ctx.workspace.id };
    await transaction.cancelledEvent.createMany({ data, skipDuplicates: true });
    const changes = { deliveries: { from: 0, to: deliveries.length } };
    return { result: deliveries, entry: { resourceId: toId('msg', event.id), changes } };
  });
  const { id: workspaceId } = ctx.workspace;
  for (const { deliveryId, endpointId } of cancelled) {
    ctx.live.deliveryChanged({ workspaceId, deliveryId, endpointId });
    ctx.stats.countEnded({ workspaceId, endpointId, eventType: event.eventType }, 'failed');
  }
  return getEvent(ctx, id, {});
}

async function endWaiting(transaction: DbTransaction, eventId: string): Promise<boolean> {
  const { count } = await transaction.pendingFanOut.deleteMany({ where: { eventId } });
  return count > 0;
}
