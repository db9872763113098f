import type { setPasswordBody } from '@posthorn/contract/accounts';
import { toId } from '@posthorn/contract/ids';
import { digestToken } from '@posthorn/crypto/token';
import { inTransaction } from '@posthorn/db/transaction';
import type { z } from 'zod';
import { writeEntriesOfUser } from '../audit/change.ts';
import { hashPassword } from '../auth/password.ts';
import { userActor } from '../auth/session-token.ts';
import { acceptInvitation, refusedToken } from './accept-invitation.ts';
import type { AccountContext } from './account-route.ts';
import { reportFailedLogin } from './failed-login.ts';
import { endUnprovenAccess, proveAddress } from './prove-address.ts';

/**
 * Uses a one-time token of an invitation, which the password accepts, or of a password reset. `unauthorized` for a
 * token that is unknown, used or expired, and for a password that is not the account's; both count as failed logins.
 */
export async function setPassword(ctx: AccountContext, { body }: { body: z.output<typeof setPasswordBody> }) {
  const use = await findUse(ctx, body);
  const address = ctx.origin.ip ?? '';
  const done = await ctx.loginLimit.attempt({ account: use?.email, address }, async () => use?.run());
  if (done !== undefined) return undefined;
  const user =
    use && (await ctx.db.user.findUnique({ where: { email: use.email }, select: { id: true, email: true } }));
  reportFailedLogin(ctx, user ?? undefined);
  throw refusedToken();
}

/** The operation for which the token is valid now; undefined for an invalid token. */
async function findUse(ctx: AccountContext, { token, password }: z.output<typeof setPasswordBody>) {
  const digest = digestToken(token);
  const now = ctx.clock.now();
  const invitation = await ctx.db.invitation.findUnique({ where: { digest, tokenEndsAt: { gt: now } } });
  if (invitation !== null) {
    return { email: invitation.email, run: () => acceptInvitation(ctx, { ...invitation, digest }, password) };
  }
  const account = { setPasswordDigest: digest, setPasswordTokenEndsAt: { gt: now } };
  const user = await ctx.db.user.findUnique({ where: account, select: { email: true } });
  if (user === null) return undefined;
  return { email: user.email, run: () => resetPassword(ctx, account, password) };
}

type ResetAccount = { setPasswordDigest: Uint8Array<ArrayBuffer>; setPasswordTokenEndsAt: { gt: Date } };

/**
 * Sets the password without the old one. Every session ends, and every other token of the person becomes void. The link of a mail
 * proves the address. A link of the operator does not, but it also ends what somebody else may have added before a proof.
 */
async function resetPassword(ctx: AccountContext, where: ResetAccount, password: string): Promise<true> {
  const passwordHash = await hashPassword(password);
  return inTransaction(ctx.db, async (transaction) => {
    const mailed = await transaction.user.count({ where: { ...where, mailedDigest: where.setPasswordDigest } });
    const [user] = await transaction.user.updateManyAndReturn({
      where,
      data: {
        passwordHash,
        setPasswordDigest: null,
        setPasswordTokenEndsAt: null,
        signInDigest: null,
        signInTokenEndsAt: null,
      },
      select: { id: true, email: true },
    });
    // Another request has used it meanwhile.
    if (user === undefined) throw refusedToken();
    if (mailed > 0) await proveAddress(ctx, transaction, { user });
    else await endUnprovenAccess(ctx, transaction, { user, by: 'password_link' });
    await transaction.session.deleteMany({ where: { userId: user.id } });
    await transaction.invitation.updateMany({ where: { email: user.email }, data: { digest: null } });
    const by = { userId: user.id, actor: userActor(user), origin: ctx.origin, clock: ctx.clock };
    const entry = { resourceId: toId('usr', user.id), changes: { password: { from: null, to: '[redacted]' } } };
    await writeEntriesOfUser(transaction, by, 'member.password_reset', entry);
    return true as const;
  });
}
