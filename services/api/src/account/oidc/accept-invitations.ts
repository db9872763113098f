import type { Role } from '@posthorn/contract/access';
import { toId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import { writeEntry } from '../../audit/change.ts';
import { type UserRecord, userActor } from '../../auth/session-token.ts';
import { lockWorkspace } from '../../workspaces/lock.ts';
import type { AccountContext } from '../account-route.ts';

/** More of one address wait for the next sign-in. */
const MOST_AT_ONCE = 100;

/** Makes the person a member where the verified address is invited: its provider stands in for the link of the mail. */
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
    const [taken] = await transaction.$queryRaw<{ role: Role }[]>`
      delete from invitation where id = ${id}::uuid returning role::text as role`;
    if (taken === undefined) continue;
    const membership = { workspaceId, userId: user.id, role: taken.role, createdAt: now };
    await transaction.member.createMany({ data: [membership], skipDuplicates: true });
    const by = { workspaceId, actor: userActor(user), origin: ctx.origin, clock: ctx.clock };
    const changes = {
      status: { from: 'invited', to: 'active' },
      userId: { from: toId('usr', id), to: toId('usr', user.id) },
    };
    await writeEntry(transaction, by, 'member.accepted', { resourceId: toId('usr', user.id), changes });
  }
}
