import { setTimeout as wait } from 'node:timers/promises';
import { emailAddress, type loginBody } from '@posthorn/contract/accounts';
import { newUuid, toId } from '@posthorn/contract/ids';
import { inTransaction } from '@posthorn/db/transaction';
import type { z } from 'zod';
import { writeEntry } from '../audit/change.ts';
import { passwordMatches } from '../auth/password.ts';
import { newSession, SESSION_ENDS_AFTER_MS, type UserRecord, userActor } from '../auth/session-token.ts';
import { ApiError } from '../http/error.ts';
import type { AccountContext, SessionContext } from './account-route.ts';

/** A failed login is answered this long after its check began, so that its time does not tell whether the user exists. */
const FAILED_AFTER_MS = 250;

/** A new session for the right password; `unauthorized` for a wrong one and an unknown user alike. */
export async function login(ctx: AccountContext, body: z.output<typeof loginBody>) {
  let checkedAtMs = 0;
  const account = body.email.toLowerCase();
  const known: { user?: UserRecord } = {};
  const user = await ctx.loginLimit.attempt({ account, address: ctx.origin.ip ?? '' }, async () => {
    checkedAtMs = ctx.clock.monotonicMs();
    const found = await findUser(ctx, account);
    if (found !== null) known.user = found;
    const matches = await passwordMatches(found?.passwordHash ?? null, body.password);
    return matches && found !== null ? found : undefined;
  });
  if (user !== undefined) return startSession(ctx, user);
  await enterFailure(ctx, known.user);
  await wait(Math.max(0, checkedAtMs + FAILED_AFTER_MS - ctx.clock.monotonicMs()));
  throw new ApiError('unauthorized', 'The email or the password is wrong');
}

/** Ends the session at once; the cookie goes with it. */
export async function logout(ctx: SessionContext) {
  await ctx.db.session.deleteMany({ where: { id: ctx.session.id } });
  ctx.cookie.clear();
  return undefined;
}

export async function getMe({ session }: SessionContext) {
  return { user: presentUser(session.user), expiresAt: session.expiresAt.toISOString() };
}

async function findUser({ db }: AccountContext, account: string) {
  // What is no address is nobody's, and need not be looked up.
  return emailAddress.safeParse(account).success ? db.user.findUnique({ where: { email: account } }) : null;
}

async function startSession(ctx: AccountContext, user: UserRecord) {
  const now = ctx.clock.now();
  const { token, columns } = newSession(now);
  await inTransaction(ctx.db, async (transaction) => {
    await transaction.session.deleteMany({
      where: { userId: user.id, OR: [{ expiresAt: { lte: now } }, { endsAt: { lte: now } }] },
    });
    await transaction.session.create({ data: { id: newUuid(now), userId: user.id, ...columns } });
  });
  ctx.cookie.set(token, SESSION_ENDS_AFTER_MS);
  return { token, expiresAt: columns.expiresAt.toISOString(), user: presentUser(user) };
}

/** In every workspace of a known user; otherwise in the log alone, without the name, which may be a password. */
async function enterFailure(
  { db, logger, origin, clock }: AccountContext,
  user: UserRecord | undefined,
): Promise<void> {
  if (user === undefined) {
    logger.warn('a login failed', { requestId: origin.requestId, ip: origin.ip });
    return;
  }
  await inTransaction(db, async (transaction) => {
    const members = await transaction.member.findMany({ where: { userId: user.id }, select: { workspaceId: true } });
    for (const { workspaceId } of members) {
      const entry = { resourceType: 'session', resourceId: toId('usr', user.id) };
      await writeEntry(transaction, { workspaceId, actor: userActor(user), origin, clock }, 'auth.login_failed', entry);
    }
  });
}

function presentUser(user: UserRecord) {
  return { id: toId('usr', user.id), email: user.email, name: user.name, createdAt: user.createdAt.toISOString() };
}
