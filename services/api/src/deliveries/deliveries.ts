import type { deliveryDetailQuery, listEndpointDeliveriesQuery } from '@posthorn/contract/deliveries';
import { fromId, toId, uuidTime } from '@posthorn/contract/ids';
import { openCursor, sealCursor } from '@posthorn/crypto/cursor';
import { lowestKeyAt } from '@posthorn/db/partitions';
import { retryDeliveryNow } from '@posthorn/ledger/retry-now';
import { z } from 'zod';
import { requireEndpoint } from '../endpoints/endpoints.ts';
import type { WorkspaceContext } from '../http/context.ts';
import { ApiError, notFound } from '../http/error.ts';
import { readPayload } from './payload.ts';
import { presentAttempt } from './present-attempt.ts';
import { type DeliveryRow, presentDelivery } from './present-delivery.ts';

type ListQuery = z.output<typeof listEndpointDeliveriesQuery>;

/** An endpoint's deliveries, newest first, cut at exactly the retention. */
export async function listEndpointDeliveries(ctx: WorkspaceContext, endpointId: string, query: ListQuery) {
  const endpoint = await requireEndpoint(ctx, ctx.db, endpointId);
  const where = { endpointId: endpoint.id, ...(query.status === undefined ? {} : { status: query.status }) };
  return pageOf(ctx, where, { list: `endpoint:${endpoint.id}`, ...query });
}

export async function getDelivery(ctx: WorkspaceContext, id: string, query: z.output<typeof deliveryDetailQuery>) {
  const row = await requireDelivery(ctx, id);
  const [event, payload, attempts] = await Promise.all([
    ctx.db.event.findUnique({ where: { id: row.eventId }, select: { idempotencyKey: true, payloadSize: true } }),
    query.include.includes('payload') ? readPayload(ctx, row.eventId) : undefined,
    query.include.includes('attempts') ? readAttempts(ctx, row.id) : undefined,
  ]);
  return {
    ...presentDelivery(row, event ?? undefined),
    ...(payload === undefined ? {} : { payload }),
    ...(attempts === undefined ? {} : { attempts }),
  };
}

/** A delivery's attempts, oldest first. */
export async function listAttempts(ctx: WorkspaceContext, id: string) {
  return readAttempts(ctx, (await requireDelivery(ctx, id)).id);
}

/** Another round now, with one full schedule; refused while it is being delivered, or when its payload is gone. */
export async function retryDelivery(ctx: WorkspaceContext, id: string) {
  const before = await requireDelivery(ctx, id);
  const ageMs = ctx.clock.now().getTime() - uuidTime(before.eventId).getTime();
  const event = await ctx.db.event.findUnique({
    where: { id: before.eventId },
    select: { idempotencyKey: true, payloadSize: true },
  });
  if (event === null || ageMs >= ctx.settings.retentionDays * 86_400_000) {
    throw new ApiError('payload_expired', 'The payload of this delivery is gone');
  }
  const retried = await ctx.change('delivery.retried', async (transaction) => {
    const outcome = await retryDeliveryNow(transaction, before.id);
    if (outcome.kind === 'missing') throw notFound('Delivery');
    if (outcome.kind === 'in_progress') {
      throw new ApiError('delivery_in_progress', 'This delivery is being delivered right now');
    }
    const row = await transaction.delivery.findUniqueOrThrow({ where: { id: before.id } });
    const changes = { status: { from: before.status, to: row.status } };
    return {
      result: row,
      entry: { resourceId: toId('dlv', row.id), changes, applicationId: ctx.bounds.applicationId },
    };
  });
  ctx.ring([{ deliveryId: retried.id, eventId: retried.eventId, generation: retried.generation, delayMs: 0 }]);
  return presentDelivery(retried, event);
}

/** The delivery by its public id; missing and another workspace's are deliberately the same. */
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
  if (bounds.applicationId === undefined) return true;
  return (await db.endpoint.count({ where: { id: endpointId, ...bounds } })) > 0;
}

async function readAttempts(ctx: WorkspaceContext, deliveryId: string) {
  const rows = await ctx.db.attempt.findMany({ where: { deliveryId }, orderBy: [{ number: 'asc' }, { id: 'asc' }] });
  return rows.map(presentAttempt);
}

type PageInput = ListQuery & { list: string };

async function pageOf(ctx: WorkspaceContext, where: object, { list, limit, cursor, status }: PageInput) {
  const context = JSON.stringify([ctx.workspace.id, list, status ?? null]);
  const oldest = new Date(ctx.clock.now().getTime() - ctx.settings.retentionDays * 86_400_000);
  const before = cursor === undefined ? undefined : readCursor(ctx, cursor, context);
  const rows: DeliveryRow[] = await ctx.db.delivery.findMany({
    where: {
      ...where,
      workspaceId: ctx.workspace.id,
      id: { gte: lowestKeyAt(oldest), ...(before === undefined ? {} : { lt: before }) },
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const events = await ctx.db.event.findMany({
    where: { id: { in: page.map((row) => row.eventId) } },
    select: { id: true, idempotencyKey: true, payloadSize: true },
  });
  const byId = new Map(events.map((event) => [event.id, event]));
  return {
    deliveries: page.map((row) => presentDelivery(row, byId.get(row.eventId))),
    nextCursor:
      rows.length > limit && last !== undefined ? sealCursor(ctx.cursorKeys, { before: last.id }, context) : null,
  };
}

const cursorPosition = z.object({ before: z.uuid() });

function readCursor(ctx: WorkspaceContext, cursor: string, context: string): string {
  const position = cursorPosition.safeParse(openCursor(ctx.cursorKeys, cursor, context));
  if (!position.success) throw new ApiError('invalid_cursor', 'This cursor was altered, or belongs to another list');
  return position.data.before;
}
