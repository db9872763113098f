import { fromId, toId } from '@posthorn/contract/ids';
import type { updateWorkspaceBody } from '@posthorn/contract/workspaces';
import type { DbTransaction } from '@posthorn/db/client';
import type { z } from 'zod';
import { diff } from '../audit/change.ts';
import type { WorkspaceContext } from '../http/context.ts';
import { ApiError } from '../http/error.ts';
import { lockWorkspace } from './lock.ts';

/** The workspace, as it was read during authentication. */
export async function getWorkspace(ctx: WorkspaceContext) {
  return presentWorkspace(ctx.workspace);
}

/** For owners, for tokens that an owner created, and for tokens that were created at the installation. */
export async function updateWorkspace(ctx: WorkspaceContext, body: z.output<typeof updateWorkspaceBody>) {
  return ctx.change('workspace.updated', async (transaction) => {
    await lockWorkspace(transaction, ctx.workspace.id);
    await refuseTokenOfNoOwner(ctx, transaction);
    const before = await transaction.workspace.findUniqueOrThrow({ where: { id: ctx.workspace.id } });
    const { name = before.name, portalOrigins = before.portalOrigins } = body;
    const changes = diff({ name: before.name, portalOrigins: before.portalOrigins }, { name, portalOrigins });
    if (Object.keys(changes).length === 0) return { result: presentWorkspace(before), entry: null };
    const row = await transaction.workspace.update({
      where: { id: before.id },
      data: { name, portalOrigins, updatedAt: ctx.clock.now() },
    });
    return { result: presentWorkspace(row), entry: { resourceId: toId('ws', row.id), changes } };
  });
}

/**
 * A token may do here what its creator may do now: otherwise an admin could create a token with more rights than the
 * admin has.
 */
async function refuseTokenOfNoOwner({ workspace, actor }: WorkspaceContext, transaction: DbTransaction): Promise<void> {
  if (actor.type !== 'management_token') return;
  const token = await transaction.managementToken.findUnique({
    where: { id: fromId('tok', actor.id) ?? '' },
    select: { createdBy: true },
  });
  // A token that was deleted meanwhile has no rights.
  const maker = token === null ? undefined : token.createdBy;
  if (maker === null) return;
  const owners = maker === undefined ? 0 : await transaction.member.count({ where: ownedBy(workspace.id, maker) });
  if (owners > 0) return;
  throw new ApiError('forbidden', 'This token was made by a user who is no owner of the workspace');
}

function ownedBy(workspaceId: string, userId: string) {
  return { workspaceId, userId, role: 'owner' as const };
}

export function presentWorkspace(row: WorkspaceContext['workspace']) {
  return {
    id: toId('ws', row.id),
    name: row.name,
    slug: row.slug,
    plan: row.plan,
    portalOrigins: row.portalOrigins,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
