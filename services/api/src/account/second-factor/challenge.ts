import { newUuid, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { finishLoginBody, passkeyLoginBody } from '@posthorn/contract/second-factor';
import { digestToken } from '@posthorn/crypto/token';
import { inTransaction } from '@posthorn/db/transaction';
import { queueMail } from '@posthorn/mail/outgoing-mail';
import type { z } from 'zod';
import { writeEntriesOfUser } from '../../audit/change.ts';
import { newChallengeToken } from '../../auth/one-time-token.ts';
import { type UserRecord, userActor } from '../../auth/session-token.ts';
import { secondFactorGuessedMail } from '../../mail/mails.ts';
import { ApiError } from '../../transport/error.ts';
import type { AccountContext } from '../account-route.ts';
import { reportFailedLogin } from '../failed-login.ts';
import { signIn } from '../sign-in.ts';
import { periodOfCode } from './authenticator-code.ts';
import { inUse } from './has-second-factor.ts';
import { type PasskeyResponse, requestOptions, verifiedAssertion } from './passkey.ts';
import { useRecoveryCode } from './recovery-codes.ts';

/** The codes that may be tried before the sign-in starts again. */
const MOST_TRIES = 5;
/** The sign-ins of a person that may wait at once; the oldest ends when another begins. */
const MOST_WAITING = 20;

const DAY_MS = 86_400_000;

type CheckedUser = UserRecord & { passwordHash: string | null };

/** Begins the second step of a sign-in. It gives no session, and the browser is not remembered. */
export async function startChallenge(ctx: AccountContext, user: CheckedUser) {
  const now = ctx.clock.now();
  const { token, digest, endsAt } = newChallengeToken(now);
  const methods = await methodsOf(ctx, user.id);
  await forgetEnded(ctx, user.id, now);
  await ctx.db.signInChallenge.create({
    data: { id: newUuid(now), userId: user.id, digest, passwordHash: user.passwordHash, createdAt: now, endsAt },
  });
  return { challenge: token, methods, expiresAt: endsAt.toISOString() };
}

/**
 * Finishes a sign-in with a code of the app, a recovery code or a passkey. A wrong one is `unauthorized` and counts as
 * a failed login; the fifth ends the sign-in. A sign-in that ended, in whatever way, is `not_found`.
 */
export async function finishLogin(ctx: AccountContext, { body }: { body: z.output<typeof finishLoginBody> }) {
  const challenge = await findChallenge(ctx, body.challenge);
  const user = challenge?.user;
  const device = user && ctx.device.id(user);
  // Only somebody who knows the password gets here. Failures are counted separately, so nobody else can slow this step
  // down. A new password starts a new count, so the owner does not wait because of somebody who knew the old one.
  const account = user && `second factor of ${user.email} ${user.passwordHash}`;
  let triesLeft: number | undefined;
  const attempt = { account, address: ctx.origin.ip ?? '', device, what: 'second_factor' } as const;
  const answer = await ctx.loginLimit.attempt(attempt, async () => {
    triesLeft = challenge && (await takeTry(ctx, challenge.id));
    if (challenge === undefined || triesLeft === undefined) return undefined;
    if (!(await accepts(ctx, challenge, body))) return undefined;
    // When two requests give different codes that are right, only one signs in.
    const { count } = await ctx.db.signInChallenge.deleteMany({ where: { id: challenge.id } });
    triesLeft = undefined;
    return count === 0 ? undefined : signIn(ctx, challenge.user, { device, secondFactor: 'given' });
  });
  if (answer !== undefined) return answer;
  reportFailedLogin(ctx, user);
  if (user !== undefined && triesLeft === 0) ctx.afterAnswer(() => tellOwner(ctx, user));
  if (triesLeft === undefined) throw hasEnded();
  const rest = triesLeft === 0 ? ': start again with your password' : '';
  const what = body.passkey === undefined ? 'The code is wrong or was used already' : 'The passkey was not accepted';
  throw new ApiError('unauthorized', `${what}${rest}`);
}

/** Somebody knows the password and not the second factor. The owner is told, at most once a day. */
async function tellOwner(ctx: AccountContext, { id, email }: UserRecord): Promise<void> {
  const { db, settings, sealingKeys, clock } = ctx;
  if (!settings.sendsMail) return;
  const kind = 'second_factor_guessed';
  await inTransaction(db, async (transaction) => {
    // The lock makes sign-ins at the same time send only one mail.
    await transaction.$queryRaw`select 1 from "user" where id = ${id}::uuid for no key update`;
    const since = new Date(clock.now().getTime() - DAY_MS);
    if ((await transaction.outgoingMail.count({ where: { userId: id, kind, createdAt: { gt: since } } })) > 0) return;
    const content = secondFactorGuessedMail(settings);
    await queueMail(transaction, sealingKeys, { mail: { kind, userId: id, to: email, content }, now: clock.now() });
  });
}

/** The options with which the browser asks one of the person's passkeys to sign in. Earlier options become void. */
export async function startPasskeyLogin(ctx: AccountContext, { body }: { body: z.output<typeof passkeyLoginBody> }) {
  const { db, settings } = ctx;
  const challenge = await findChallenge(ctx, body.challenge);
  const passkeys = challenge && (await passkeysOf(ctx, challenge.user.id));
  if (challenge === undefined || passkeys?.length === 0) throw hasEnded();
  const options = await requestOptions(settings.baseUrl, passkeys ?? []);
  const data = { passkeyChallenge: options.challenge };
  const { count } = await db.signInChallenge.updateMany({ where: { id: challenge.id }, data });
  if (count === 0) throw hasEnded();
  return { options: { ...options } };
}

function hasEnded(): ApiError {
  return new ApiError('not_found', 'This sign-in has ended: start again with your password');
}

type Challenge = NonNullable<Awaited<ReturnType<typeof findChallenge>>>;

async function accepts(ctx: AccountContext, challenge: Challenge, given: Given): Promise<boolean> {
  if (given.passkey !== undefined) return acceptPasskey(ctx, challenge, given.passkey);
  return given.code !== undefined && acceptCode(ctx, challenge.user, given.code);
}

type Given = z.output<typeof finishLoginBody>;

/** Accepts a passkey of the person that signed the latest challenge of this sign-in. */
async function acceptPasskey(ctx: AccountContext, challenge: Challenge, response: PasskeyResponse): Promise<boolean> {
  const { db, clock, settings } = ctx;
  const { id, user, passkeyChallenge: expectedChallenge } = challenge;
  const passkey = await db.passkey.findUnique({ where: { credentialId: response.id, userId: user.id } });
  if (passkey === null || expectedChallenge === null) return false;
  const counter = await verifiedAssertion(settings.baseUrl, { passkey, response, expectedChallenge });
  if (counter === undefined) return false;
  // A challenge is accepted once, even from a passkey that does not count its uses.
  const used = await db.signInChallenge.updateMany({
    where: { id, passkeyChallenge: expectedChallenge },
    data: { passkeyChallenge: null },
  });
  if (used.count === 0) return false;
  const { count } = await db.passkey.updateMany({
    where: { id: passkey.id, counter: passkey.counter },
    data: { counter, lastUsedAt: clock.now() },
  });
  return count > 0;
}

function passkeysOf({ db }: AccountContext, userId: string) {
  return db.passkey.findMany({ where: { userId }, orderBy: { id: 'asc' }, take: LIMITS.passkeysPerUser });
}

async function methodsOf({ db }: AccountContext, userId: string) {
  const [authenticators, passkeys, recoveryCodes] = await Promise.all([
    db.authenticator.count({ where: inUse(userId) }),
    db.passkey.count({ where: { userId } }),
    db.recoveryCode.count({ where: { userId } }),
  ]);
  return [
    ...(authenticators > 0 ? (['authenticator'] as const) : []),
    ...(passkeys > 0 ? (['passkey'] as const) : []),
    ...(recoveryCodes > 0 ? (['recovery_code'] as const) : []),
  ];
}

/** The sign-in that the token begins, with its person; undefined if it can no longer be finished. */
async function findChallenge({ db, clock }: AccountContext, token: string) {
  const found = await db.signInChallenge.findUnique({
    where: { digest: digestToken(token), endsAt: { gt: clock.now() }, tries: { lt: MOST_TRIES } },
    include: { user: true },
  });
  // A new password ends the challenges of the old one.
  if (found === null || found.passwordHash !== found.user.passwordHash) return undefined;
  const { id, passkeyChallenge, user } = found;
  return { id, passkeyChallenge, user };
}

/** Takes one try and returns how many are left; undefined when none was left. Concurrent requests take one each. */
async function takeTry({ db, clock }: AccountContext, id: string): Promise<number | undefined> {
  const [taken] = await db.signInChallenge.updateManyAndReturn({
    where: { id, endsAt: { gt: clock.now() }, tries: { lt: MOST_TRIES } },
    data: { tries: { increment: 1 } },
    select: { tries: true },
  });
  return taken && MOST_TRIES - taken.tries;
}

/** A code is used up once it is accepted: the same code and earlier codes of the app are refused from then on. */
async function acceptCode(ctx: AccountContext, user: UserRecord, given: string): Promise<boolean> {
  const code = given.replace(/[\s-]/g, '');
  if (!/^\d{6}$/.test(code)) return acceptRecoveryCode(ctx, user, given);
  const { db, clock, sealingKeys } = ctx;
  const authenticator = await db.authenticator.findFirst({ where: inUse(user.id) });
  const period = authenticator && periodOfCode(sealingKeys, authenticator, { code, at: clock.now() });
  if (!authenticator || period == null) return false;
  const { count } = await db.authenticator.updateMany({
    where: { id: authenticator.id, usedPeriod: { lt: period } },
    data: { usedPeriod: period },
  });
  return count > 0;
}

async function acceptRecoveryCode(ctx: AccountContext, user: UserRecord, code: string): Promise<boolean> {
  const { db, clock, origin } = ctx;
  return inTransaction(db, async (transaction) => {
    if (!(await useRecoveryCode(transaction, user.id, code))) return false;
    const left = await transaction.recoveryCode.count({ where: { userId: user.id } });
    const by = { userId: user.id, actor: userActor(user), origin, clock };
    const changes = { recoveryCodesLeft: { from: left + 1, to: left } };
    await writeEntriesOfUser(transaction, by, 'member.recovery_code_used', {
      resourceId: toId('usr', user.id),
      changes,
    });
    return true;
  });
}

/** Keeps the table small: deletes some sign-ins of anybody that ended, and the person's oldest beyond the limit. */
async function forgetEnded({ db }: AccountContext, userId: string, now: Date): Promise<void> {
  await db.$executeRaw`
    delete from sign_in_challenge where id in
      (select id from sign_in_challenge where ends_at <= ${now}::timestamptz order by ends_at limit 100 for update skip locked)`;
  await db.$executeRaw`
    delete from sign_in_challenge where id in
      (select id from sign_in_challenge where user_id = ${userId}::uuid
        order by created_at desc, id desc offset ${MOST_WAITING - 1}::int)`;
}
