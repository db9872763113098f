import { toId } from '@posthorn/contract/ids';
import type { PageQuery } from '@posthorn/contract/primitives';
import type { createWorkspaceBody } from '@posthorn/contract/workspaces';
import { inTransaction } from '@posthorn/db/transaction';
import type { z } from 'zod';
import { writeEntry } from '../audit/change.ts';
import { userActor } from '../auth/session-token.ts';
import { refuseTakenSlug } from '../environments/environments.ts';
import { listRows } from '../operation/list-rows.ts';
import { ApiError } from '../transport/error.ts';
import { requireMayOwn } from '../workspaces/lock.ts';
import { insertWorkspace } from '../workspaces/new-workspace.ts';
import { presentWorkspace } from '../workspaces/workspaces.ts';
import { listContextOf, type SessionContext } from './account-route.ts';

/** The workspaces that the caller is a member of, oldest first, each with the caller's role. */
export async function listOwnWorkspaces(ctx: SessionContext, { query }: { query: PageQuery }) {
  const { db, session } = ctx;
  return listRows(listContextOf(ctx), query, {
    name: ['workspaces'],
    async read({ after, take }) {
      const members = await db.member.findMany({
        where: { userId: session.user.id, ...(after === undefined ? {} : { workspaceId: { gt: after } }) },
        orderBy: { workspaceId: 'asc' },
        take,
        include: { workspace: true },
      });
      return members.map(({ workspace, role }) => ({ ...workspace, role }));
    },
    present: ({ role, ...workspace }) => ({ ...presentWorkspace(workspace), role }),
  });
}

/**
 * Creates a workspace with the install's default plan and its production environment; the caller becomes its owner.
 * `limit_reached` when the caller owns or has created as many as the install allows, `forbidden` when only its operator creates
 * any, or the caller's address is not proved.
 */
export async function createWorkspace(ctx: SessionContext, { body }: { body: z.output<typeof createWorkspaceBody> }) {
  const { db, session, origin, settings, clock } = ctx;
  if (settings.workspaceCreation === 'operators') {
    throw new ApiError('forbidden', 'Only the operator of this installation can create workspaces');
  }
  return inTransaction(db, async (transaction) => {
    await requireMayOwn(ctx, transaction, session.user);
    const { workspace } = await insertWorkspace(transaction, clock, {
      ...body,
      plan: settings.defaultPlan,
      createdBy: session.user.id,
    });
    await transaction.member.create({
      data: { workspaceId: workspace.id, userId: session.user.id, role: 'owner' },
    });
    const by = { workspaceId: workspace.id, actor: userActor(session.user), origin, clock };
    const changes = {
      name: { from: null, to: workspace.name },
      slug: { from: null, to: workspace.slug },
      ...(body.requireApplication === true && { requireApplication: { from: null, to: true } }),
    };
    await writeEntry(transaction, by, 'workspace.created', { resourceId: toId('ws', workspace.id), changes });
    return { ...presentWorkspace(workspace), role: 'owner' as const };
  }).catch(refuseTakenSlug);
}
