import { newUuid, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { confirmAuthenticatorBody, confirmedBody } from '@posthorn/contract/second-factor';
import type { DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import type { z } from 'zod';
import { type Changes, writeEntriesOfUser } from '../../audit/change.ts';
import { userActor } from '../../auth/session-token.ts';
import { invalid, notFound } from '../../transport/error.ts';
import type { SessionContext } from '../account-route.ts';
import { requireProofForSecondFactor } from '../prove-address.ts';
import { holdSession } from '../sessions.ts';
import { newAuthenticator, periodOfCode } from './authenticator-code.ts';
import { confirmPerson } from './confirm-person.ts';
import { hasSecondFactor, inUse } from './has-second-factor.ts';
import { presentPasskey } from './passkey.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';

// Operations of people on their own second factor. They run one at a time. A sign-in without a second factor waits for
// them, and then sees the change.

type Confirmed = { body: z.output<typeof confirmedBody> };

/** A new app must be confirmed within this time. */
const SETUP_MS = 60 * 60_000;

export async function getSecondFactor({ db, session }: SessionContext) {
  const userId = session.user.id;
  const [authenticator, passkeys, recoveryCodesLeft, workspaces] = await Promise.all([
    db.authenticator.findFirst({ where: inUse(userId), select: { createdAt: true } }),
    db.passkey.findMany({ where: { userId }, orderBy: { id: 'asc' }, take: LIMITS.passkeysPerUser }),
    db.recoveryCode.count({ where: { userId } }),
    db.workspace.findMany({
      where: { requireSecondFactor: true, members: { some: { userId } } },
      select: { name: true },
      orderBy: { id: 'asc' },
      take: WORKSPACES_NAMED,
    }),
  ]);
  return {
    authenticator: authenticator && { createdAt: authenticator.createdAt.toISOString() },
    passkeys: passkeys.map(presentPasskey),
    recoveryCodesLeft,
    requiredBy: workspaces.map(({ name }) => name),
  };
}

const WORKSPACES_NAMED = 20;

/** Begins the setup of an authenticator app. One that is in use stays so until the new one is confirmed. */
export async function startAuthenticator(ctx: SessionContext, { body }: Confirmed) {
  await requireProofForSecondFactor(ctx);
  await confirmPerson(ctx, body.currentPassword);
  const { user } = ctx.session;
  const now = ctx.clock.now();
  const id = newUuid(now);
  const { sealed, secret, uri } = newAuthenticator(ctx.sealingKeys, id, user.email);
  await inTransaction(ctx.db, async (transaction) => {
    await holdSession(transaction, ctx.session);
    await transaction.authenticator.deleteMany({ where: { userId: user.id, isConfirmed: false } });
    await transaction.authenticator.create({ data: { id, userId: user.id, secretSealed: sealed, createdAt: now } });
  });
  return { secret, uri, expiresAt: new Date(now.getTime() + SETUP_MS).toISOString() };
}

/** Takes the new app into use, instead of an earlier one. */
export async function confirmAuthenticator(
  ctx: SessionContext,
  { body }: { body: z.output<typeof confirmAuthenticatorBody> },
) {
  await requireProofForSecondFactor(ctx);
  const { user } = ctx.session;
  const now = ctx.clock.now();
  const code = body.code.replace(/[\s-]/g, '');
  return inTransaction(ctx.db, async (transaction) => {
    await holdSession(transaction, ctx.session);
    const since = new Date(now.getTime() - SETUP_MS);
    const fresh = await transaction.authenticator.findFirst({
      where: { userId: user.id, isConfirmed: false, createdAt: { gt: since } },
    });
    if (fresh === null) throw notFound('The setup of an authenticator app');
    const usedPeriod = periodOfCode(ctx.sealingKeys, fresh, { code, at: now });
    if (usedPeriod === undefined) {
      throw invalid('code is not the current code of the app; check the clock of the device', 'code');
    }
    const recoveryCodes = await beginUse(ctx, transaction);
    const replaced = await transaction.authenticator.deleteMany({ where: inUse(user.id) });
    await transaction.authenticator.update({
      where: { id: fresh.id },
      data: { isConfirmed: true, usedPeriod, createdAt: now },
    });
    const from = replaced.count > 0 ? '[redacted]' : null;
    await enter(ctx, transaction, 'member.second_factor_added', { authenticator: { from, to: '[redacted]' } });
    return { recoveryCodes };
  });
}

/** Removes the app. With the last second factor, the recovery codes go too. */
export async function removeAuthenticator(ctx: SessionContext, { body }: Confirmed) {
  await confirmPerson(ctx, body.currentPassword);
  const { user } = ctx.session;
  return inTransaction(ctx.db, async (transaction) => {
    await holdSession(transaction, ctx.session);
    const { count } = await transaction.authenticator.deleteMany({ where: inUse(user.id) });
    if (count === 0) throw notFound('Authenticator app');
    await forgetUnusable(transaction, user.id);
    const changes = { authenticator: { from: '[redacted]', to: null } };
    await enter(ctx, transaction, 'member.second_factor_removed', changes);
    return undefined;
  });
}

/** Ten new recovery codes. The earlier ones become void. */
export async function renewRecoveryCodes(ctx: SessionContext, { body }: Confirmed) {
  await confirmPerson(ctx, body.currentPassword);
  const { user } = ctx.session;
  return inTransaction(ctx.db, async (transaction) => {
    await holdSession(transaction, ctx.session);
    if (!(await hasSecondFactor(transaction, user.id))) throw notFound('Second factor');
    const recoveryCodes = await replaceRecoveryCodes(transaction, user.id);
    const changes = { recoveryCodes: { from: '[redacted]', to: '[redacted]' } };
    await enter(ctx, transaction, 'member.recovery_codes_renewed', changes);
    return { recoveryCodes };
  });
}

/**
 * Call it before a second factor is stored. With the first one, the person's other sessions end, because they began
 * without one, and recovery codes are made. Null when the person already has a second factor.
 */
export async function beginUse({ session }: SessionContext, transaction: DbTransaction): Promise<string[] | null> {
  const userId = session.user.id;
  if (await hasSecondFactor(transaction, userId)) return null;
  await transaction.session.deleteMany({ where: { userId, id: { not: session.id } } });
  return replaceRecoveryCodes(transaction, userId);
}

/** Call it after a second factor was removed. If none is left, it deletes the recovery codes and the open sign-ins. */
export async function forgetUnusable(transaction: DbTransaction, userId: string): Promise<void> {
  if (await hasSecondFactor(transaction, userId)) return;
  await transaction.recoveryCode.deleteMany({ where: { userId } });
  await transaction.signInChallenge.deleteMany({ where: { userId } });
}

export function enter(
  ctx: SessionContext,
  transaction: DbTransaction,
  action: string,
  changes: Changes,
): Promise<void> {
  const { user } = ctx.session;
  const by = { userId: user.id, actor: userActor(user), origin: ctx.origin, clock: ctx.clock };
  return writeEntriesOfUser(transaction, by, action, { resourceId: toId('usr', user.id), changes });
}
