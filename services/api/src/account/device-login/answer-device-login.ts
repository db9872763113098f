import type { deviceCodeBody } from '@posthorn/contract/device-logins';
import { toId } from '@posthorn/contract/ids';
import { inTransaction } from '@posthorn/db/transaction';
import { networkOf } from '@posthorn/egress/network-of';
import type { z } from 'zod';
import { writeEntriesOfUser } from '../../audit/change.ts';
import { userActor } from '../../auth/session-token.ts';
import { ApiError, notFound } from '../../transport/error.ts';
import type { SessionContext } from '../account-route.ts';
import { holdSession } from '../sessions.ts';
import { codeDigest } from './code-digest.ts';

type Input = { body: z.output<typeof deviceCodeBody> };

/** The device that waits with this code. */
export async function findDeviceLogin(ctx: SessionContext, { body }: Input) {
  const { name, address, network, createdAt, expiresAt } = await tryCode(ctx, () =>
    ctx.db.deviceLogin.findFirst({ where: waiting(ctx, body) }),
  );
  const isOwnNetwork = networkOf(ctx.origin.ip ?? '') === network;
  return { name, address, isOwnNetwork, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
}

/** Lets the device log in as the caller. */
export async function approveDeviceLogin(ctx: SessionContext, { body }: Input) {
  // A device could otherwise extend its own access for ever.
  if (ctx.session.kind === 'device') throw new ApiError('forbidden', 'Only a browser session can log in a device');
  await tryCode(ctx, () =>
    answer(ctx, body, { data: { sessionId: ctx.session.id }, action: 'member.device_approved' }),
  );
  return undefined;
}

/** The device is told that it was refused. */
export async function refuseDeviceLogin(ctx: SessionContext, { body }: Input) {
  await tryCode(ctx, () =>
    answer(ctx, body, { data: { refusedAt: ctx.clock.now() }, action: 'member.device_refused' }),
  );
  return undefined;
}

type Answer = { data: { sessionId: string } | { refusedAt: Date }; action: string };

/** A code is answered once. The audit log of each of the person's workspaces tells who answered for which device. */
function answer(ctx: SessionContext, body: Input['body'], { data, action }: Answer): Promise<true | undefined> {
  const { user } = ctx.session;
  return inTransaction(ctx.db, async (transaction) => {
    await holdSession(transaction, ctx.session);
    const [answered] = await transaction.deviceLogin.updateManyAndReturn({
      where: waiting(ctx, body),
      data,
      select: { name: true, address: true },
    });
    if (answered === undefined) return undefined;
    const by = { userId: user.id, actor: userActor(user), origin: ctx.origin, clock: ctx.clock };
    const { name, address } = answered;
    const changes = { device: { from: null, to: name }, address: { from: null, to: address } };
    await writeEntriesOfUser(transaction, by, action, { resourceId: toId('usr', user.id), changes });
    return true;
  });
}

function waiting({ clock }: SessionContext, { userCode }: Input['body']) {
  return {
    userCodeDigest: codeDigest(userCode),
    expiresAt: { gt: clock.now() },
    sessionId: null,
    refusedAt: null,
  };
}

/** Wrong codes of a person are limited like wrong passwords, and counted apart from them. */
async function tryCode<Found>(ctx: SessionContext, look: () => Promise<Found | null | undefined>): Promise<Found> {
  const who = { account: `device codes of ${ctx.session.user.id}`, address: ctx.origin.ip ?? '' };
  const found = await ctx.loginLimit.attempt(who, async () => (await look()) ?? undefined);
  if (found === undefined) throw notFound('Code');
  return found;
}
