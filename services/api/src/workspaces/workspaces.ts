import { toId } from '@posthorn/contract/ids';
import type { updateWorkspaceBody } from '@posthorn/contract/workspaces';
import type { z } from 'zod';
import { diff } from '../audit/change.ts';
import type { WorkspaceContext } from '../http/context.ts';
import { lockWorkspace } from './lock.ts';

/** The workspace, as the door has just read it. */
export async function getWorkspace(ctx: WorkspaceContext) {
  return presentWorkspace(ctx.workspace);
}

export async function updateWorkspace(ctx: WorkspaceContext, { name }: z.output<typeof updateWorkspaceBody>) {
  return ctx.change('workspace.updated', async (transaction) => {
    await lockWorkspace(transaction, ctx.workspace.id);
    const before = await transaction.workspace.findUniqueOrThrow({ where: { id: ctx.workspace.id } });
    if (name === undefined || name === before.name) return { result: presentWorkspace(before), entry: null };
    const row = await transaction.workspace.update({
      where: { id: before.id },
      data: { name, updatedAt: ctx.clock.now() },
    });
    const changes = diff({ name: before.name }, { name });
    return { result: presentWorkspace(row), entry: { resourceId: toId('ws', row.id), changes } };
  });
}

export function presentWorkspace(row: WorkspaceContext['workspace']) {
  return {
    id: toId('ws', row.id),
    name: row.name,
    slug: row.slug,
    plan: row.plan,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
