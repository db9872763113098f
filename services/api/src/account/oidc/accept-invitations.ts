import { toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { writeEntry } from '../../audit/change.ts';
import { type UserRecord, userActor } from '../../auth/session-token.ts';
import { lockWorkspace, mayOwnAnother } from '../../workspaces/lock.ts';
import type { AccountContext } from '../account-route.ts';

/** More of one address wait for the next sign-in. */
const MOST_AT_ONCE = 100;

/**
 * Makes the person a member of each workspace that invites the verified address: the provider has verified it, as the link
 * of the mail would. If the person already owns as many workspaces as are allowed, an invitation as owner stays open.
 */
export async function acceptInvitations(
  ctx: AccountContext,
  transaction: DbTransaction,
  { user, email }: { user: UserRecord; email: string },
): Promise<void> {
  const now = ctx.clock.now();
  const invitations = await transaction.invitation.findMany({
    where: { email, tokenEndsAt: { gt: now } },
    orderBy: { workspaceId: 'asc' },
    take: MOST_AT_ONCE,
  });
  for (const { id, workspaceId } of invitations) {
    await lockWorkspace(transaction, workspaceId);
    // Its role is the one of now, and it may have been accepted or withdrawn meanwhile.
    const open = await transaction.invitation.findUnique({ where: { id }, select: { role: true } });
    if (open === null) continue;
    if (open.role === 'owner' && !(await mayOwnAnother(ctx, transaction, user.id))) continue;
    await transaction.invitation.delete({ where: { id } });
    const membership = { workspaceId, userId: user.id, role: open.role, createdAt: now };
    await transaction.member.createMany({ data: [membership], skipDuplicates: true });
    const by = { workspaceId, actor: userActor(user), origin: ctx.origin, clock: ctx.clock };
    const changes = {
      status: { from: 'invited', to: 'active' },
      userId: { from: toId('usr', id), to: toId('usr', user.id) },
    };
    await writeEntry(transaction, by, 'member.accepted', { resourceId: toId('usr', user.id), changes });
  }
}
