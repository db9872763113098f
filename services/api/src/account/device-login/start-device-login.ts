import { randomBytes } from 'node:crypto';
import { type startDeviceLoginBody, userCodeOf } from '@posthorn/contract/device-logins';
import { newUuid } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import { networkOf } from '@posthorn/egress/network-of';
import type { z } from 'zod';
import { createInOrder } from '../../limits.ts';
import { ApiError } from '../../transport/error.ts';
import type { AccountContext } from '../account-route.ts';
import { codeDigest } from './code-digest.ts';

const LIFETIME_MS = 10 * 60_000;
const INTERVAL_SECONDS = 2;
/** A network begins one login at a time, so that concurrent requests cannot pass the limit. */
const inOrder = createInOrder();

/**
 * Begins the login of a device (RFC 8628): a code with which it polls, and a code that the person compares. Both are
 * stored as digests, and work for ten minutes.
 */
export async function startDeviceLogin(ctx: AccountContext, { body }: { body: z.output<typeof startDeviceLoginBody> }) {
  const { db, clock, origin, settings } = ctx;
  const now = clock.now();
  const address = origin.ip ?? '';
  const network = networkOf(address);
  const deviceCode = randomBytes(32).toString('base64url');
  const userCode = userCodeOf(randomBytes(8));
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  await db.deviceLogin.deleteMany({ where: { network, expiresAt: { lte: now } } });
  // Also delete a few expired logins of other networks, so that they do not pile up.
  await db.$executeRaw`
    delete from device_login where id in
      (select id from device_login where expires_at <= ${now}::timestamptz order by expires_at limit 20 for update skip locked)`;
  await inOrder(network, async () => {
    // A refused login no longer counts.
    const open = await db.deviceLogin.count({ where: { network, refusedAt: null } });
    if (open >= LIMITS.deviceLoginsPerNetwork) {
      const message = 'Too many devices of this address wait for their login; try again later';
      throw new ApiError('rate_limited', message, { 'Retry-After': String(LIFETIME_MS / 1_000) });
    }
    await db.deviceLogin.create({
      data: {
        id: newUuid(now),
        deviceCodeDigest: codeDigest(deviceCode),
        userCodeDigest: codeDigest(userCode.replace('-', '')),
        name: body.name,
        address,
        network,
        createdAt: now,
        expiresAt,
        nextPollAt: now,
        intervalSeconds: INTERVAL_SECONDS,
      },
    });
  });
  const verificationUrl = `${settings.baseUrl}/device`;
  return {
    deviceCode,
    userCode,
    verificationUrl,
    verificationUrlComplete: `${verificationUrl}?code=${userCode}`,
    expiresAt: expiresAt.toISOString(),
    intervalSeconds: INTERVAL_SECONDS,
  };
}
