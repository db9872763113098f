import { toId } from '@posthorn/contract/ids';
import type { signInLinkBody } from '@posthorn/contract/oidc';
import { digestToken } from '@posthorn/crypto/token';
import type { Db } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import type { Clock } from '@posthorn/runtime/clock';
import type { z } from 'zod';
import { byOperator } from '../../audit/by-operator.ts';
import { writeEntriesOfUser } from '../../audit/change.ts';
import { newSignInToken } from '../../auth/one-time-token.ts';
import { newSession, SESSION_ENDS_AFTER_MS, userActor } from '../../auth/session-token.ts';
import { ApiError } from '../../transport/error.ts';
import type { AccountContext } from '../account-route.ts';
import { reportFailedLogin } from '../failed-login.ts';
import { endUnprovenAccess } from '../prove-address.ts';
import { insertSession } from '../sessions.ts';
import { presentUser } from '../sign-in.ts';

// A sign-in link from the operator works without a password, and while the provider does not work.

/** Makes a link's token: one sign-in, within 15 minutes. Earlier tokens become void. Throws for an unknown email. */
export async function createSignInLink(db: Db, email: string, clock: Clock) {
  const { token, digest, endsAt } = newSignInToken(clock.now());
  return inTransaction(db, async (transaction) => {
    const [user] = await transaction.user.updateManyAndReturn({
      where: { email },
      data: { signInDigest: digest, signInTokenEndsAt: endsAt },
      select: { id: true },
    });
    if (user === undefined) throw new Error(`no account has the email ${email}`);
    const by = { userId: user.id, ...byOperator(clock) };
    await writeEntriesOfUser(transaction, by, 'member.sign_in_link_created', { resourceId: toId('usr', user.id) });
    return { userId: toId('usr', user.id), path: `/sign-in-link#token=${token}`, expiresAt: endsAt.toISOString() };
  });
}

/**
 * Begins a session with the token of a link. A wrong token counts as a failed login. If nobody has proved the account's
 * address, this ends every earlier way to sign in, unless the operator made the account.
 */
export async function useSignInLink(ctx: AccountContext, { body }: { body: z.output<typeof signInLinkBody> }) {
  const attempt = { account: undefined, address: ctx.origin.ip ?? '' };
  const answer = await ctx.loginLimit.attempt(attempt, () => signInBy(ctx, body.token));
  if (answer !== undefined) return answer;
  reportFailedLogin(ctx, undefined);
  throw new ApiError('unauthorized', 'The link is unknown, was used, or has expired');
}

async function signInBy(ctx: AccountContext, given: string) {
  const now = ctx.clock.now();
  const { token, columns } = newSession(now);
  const user = await inTransaction(ctx.db, async (transaction) => {
    const [found] = await transaction.user.updateManyAndReturn({
      where: { signInDigest: digestToken(given), signInTokenEndsAt: { gt: now } },
      data: { signInDigest: null, signInTokenEndsAt: null },
      select: { id: true, email: true, name: true, createdAt: true },
    });
    if (found === undefined) return undefined;
    await endUnprovenAccess(ctx, transaction, { user: found, by: 'sign_in_link' });
    await insertSession(transaction, { userId: found.id, ...columns });
    const by = { userId: found.id, actor: userActor(found), origin: ctx.origin, clock: ctx.clock };
    await writeEntriesOfUser(transaction, by, 'member.sign_in_link_used', { resourceId: toId('usr', found.id) });
    return found;
  });
  if (user === undefined) return undefined;
  ctx.cookie.set(token, SESSION_ENDS_AFTER_MS);
  return { token, expiresAt: columns.expiresAt.toISOString(), user: presentUser(user) };
}
