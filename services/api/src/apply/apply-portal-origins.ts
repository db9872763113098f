import { ApiError } from '../http/error.ts';
import { updateWorkspace } from '../workspaces/workspaces.ts';
import { fieldOf } from './fields.ts';
import { note, type Work } from './work.ts';

/** Adds the origins of the document; with `prune` it has no others. They need the rights of the workspace's owner. */
export async function applyPortalOrigins(work: Work): Promise<void> {
  const { ctx, document, prune, transaction } = work;
  const given = document.portalOrigins;
  if (given === undefined) return;
  const { portalOrigins: before } = await transaction.workspace.findUniqueOrThrow({ where: { id: ctx.workspace.id } });
  const missing = given.filter((origin) => !before.includes(origin));
  const isSame = missing.length === 0 && (!prune || before.every((origin) => given.includes(origin)));
  const after = prune ? given : [...before, ...missing];
  const fields = isSame ? [] : fieldOf('portalOrigins', before, after);
  if (fields.length > 0 && !work.dryRun && ctx.role !== null && ctx.role !== 'owner') {
    throw new ApiError('forbidden', `This needs the role owner; yours is ${ctx.role}: portalOrigins would change`);
  }
  await work.attempt(['document'], async () => {
    if (fields.length > 0) await updateWorkspace(ctx, { portalOrigins: after });
    note(work, 'update', { kind: 'workspace', key: ctx.workspace.slug, fields });
  });
}
