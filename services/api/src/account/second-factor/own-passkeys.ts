import { fromId, newUuid } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { addPasskeyBody, confirmedBody } from '@posthorn/contract/second-factor';
import { inTransaction } from '@posthorn/db/transaction';
import type { z } from 'zod';
import { ApiError, invalid, notFound } from '../../transport/error.ts';
import type { SessionContext } from '../account-route.ts';
import { requireProofForSecondFactor } from '../prove-address.ts';
import { holdSession } from '../sessions.ts';
import { confirmPerson } from './confirm-person.ts';
import { beginUse, enter, forgetUnusable } from './own-second-factor.ts';
import { creationOptions, presentPasskey, verifiedCreation } from './passkey.ts';

// Operations of people on their own passkeys.

type Confirmed = z.output<typeof confirmedBody>;

/** A new passkey must sign its challenge within this time. */
const SETUP_MS = 10 * 60_000;

/** Begins the setup of a passkey: answers the options with which the browser asks it. */
export async function startPasskey(ctx: SessionContext, { body }: { body: Confirmed }) {
  await requireProofForSecondFactor(ctx);
  await confirmPerson(ctx, body.currentPassword);
  const { db, settings, session } = ctx;
  const userId = session.user.id;
  const existing = await db.passkey.findMany({ where: { userId }, take: LIMITS.passkeysPerUser });
  refuseFull(existing.length);
  const options = await creationOptions(settings.baseUrl, session.user, existing);
  const setup = { challenge: options.challenge, endsAt: new Date(ctx.clock.now().getTime() + SETUP_MS) };
  await db.passkeySetup.upsert({ where: { userId }, create: { userId, ...setup }, update: setup });
  return { options: { ...options } };
}

/**
 * Takes a new passkey into use. If it is the first second factor, the other sessions end and recovery codes are made.
 */
export async function addPasskey(ctx: SessionContext, { body }: { body: z.output<typeof addPasskeyBody> }) {
  await requireProofForSecondFactor(ctx);
  const { db, settings, session, clock } = ctx;
  const userId = session.user.id;
  const now = clock.now();
  const setup = await db.passkeySetup.findUnique({ where: { userId, endsAt: { gt: now } } });
  if (setup === null) throw notFound('The setup of a passkey');
  const verified = await verifiedCreation(settings.baseUrl, body.passkey, setup.challenge);
  if (verified === undefined) throw invalid('passkey has not signed the challenge of its setup', 'passkey');
  return inTransaction(db, async (transaction) => {
    await holdSession(transaction, ctx.session);
    // A challenge is signed once.
    const { count } = await transaction.passkeySetup.deleteMany({ where: { userId, challenge: setup.challenge } });
    if (count === 0) throw notFound('The setup of a passkey');
    refuseFull(await transaction.passkey.count({ where: { userId } }));
    const recoveryCodes = await beginUse(ctx, transaction);
    const data = [{ id: newUuid(now), userId, name: body.name, createdAt: now, ...verified }];
    const [row] = await transaction.passkey.createManyAndReturn({ data, skipDuplicates: true });
    if (row === undefined) throw invalid('passkey is already in use', 'passkey');
    await enter(ctx, transaction, 'member.second_factor_added', { passkey: { from: null, to: body.name } });
    return { passkey: presentPasskey(row), recoveryCodes };
  });
}

/** Removes a passkey. With the last second factor, the recovery codes go too. */
export async function removePasskey(ctx: SessionContext, id: string, body: Confirmed) {
  await confirmPerson(ctx, body.currentPassword);
  const userId = ctx.session.user.id;
  const uuid = fromId('psk', id);
  if (uuid === undefined) throw notFound('Passkey');
  return inTransaction(ctx.db, async (transaction) => {
    await holdSession(transaction, ctx.session);
    const passkey = await transaction.passkey.findUnique({ where: { id: uuid, userId } });
    if (passkey === null) throw notFound('Passkey');
    await transaction.passkey.delete({ where: { id: uuid } });
    await forgetUnusable(transaction, userId);
    await enter(ctx, transaction, 'member.second_factor_removed', { passkey: { from: passkey.name, to: null } });
    return undefined;
  });
}

function refuseFull(passkeys: number): void {
  if (passkeys < LIMITS.passkeysPerUser) return;
  throw new ApiError('limit_reached', `An account has at most ${LIMITS.passkeysPerUser} passkeys`);
}
