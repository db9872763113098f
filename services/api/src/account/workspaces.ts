import { toId } from '@posthorn/contract/ids';
import type { createWorkspaceBody } from '@posthorn/contract/workspaces';
import { inTransaction } from '@posthorn/db/transaction';
import type { z } from 'zod';
import { writeEntry } from '../audit/change.ts';
import { userActor } from '../auth/session-token.ts';
import { refuseTakenSlug } from '../environments/environments.ts';
import { insertWorkspace } from '../workspaces/new-workspace.ts';
import { presentWorkspace } from '../workspaces/workspaces.ts';
import type { SessionContext } from './account-route.ts';

/** The workspaces that the caller is a member of, oldest first, each with the caller's role. */
export async function listOwnWorkspaces({ db, session }: SessionContext) {
  const members = await db.member.findMany({
    where: { userId: session.user.id },
    orderBy: { workspaceId: 'asc' },
    include: { workspace: true },
  });
  return members.map(({ workspace, role }) => ({ ...presentWorkspace(workspace), role }));
}

/** A workspace of the install's default plan, with its production environment; the caller becomes its owner. */
export async function createWorkspace(ctx: SessionContext, body: z.output<typeof createWorkspaceBody>) {
  const { db, session, origin, settings, clock } = ctx;
  return inTransaction(db, async (transaction) => {
    const { workspace } = await insertWorkspace(transaction, clock, { ...body, plan: settings.defaultPlan });
    await transaction.member.create({
      data: { workspaceId: workspace.id, userId: session.user.id, role: 'owner' },
    });
    const by = { workspaceId: workspace.id, actor: userActor(session.user), origin, clock };
    const changes = { name: { from: null, to: workspace.name }, slug: { from: null, to: workspace.slug } };
    await writeEntry(transaction, by, 'workspace.created', { resourceId: toId('ws', workspace.id), changes });
    return { ...presentWorkspace(workspace), role: 'owner' as const };
  }).catch(refuseTakenSlug);
}
