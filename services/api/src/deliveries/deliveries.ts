import type { deliveryDetailQuery, listAttemptsQuery } from '@posthorn/contract/deliveries';
import { fromId, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { cancelDelivery as cancelInLedger } from '@posthorn/ledger/cancel';
import { createWaitingFor, headsOf, toRequests } from '@posthorn/ledger/ordering';
import { retryDeliveryNow } from '@posthorn/ledger/retry-now';
import { isBehindHead } from '@posthorn/ledger/waiting';
import type { z } from 'zod';
import { portalOf } from '../auth/bounds.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError, invalid, notFound } from '../transport/error.ts';
import { enterView } from './enter-view.ts';
import { isErased, isExpired, readPayload } from './payload.ts';
import { createNextRetryAt, type DeliveryRow, type EventPart, presentDelivery } from './present-delivery.ts';
import { readAttempts } from './read-attempts.ts';

/** Gets a delivery. `deliveries` is the relative path of all deliveries, below which the list of attempts is. */
export async function getDelivery(
  ctx: WorkspaceContext,
  id: string,
  query: z.output<typeof deliveryDetailQuery>,
  deliveries = '',
) {
  const row = await requireDelivery(ctx, id);
  const [event, payload, attempts] = await Promise.all([
    ctx.db.event.findUnique({ where: { id: row.eventId }, select: { idempotencyKey: true, payloadSize: true } }),
    query.include.includes('payload') ? readPayload(ctx, row.eventId) : undefined,
    query.include.includes('attempts') ? readAttempts(ctx, row.id, { limit: LIMITS.deliveriesPageMost }) : undefined,
  ]);
  const cancelReason = ctx.sees.payloads ? row.cancelReason : null;
  const showsPayload = payload?.status === 'available' || attempts?.showsPayload === true || cancelReason !== null;
  if (showsPayload) await enterView(ctx, toId('dlv', row.id));
  if (attempts !== undefined) ctx.linkNext(attempts.next, `${deliveries}${toId('dlv', row.id)}/attempts`);
  return {
    ...(await presentOne(ctx.db, row, event)),
    cancelReason,
    ...(payload === undefined ? {} : { payload }),
    ...(attempts === undefined ? {} : { attempts: attempts.page }),
  };
}

/** A page of a delivery's attempts: the newest, or those before the cursor; oldest first. */
export async function listAttempts(ctx: WorkspaceContext, id: string, query: z.output<typeof listAttemptsQuery>) {
  const delivery = await requireDelivery(ctx, id);
  const { page, next, showsPayload } = await readAttempts(ctx, delivery.id, query);
  if (showsPayload) await enterView(ctx, toId('dlv', delivery.id));
  ctx.linkNext(next);
  return page;
}

/**
 * Starts another full schedule now. Refused while the delivery is being delivered, and when its payload has been
 * deleted.
 */
export async function retryDelivery(ctx: WorkspaceContext, id: string) {
  const before = await requireDelivery(ctx, id);
  if (before.isTest) throw invalid('A test is sent once and cannot be retried; send another test', 'path.id');
  const event = await ctx.db.event.findUnique({
    where: { id: before.eventId },
    select: { idempotencyKey: true, payloadSize: true },
  });
  if (event === null || isExpired(ctx, before.eventId) || (await isErased(ctx.db, before.eventId))) {
    throw new ApiError('payload_expired', 'The payload of this delivery is no longer kept');
  }
  const retried = await ctx.change('delivery.retried', async (transaction) => {
    const outcome = await retryDeliveryNow(transaction, before.id, LIMITS.manualRetriesPerDelivery);
    if (outcome.kind === 'missing') throw notFound('Delivery');
    if (outcome.kind === 'limit_reached') {
      const most = LIMITS.manualRetriesPerDelivery;
      throw new ApiError('limit_reached', `A delivery has at most ${most} manual retries`);
    }
    if (outcome.kind === 'in_progress') {
      throw new ApiError('delivery_in_progress', 'This delivery is being delivered right now');
    }
    const row = await transaction.delivery.findUniqueOrThrow({ where: { id: before.id } });
    const changes = { status: { from: outcome.from, to: row.status } };
    const entry = { resourceId: toId('dlv', row.id), changes, ...portalOf(ctx.bounds) };
    return { result: row, entry, readAnswer: () => presentOne(transaction, row, event) };
  });
  const { eventId, endpointId, workspaceId, generation } = retried;
  ctx.live.deliveryChanged({ workspaceId, deliveryId: retried.id, endpointId });
  if (retried.isPulled) ctx.wakeConsumers([endpointId]);
  else if (!isBehindHead(retried.dueAt)) {
    ctx.enqueue([{ deliveryId: retried.id, eventId, endpointId, workspaceId, generation, delayMs: 0 }]);
  }
  return presentOne(ctx.db, retried, event);
}

/** Ends a delivery that is still to be delivered. Refused while it is being delivered, and once it has ended. */
export async function cancelDelivery(ctx: WorkspaceContext, id: string) {
  const before = await requireDelivery(ctx, id);
  const event = await ctx.db.event.findUnique({
    where: { id: before.eventId },
    select: { idempotencyKey: true, payloadSize: true },
  });
  const cancelled = await ctx.change('delivery.cancelled', async (transaction) => {
    const outcome = await cancelInLedger(transaction, before.id);
    switch (outcome.kind) {
      case 'missing':
        throw notFound('Delivery');
      case 'in_progress':
        throw new ApiError('delivery_in_progress', 'This delivery is being delivered right now');
      case 'ended':
        throw new ApiError('not_cancellable', 'This delivery has ended');
      case 'cancelled': {
        const row = await transaction.delivery.findUniqueOrThrow({ where: { id: before.id } });
        const changes = { status: { from: outcome.from, to: row.status } };
        const entry = { resourceId: toId('dlv', row.id), changes, ...portalOf(ctx.bounds) };
        return { result: row, entry, readAnswer: () => presentOne(transaction, row, event) };
      }
    }
  });
  const { workspaceId, endpointId, eventType } = cancelled;
  ctx.live.deliveryChanged({ workspaceId, deliveryId: cancelled.id, endpointId });
  await enqueueHeads(ctx, [cancelled]);
  if (!cancelled.isTest) ctx.stats.countEnded({ workspaceId, endpointId, eventType }, 'failed');
  return presentOne(ctx.db, cancelled, event);
}

/** Enqueues the deliveries that were waiting for these, which have ended. */
export async function enqueueHeads(
  ctx: WorkspaceContext,
  ended: readonly Pick<DeliveryRow, 'endpointId' | 'orderingKey'>[],
): Promise<void> {
  const orders = ended.flatMap(({ endpointId, orderingKey }) =>
    orderingKey === null ? [] : [{ endpointId, orderingKey }],
  );
  ctx.enqueue(toRequests(await headsOf(ctx.db, orders)));
}

async function presentOne(db: Db | DbTransaction, row: DeliveryRow, event: EventPart | null) {
  const waitingFor = (await createWaitingFor(db, [row]))(row);
  const nextRetryAt = (await createNextRetryAt(db, [row]))(row);
  return presentDelivery(row, { event: event ?? undefined, waitingFor, nextRetryAt });
}

/** The delivery by its public id. A missing one and another workspace's have deliberately the same answer. */
async function requireDelivery(ctx: WorkspaceContext, id: string) {
  const uuid = fromId('dlv', id);
  const row =
    uuid === undefined
      ? null
      : await ctx.db.delivery.findUnique({ where: { id: uuid, workspaceId: ctx.workspace.id } });
  if (row === null || !(await withinBounds(ctx, row.endpointId))) throw notFound('Delivery');
  return row;
}

async function withinBounds({ db, bounds }: WorkspaceContext, endpointId: string): Promise<boolean> {
  if (bounds.environmentId === undefined) return true;
  return (await db.endpoint.count({ where: { id: endpointId, ...bounds } })) > 0;
}
