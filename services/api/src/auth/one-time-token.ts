import { randomBytes } from 'node:crypto';
import { digestToken } from '@posthorn/crypto/token';

const DAY_MS = 86_400_000;

export type OneTimeToken = { token: string; digest: Uint8Array<ArrayBuffer>; endsAt: Date };

/** Accepts an invitation: 256 bits, 7 days, one use. */
export function newInvitationToken(now: Date): OneTimeToken {
  return newOneTimeToken(now, 7 * DAY_MS);
}

/** Resets a password without the old one: 256 bits, one day, one use. */
export function newResetToken(now: Date): OneTimeToken {
  return newOneTimeToken(now, DAY_MS);
}

/** Finishes a sign-in with a second factor: 256 bits, ten minutes, one use. */
export function newChallengeToken(now: Date): OneTimeToken {
  return newOneTimeToken(now, 10 * 60_000);
}

/** Begins a session without a password: 256 bits, 15 minutes, one use. */
export function newSignInToken(now: Date): OneTimeToken {
  return newOneTimeToken(now, 15 * 60_000);
}

function newOneTimeToken(now: Date, lifetimeMs: number): OneTimeToken {
  const token = randomBytes(32).toString('base64url');
  return { token, digest: digestToken(token), endsAt: new Date(now.getTime() + lifetimeMs) };
}
