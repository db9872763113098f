import { newUuid, toId, uuidTime } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import type { OperationScope } from '@posthorn/ledger/operation-scope';
import type { Changes } from '../audit/change.ts';
import { portalOf } from '../auth/bounds.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError, invalid } from '../transport/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { retentionMs } from '../workspaces/retention.ts';
import { presentOperation } from './present-operation.ts';

export type StartOperation = {
  type: 'recovery' | 'retry' | 'cancel';
  /** The only endpoint that it concerns; undefined for a bulk over several. */
  endpointId: string | undefined;
  scope: OperationScope;
  /** The filter as the caller gave it, which answers repeat. */
  filter: object;
};

/** Records an operation for the dispatchers, with a part for each endpoint that may have matching deliveries. */
export async function startOperation(ctx: WorkspaceContext, { type, endpointId, scope, filter }: StartOperation) {
  const id = newUuid(ctx.clock.now());
  const action = type === 'recovery' ? 'recovery.started' : 'operation.started';
  return ctx.change(action, async (transaction) => {
    await lockWorkspace(transaction, ctx.workspace.id);
    await requireRoom(ctx, transaction);
    const row = await transaction.operation.create({
      data: {
        id,
        workspaceId: ctx.workspace.id,
        endpointId: endpointId ?? null,
        portalApplicationId: ctx.bounds.applicationId ?? null,
        type,
        filter,
        scope,
      },
    });
    const phase = scope.statuses.length > 0 ? 'count_deliveries' : scope.missed ? 'count_events' : 'done';
    await transaction.$executeRaw`
      insert into operation_part (operation_id, endpoint_id, phase, position)
      select ${id}::uuid, id, ${phase}::operation_phase, ${scope.after}::uuid from endpoint
      where workspace_id = ${ctx.workspace.id}::uuid
        and (${endpointId ?? null}::uuid is null or id = ${endpointId ?? null}::uuid)
        and (${scope.environmentId ?? null}::uuid is null or environment_id = ${scope.environmentId ?? null}::uuid)
        and (${scope.applicationId ?? null}::uuid is null or application_id = ${scope.applicationId ?? null}::uuid)
        and (deleted_at is null or deleted_at > ${uuidTime(scope.after)}::timestamptz)
        and (${endpointId ?? null}::uuid is not null or deleted_at is null or ${hasDelivery(scope)})`;
    const changes: Changes = { type: { from: null, to: type }, filter: { from: null, to: filter } };
    if (endpointId !== undefined) changes.endpointId = { from: null, to: toId('ep', endpointId) };
    return { result: presentOperation(row), entry: { resourceId: toId('op', id), changes, ...portalOf(ctx.bounds) } };
  });
}

/**
 * Whether a deleted endpoint has a delivery in the range, by one look-up in the index. So an operation has no parts for
 * the many endpoints that were created and deleted since the beginning of its range. Every other endpoint has a part,
 * because an event of the range may still be fanned out to it. The offset keeps Postgres from reading all deliveries of
 * the range instead.
 */
function hasDelivery({ after, end }: OperationScope): Prisma.Sql {
  return Prisma.sql`exists (
    select from delivery d where d.endpoint_id = endpoint.id and d.id > ${after}::uuid and d.id < ${end}::uuid offset 0)`;
}

/**
 * Refuses a further open operation at the limit. The operations of portals have a limit of their own, so that customers
 * never take one from the workspace.
 */
export async function requireRoom({ workspace, bounds }: WorkspaceContext, transaction: DbTransaction): Promise<void> {
  const { applicationId = null } = bounds;
  const open = await transaction.operation.findMany({
    where: {
      workspaceId: workspace.id,
      finishedAt: null,
      portalApplicationId: applicationId === null ? null : { not: null },
    },
    select: { portalApplicationId: true },
    take: LIMITS.openOperationsPerWorkspace + LIMITS.openOperationsOfPortals,
  });
  if (applicationId === null) {
    refuseBeyond(open.length, LIMITS.openOperationsPerWorkspace, 'A workspace has');
    return;
  }
  refuseBeyond(open.length, LIMITS.openOperationsOfPortals, 'All portals of a workspace together have');
  const own = open.filter((one) => one.portalApplicationId === applicationId);
  refuseBeyond(own.length, LIMITS.openOperationsPerPortal, 'The portal of an application has');
}

function refuseBeyond(open: number, most: number, who: string): void {
  if (open >= most) throw new ApiError('limit_reached', `${who} at most ${most} open operations`);
}

/**
 * The keys of a time range not before `oldestMs`, the beginning of the retention if it is not given, and not after now:
 * `from` inclusive, `to` exclusive. `names` are the caller's fields.
 */
export function keyRange(
  ctx: WorkspaceContext,
  given: { from: string | undefined; to: string | undefined; oldestMs?: number },
  names: { from: string; to: string },
): { after: string; end: string } {
  const nowMs = ctx.clock.now().getTime();
  const { oldestMs = nowMs - retentionMs(ctx) } = given;
  const fromMs = Math.max(oldestMs, given.from === undefined ? oldestMs : Date.parse(given.from));
  const toMs = given.to === undefined ? Number.POSITIVE_INFINITY : Date.parse(given.to);
  if (given.oldestMs === undefined && toMs <= oldestMs) {
    throw invalid(`${names.to} must be after the beginning of the retention`, names.to);
  }
  if (fromMs >= Math.min(toMs, nowMs))
    throw invalid(`${names.from} must be before ${names.to} and before now`, names.from);
  // End a millisecond after now, so that an event that has just been accepted belongs to the range.
  return { after: lowestKeyAt(new Date(fromMs)), end: lowestKeyAt(new Date(Math.min(toMs, nowMs + 1))) };
}
