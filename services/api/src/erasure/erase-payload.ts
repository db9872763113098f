import { toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { NIL_UUID } from '@posthorn/db/uuid-range';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';
import {
  deliveriesOfEvents,
  type EndedByErasure,
  eraseDeliveries,
  erasePayloads,
  eraseWaiting,
} from '@posthorn/ledger/erase';
import { enqueueHeads } from '../deliveries/deliveries.ts';
import { requireEvent } from '../events/get-event.ts';
import type { WorkspaceContext } from '../operation/context.ts';

type ErasedPage = { deliveries: number; ended: EndedByErasure[]; attempts: number; next: string | undefined };

/**
 * Erases the payload of an event and the content of its attempts, and ends its open deliveries (docs/interface.md,
 * Erasure). Deliveries follow page by page. If the process ends in between, a repeated request goes on.
 */
export async function erasePayload(ctx: WorkspaceContext, id: string): Promise<undefined> {
  const event = await requireEvent(ctx, id);
  let page = await ctx.change('payload.erased', async (transaction) => {
    // Do this first: it waits for a fan-out that is making deliveries, so that the next statements see its rows.
    const waiting = await eraseWaiting(transaction, { workspaceId: ctx.workspace.id, eventIds: [event.id] });
    const payloads = await erasePayloads(transaction, [event.id]);
    await forgetAnswers(transaction, { ...event, workspaceId: ctx.workspace.id });
    const result = await erasePage(ctx, transaction, { eventId: event.id, after: NIL_UUID });
    const isNew = waiting > 0 || payloads + result.attempts + result.ended.length > 0;
    const deliveries = result.deliveries + (await countAfter(ctx, transaction, event.id, result.next));
    const changes = {
      payloadBytes: { from: payloads * event.payloadSize, to: 0 },
      deliveries: { from: deliveries, to: 0 },
    };
    return { result, entry: isNew ? { resourceId: toId('msg', event.id), changes } : null };
  });
  for (;;) {
    await tell(ctx, page);
    const { next } = page;
    if (next === undefined) return;
    page = await ctx.change('payload.erased', async (transaction) => ({
      result: await erasePage(ctx, transaction, { eventId: event.id, after: next }),
      entry: null,
    }));
  }
}

type EventToForget = {
  id: string;
  workspaceId: string;
  endpointId: string | null;
  isTest: boolean;
  schemaErrors: unknown;
};

/** Deletes kept answers that repeat what is erased: the attempt of a test, and the faults of a cancelled event. */
export async function forgetAnswers(
  transaction: DbTransaction,
  { id, workspaceId, endpointId, isTest, schemaErrors }: EventToForget,
): Promise<void> {
  if (!isTest && schemaErrors === null) return;
  const where = { deliveryId: deliveryIdFor(id, endpointId ?? NIL_UUID) };
  const attempts = await transaction.attempt.findMany({ where, select: { id: true } });
  const ids = [toId('msg', id), ...attempts.map((attempt) => toId('att', attempt.id))];
  // The expression is the same as in the index.
  await transaction.$executeRaw`
    delete from idempotent_answer
    where workspace_id = ${workspaceId}::uuid and substring(answer from '"id":"((msg|att)_[^"]{1,64})"') = any(${ids}::text[])`;
}

async function erasePage(
  { workspace }: WorkspaceContext,
  transaction: DbTransaction,
  { eventId, after }: { eventId: string; after: string },
): Promise<ErasedPage> {
  const page = await deliveriesOfEvents(transaction, { workspaceId: workspace.id, eventIds: [eventId], after });
  const erased = await eraseDeliveries(transaction, page.deliveryIds, 'cancelled');
  return { deliveries: page.deliveryIds.length, ...erased, next: page.next };
}

/** The number of deliveries after the first page: the audit entry is committed with that page, and counts all. */
async function countAfter(
  { workspace }: WorkspaceContext,
  transaction: DbTransaction,
  eventId: string,
  after: string | undefined,
): Promise<number> {
  let count = 0;
  for (let next = after; next !== undefined; ) {
    const page = await deliveriesOfEvents(transaction, { workspaceId: workspace.id, eventIds: [eventId], after: next });
    count += page.deliveryIds.length;
    next = page.next;
  }
  return count;
}

/** Tells live streams, statistics and dispatchers of the deliveries that ended. */
async function tell(ctx: WorkspaceContext, { ended }: ErasedPage): Promise<void> {
  const { id: workspaceId } = ctx.workspace;
  for (const { deliveryId, endpointId, eventType, isTest } of ended) {
    ctx.live.deliveryChanged({ workspaceId, deliveryId, endpointId });
    if (!isTest) ctx.stats.countEnded({ workspaceId, endpointId, eventType }, 'failed');
  }
  await enqueueHeads(ctx, ended);
}
