import type { changePasswordBody } from '@posthorn/contract/accounts';
import { toId } from '@posthorn/contract/ids';
import { inTransaction } from '@posthorn/db/transaction';
import type { z } from 'zod';
import { writeEntriesOfUser } from '../audit/change.ts';
import { hashPassword, passwordMatches } from '../auth/password.ts';
import { userActor } from '../auth/session-token.ts';
import { ApiError } from '../transport/error.ts';
import type { SessionContext } from './account-route.ts';
import { reportFailedLogin } from './failed-login.ts';
import { holdSession } from './sessions.ts';

type Body = z.output<typeof changePasswordBody>;

/**
 * Sets a new password and ends every other session of the person. A wrong current password is `unauthorized`, changes
 * nothing and counts as a failed login.
 */
export async function changePassword(ctx: SessionContext, { body }: { body: Body }) {
  const { user } = ctx.session;
  const who = { account: user.email, address: ctx.origin.ip ?? '' };
  if ((await ctx.loginLimit.attempt(who, () => replacePassword(ctx, body))) === true) return undefined;
  reportFailedLogin(ctx, user);
  throw new ApiError('unauthorized', 'currentPassword is not the password of the account');
}

async function replacePassword(ctx: SessionContext, body: Body): Promise<true | undefined> {
  const { session } = ctx;
  const { id: sessionId, user } = session;
  const before = await ctx.db.user.findUniqueOrThrow({ where: { id: user.id }, select: { passwordHash: true } });
  if (!(await passwordMatches(before.passwordHash, body.currentPassword))) return undefined;
  const passwordHash = await hashPassword(body.newPassword);
  return inTransaction(ctx.db, async (transaction) => {
    await holdSession(transaction, session);
    const { count } = await transaction.user.updateMany({
      where: { id: user.id, passwordHash: before.passwordHash },
      data: { passwordHash, setPasswordDigest: null, setPasswordTokenEndsAt: null },
    });
    // Another request has changed it meanwhile.
    if (count === 0) return undefined;
    await transaction.session.deleteMany({ where: { userId: user.id, id: { not: sessionId } } });
    const by = { userId: user.id, actor: userActor(user), origin: ctx.origin, clock: ctx.clock };
    const changes = { password: { from: '[redacted]', to: '[redacted]' } };
    await writeEntriesOfUser(transaction, by, 'member.password_changed', { resourceId: toId('usr', user.id), changes });
    return true as const;
  });
}
