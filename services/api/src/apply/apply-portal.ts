import { LIMITS } from '@posthorn/contract/limits';
import { ApiError, invalid } from '../transport/error.ts';
import { presentPortalTerms, updateWorkspace } from '../workspaces/workspaces.ts';
import { fieldOf } from './fields.ts';
import { note, type Work } from './work.ts';

/**
 * Adds the portal origins of the document, and takes its words; with `prune` the portal has no other origins. Changes
 * need the rights of the workspace's owner.
 */
export async function applyPortal(work: Work): Promise<void> {
  const { ctx, document, dryRun, removes, transaction } = work;
  const { portalOrigins: origins, portalTerms } = document;
  if (origins === undefined && portalTerms === undefined) return;
  const row = await transaction.workspace.findUniqueOrThrow({ where: { id: ctx.workspace.id } });
  const before = row.portalOrigins;
  const missing = (origins ?? []).filter((origin) => !before.includes(origin));
  const isSame = missing.length === 0 && (!removes || before.every((origin) => origins?.includes(origin) ?? true));
  const portalOrigins = isSame ? undefined : removes ? origins : [...before, ...missing];
  const fields = [
    ...fieldOf('portalOrigins', before, portalOrigins),
    ...fieldOf('portalTerms', presentPortalTerms(row), portalTerms),
  ];
  if (fields.length > 0 && !dryRun && ctx.role !== null && ctx.role !== 'owner') {
    const changing = fields.map(({ field }) => field).join(' and ');
    throw new ApiError('forbidden', `This needs the role owner; yours is ${ctx.role}: ${changing} would change`);
  }
  await work.attempt(['document'], async () => {
    if (portalOrigins !== undefined && portalOrigins.length > LIMITS.portalOrigins) {
      const rule = `must have at most ${LIMITS.portalOrigins} origins, the present ones included`;
      throw invalid(`portalOrigins ${rule}`, 'portalOrigins');
    }
    if (fields.length > 0) await updateWorkspace(ctx, { portalOrigins, portalTerms }, { dryRun });
    note(work, 'update', { kind: 'workspace', key: ctx.workspace.slug, fields });
  });
}
