import { fromId, toId } from '@posthorn/contract/ids';
import type { listOperationsQuery } from '@posthorn/contract/operations';
import type { Prisma } from '@posthorn/db/generated/client';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { endOperation, pauseOperation } from '@posthorn/ledger/end-operation';
import type { z } from 'zod';
import { reachedEnvironments } from '../auth/bounds.ts';
import { requireRole } from '../auth/principal.ts';
import { ownEndpointIds } from '../endpoints/own-endpoint-ids.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { requireEverEndpoint, requireEverEnvironment } from '../operation/history-filters.ts';
import { openPageCursor, sealPageCursor } from '../operation/page-cursor.ts';
import { ApiError, notFound } from '../transport/error.ts';
import { retentionMs } from '../workspaces/retention.ts';
import { presentOperation } from './present-operation.ts';

/**
 * The workspace's operations, newest first, within the retention, and those that have not ended. A portal sees those that
 * concern a single endpoint of its application.
 */
export async function listOperations(ctx: WorkspaceContext, query: z.output<typeof listOperationsQuery>) {
  const { endpoint_id, environment_id, status, limit, cursor } = query;
  const endpointId =
    endpoint_id === undefined ? undefined : (await requireEverEndpoint(ctx, endpoint_id, environment_id)).id;
  const within =
    environment_id === undefined ? [] : [inEnvironments([await requireEverEnvironment(ctx, environment_id)])];
  const endpointIds = endpointId === undefined ? await ownEndpointIds(ctx, ctx.db) : [endpointId];
  const list = [
    'operations',
    endpointId ?? null,
    status ?? null,
    ...(environment_id === undefined ? [] : [environment_id]),
  ];
  const before = cursor === undefined ? undefined : openPageCursor(ctx, cursor, list);
  const rows = await ctx.db.operation.findMany({
    where: {
      workspaceId: ctx.workspace.id,
      AND: [scopeWithin(ctx), ...within, isShown(ctx)],
      ...(endpointIds === undefined ? {} : { endpointId: { in: endpointIds } }),
      ...(status === undefined ? {} : { status }),
      ...(before === undefined ? {} : { id: { lt: before } }),
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  return {
    operations: page.map(presentOperation),
    nextCursor: rows.length > limit ? sealPageCursor(ctx, page.at(-1)?.id, list) : null,
  };
}

function isShown(ctx: Pick<WorkspaceContext, 'clock' | 'settings' | 'workspace'>): Prisma.OperationWhereInput {
  const oldest = lowestKeyAt(new Date(ctx.clock.now().getTime() - retentionMs(ctx)));
  return { OR: [{ id: { gte: oldest } }, { finishedAt: null }] };
}

export async function getOperation(ctx: WorkspaceContext, id: string) {
  return presentOperation(await requireOperation(ctx, id));
}

/** Ends an operation. Deliveries that it has enqueued go on. */
export async function cancelOperation(ctx: WorkspaceContext, id: string) {
  const before = await requireChangeable(ctx, id);
  return ctx.change('operation.cancelled', async (transaction) => {
    if (!(await endOperation(transaction, { operationId: before.id, status: 'cancelled' }))) {
      throw new ApiError('not_cancellable', 'This operation has ended');
    }
    const row = await transaction.operation.findUniqueOrThrow({ where: { id: before.id } });
    const changes = { status: { from: before.status, to: row.status } };
    return { result: presentOperation(row), entry: { resourceId: toId('op', before.id), changes } };
  });
}

/** Pauses an operation, or lets it go on. An operation that is in this state already stays so. */
export async function setOperationPaused(ctx: WorkspaceContext, id: string, isPaused: boolean) {
  const before = await requireChangeable(ctx, id);
  return ctx.change(isPaused ? 'operation.paused' : 'operation.resumed', async (transaction) => {
    const changed = await pauseOperation(transaction, { operationId: before.id, isPaused });
    const row = await transaction.operation.findUniqueOrThrow({ where: { id: before.id } });
    if (row.finishedAt !== null) throw new ApiError('not_cancellable', 'This operation has ended');
    const result = presentOperation(row);
    if (!changed) return { result, entry: null };
    const changes = { pausedAt: { from: before.pausedAt?.toISOString() ?? null, to: result.pausedAt } };
    return { result, entry: { resourceId: toId('op', before.id), changes } };
  });
}

/** Only those who may start an erasure may stop it. */
async function requireChangeable(ctx: WorkspaceContext, id: string) {
  const row = await requireOperation(ctx, id);
  if (row.type === 'erasure') requireRole(ctx, 'admin');
  return row;
}

async function requireOperation({ db, workspace, bounds }: WorkspaceContext, id: string) {
  const uuid = fromId('op', id);
  const row =
    uuid === undefined
      ? null
      : await db.operation.findFirst({ where: { id: uuid, workspaceId: workspace.id, ...scopeWithin({ bounds }) } });
  if (row === null) throw notFound('Operation');
  if (bounds.applicationId === undefined) return row;
  const isOwn = row.endpointId !== null && (await db.endpoint.count({ where: { id: row.endpointId, ...bounds } })) > 0;
  if (!isOwn) throw notFound('Operation');
  return row;
}

/** The condition for operations that a bound token sees: those whose scope names one of its environments. */
function scopeWithin({ bounds }: Pick<WorkspaceContext, 'bounds'>): Prisma.OperationWhereInput {
  const reached = bounds.applicationId === undefined ? reachedEnvironments(bounds) : undefined;
  return reached === undefined ? {} : inEnvironments(reached);
}

function inEnvironments(ids: readonly string[]): Prisma.OperationWhereInput {
  return { OR: ids.map((id) => ({ scope: { path: ['environmentId'], equals: id } })) };
}
