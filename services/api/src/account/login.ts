import { setTimeout as wait } from 'node:timers/promises';
import { canonicalEmail, emailAddress, type loginBody } from '@posthorn/contract/accounts';
import { toId } from '@posthorn/contract/ids';
import type { z } from 'zod';
import { passwordMatches } from '../auth/password.ts';
import type { UserRecord } from '../auth/session-token.ts';
import { ApiError } from '../http/error.ts';
import type { AccountContext, SessionContext } from './account-route.ts';
import { reportFailedLogin } from './failed-login.ts';
import { startSession } from './sessions.ts';

/**
 * A failed login is answered this long after its check began, so that the time does not reveal whether the user exists.
 */
const FAILED_AFTER_MS = 250;

/** A new session for the right password; `unauthorized` for a wrong one, with the same answer for an unknown user. */
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
    const session = await startSession(ctx, user);
    if (session === undefined) return undefined;
    if (device === undefined) ctx.device.remember(user);
    return { ...session, user: presentUser(user) };
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
  return { sendsMail: settings.sendsMail };
}

export async function getMe({ session, settings }: SessionContext) {
  return {
    user: presentUser(session.user),
    expiresAt: session.expiresAt.toISOString(),
    queueBoardUrl: settings.queueBoardUrl,
    sendsMail: settings.sendsMail,
  };
}

async function findUser({ db }: AccountContext, account: string) {
  // A text that is not an address belongs to no user, and is not looked up.
  return emailAddress.safeParse(account).success ? db.user.findUnique({ where: { email: account } }) : null;
}

function presentUser(user: UserRecord) {
  return { id: toId('usr', user.id), email: user.email, name: user.name, createdAt: user.createdAt.toISOString() };
}
