import { newUuid, toId, uuidTime } from '@posthorn/contract/ids';
import type { searchIndexBody } from '@posthorn/contract/operations';
import type { OperationScope } from '@posthorn/ledger/operation-scope';
import type { z } from 'zod';
import { reachedEnvironments } from '../auth/bounds.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { presentOperation } from '../operations/present-operation.ts';
import { keyRange, requireRoom } from '../operations/start-operation.ts';
import { ApiError, invalid, notFound } from '../transport/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';

/** Starts the indexing of older events of a type by the search keys that it has now, or only counts them. */
export async function indexEvents(ctx: WorkspaceContext, body: z.output<typeof searchIndexBody>) {
  if (reachedEnvironments(ctx.bounds) !== undefined) {
    throw new ApiError('forbidden', 'This token is bound to environments, but an indexing concerns all of them');
  }
  const workspaceId = ctx.workspace.id;
  const { eventType, from, to } = body;
  const type = await ctx.db.eventType.findFirst({ where: { workspaceId, name: eventType } });
  if (type === null) throw notFound('Event type', eventType);
  if (type.searchKeys === null) throw invalid('eventType must have search keys', 'eventType');
  const range = keyRange(ctx, { from, to }, { from: 'from', to: 'to' });
  const scope: OperationScope = { workspaceId, eventTypes: [eventType], statuses: [], missed: false, ...range };
  if (body.dryRun) return ctx.inListTurn(() => summary(ctx, scope));
  return ctx.change('operation.started', async (transaction) => {
    await lockWorkspace(transaction, workspaceId);
    await requireRoom(ctx, transaction);
    const filter = { eventType, from: from ?? null, to: to ?? null };
    const id = newUuid(ctx.clock.now());
    // An indexing is not counted before it runs: each event that it reads counts as found.
    const row = await transaction.operation.create({
      data: { id, workspaceId, type: 'search_index', status: 'running', isCounted: true, filter, scope },
    });
    const part = { operationId: id, endpointId: type.id, phase: 'search_index' as const, position: scope.after };
    await transaction.operationPart.create({ data: part });
    const changes = { type: { from: null, to: 'search_index' }, filter: { from: null, to: filter } };
    return { result: presentOperation(row), entry: { resourceId: toId('op', id), changes } };
  });
}

/** Counts the events that would be indexed. */
async function summary(
  { listDb }: WorkspaceContext,
  { workspaceId, eventTypes: [name = ''] = [], after, end }: OperationScope,
) {
  const [row] = await listDb.$queryRaw<{ matched: number; oldest: string | null; newest: string | null }[]>`
    select count(*)::int as matched, min(id::text) as oldest, max(id::text) as newest from event
    where workspace_id = ${workspaceId}::uuid and id > ${after}::uuid and id < ${end}::uuid and event_type = ${name}
      and payload is not null and not is_test`;
  const { matched = 0, oldest = null, newest = null } = row ?? {};
  const eventTypesFound = matched === 0 ? {} : { [name]: matched };
  return { id: null, matched, oldest: timeOf(oldest), newest: timeOf(newest), eventTypes: eventTypesFound };
}

const timeOf = (id: string | null) => (id === null ? null : uuidTime(id).toISOString());
