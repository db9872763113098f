import type { applyBody, WorkspaceChange } from '@posthorn/contract/apply';
import type { Db } from '@posthorn/db/client';
import type { z } from 'zod';
import { planRequired } from '../auth/principal.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError } from '../transport/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { applyApplications } from './apply-applications.ts';
import { applyEndpoints } from './apply-endpoints.ts';
import { applyEnvironments } from './apply-environments.ts';
import { applyEventTypes, removeEventTypes } from './apply-event-types.ts';
import { applyPortal } from './apply-portal.ts';
import { applySources } from './apply-sources.ts';
import { checkDocument } from './check-document.ts';
import { createFaults } from './faults.ts';
import { withVettedUrls } from './vetted-urls.ts';
import type { Work } from './work.ts';

/**
 * Makes the workspace like the document, in one transaction, and answers the differences. The operations of the
 * interface make each change, so their rules hold, and each has its audit entry. A dry run does the same, and is rolled
 * back. The error of a refused document names every fault that was found.
 */
export async function applyWorkspace(
  ctx: WorkspaceContext,
  { document, dryRun, prune, part, keep = {} }: z.output<typeof applyBody>,
) {
  refuseRights(ctx, document);
  checkDocument(document);
  const vetted = await withVettedUrls(ctx, document);
  return ctx.changeTogether(!dryRun, async (transaction, change) => {
    // Two documents are applied one after the other. A dry run waits only where it would change something.
    if (!dryRun) await lockWorkspace(transaction, ctx.workspace.id);
    const faults = createFaults(transaction);
    const work: Work = {
      ctx: {
        ...vetted,
        // The operations read what they have written.
        db: transaction as Db,
        listDb: transaction as Db,
        change,
        // A dry run keeps nothing, so everybody may have transformations checked by it.
        mayTransform: dryRun || ctx.mayTransform,
      },
      ...{
        transaction,
        document,
        prune,
        removes: prune && !part,
        keep,
        dryRun,
        comparesStored: !dryRun || mayApply(ctx),
        changes: [] as WorkspaceChange[],
        attempt: faults.attempt,
      },
    };
    const environments = await applyEnvironments(work);
    const eventTypes = await applyEventTypes(work, environments);
    await applyApplications(work);
    await applyEndpoints(work, { environments, eventTypes });
    await applySources(work, environments);
    await applyPortal(work);
    await removeEventTypes(work);
    faults.refuse();
    return { changes: work.changes, counts: countsOf(work.changes), applied: !dryRun };
  });
}

/** Refuses a document with parts that need more than the right to apply one. */
function refuseRights(ctx: WorkspaceContext, document: Work['document']): void {
  if (Object.keys(ctx.bounds).length > 0) {
    throw new ApiError('forbidden', 'This token is bound to environments, but a document is about the whole workspace');
  }
  if ((document.applications ?? []).length > 0 && ctx.workspace.plan === 'free') throw planRequired();
}

/** Whether the caller may also apply a document, beyond its dry run. */
function mayApply({ role, grantable }: WorkspaceContext): boolean {
  return role === null ? grantable.includes('endpoints:write') : role === 'admin' || role === 'owner';
}

function countsOf(changes: readonly WorkspaceChange[]) {
  const count = (wanted: WorkspaceChange['action']) => changes.filter(({ action }) => action === wanted).length;
  return { create: count('create'), update: count('update'), remove: count('remove'), none: count('none') };
}
