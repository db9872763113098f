import { setTimeout as wait } from 'node:timers/promises';
import { canonicalEmail, emailAddress, type loginBody } from '@posthorn/contract/accounts';
import type { z } from 'zod';
import { passwordMatches } from '../auth/password.ts';
import { ApiError } from '../transport/error.ts';
import type { AccountContext, SessionContext } from './account-route.ts';
import { reportFailedLogin } from './failed-login.ts';
import { findConnection } from './oidc/connection.ts';
import { startChallenge } from './second-factor/challenge.ts';
import { hasSecondFactor } from './second-factor/has-second-factor.ts';
import { presentUser, signIn } from './sign-in.ts';

/**
 * A failed login is answered this long after its check began, so that the time does not reveal whether the user exists.
 */
const FAILED_AFTER_MS = 250;

/**
 * A new session for the right password, or a challenge when a second factor is due; `unauthorized` for a wrong password,
 * with the same answer for an unknown user.
 */
export async function login(ctx: AccountContext, { body }: { body: z.output<typeof loginBody> }) {
  let checkedAtMs = 0;
  const account = canonicalEmail(body.email);
  const user = await findUser(ctx, account);
  const device = user === null ? undefined : ctx.device.id(user);
  const attempt = { account, address: ctx.origin.ip ?? '', device };
  const answer = await ctx.loginLimit.attempt(attempt, async () => {
    checkedAtMs = ctx.clock.monotonicMs();
    const matches = await passwordMatches(user?.passwordHash ?? null, body.password);
    if (!matches || user === null) return undefined;
    if (await hasSecondFactor(ctx.db, user.id)) return startChallenge(ctx, user);
    return signIn(ctx, user, { device, secondFactor: 'not_due' });
  });
  if (answer !== undefined) return answer;
  reportFailedLogin(ctx, user ?? undefined);
  await wait(Math.max(0, checkedAtMs + FAILED_AFTER_MS - ctx.clock.monotonicMs()));
  throw new ApiError('unauthorized', 'The email or the password is wrong');
}

/** Ends the session at once and clears the cookie. */
export async function logout(ctx: SessionContext) {
  await ctx.db.session.deleteMany({ where: { id: ctx.session.id } });
  ctx.cookie.clear();
  return undefined;
}

export async function getSignIn({ settings }: AccountContext) {
  const { sendsMail, passwordLogin, signInProvider } = settings;
  return { sendsMail, passwordLogin, provider: signInProvider };
}

export async function getMe({ session, settings, provider, db }: SessionContext) {
  const connection = provider && (await findConnection(db, provider, session.user.id));
  const isProven = { id: session.user.id, addressProvenAt: { not: null } };
  return {
    user: presentUser(session.user),
    expiresAt: session.expiresAt.toISOString(),
    queueBoardUrl: settings.queueBoardUrl,
    sendsMail: settings.sendsMail,
    passwordLogin: settings.passwordLogin,
    isAddressProven: (await db.user.count({ where: isProven })) > 0,
    provider: provider === undefined ? null : { name: provider.settings.name, isConnected: connection !== undefined },
  };
}

async function findUser({ db }: AccountContext, account: string) {
  // A text that is not an address belongs to no user, and is not looked up.
  return emailAddress.safeParse(account).success ? db.user.findUnique({ where: { email: account } }) : null;
}
