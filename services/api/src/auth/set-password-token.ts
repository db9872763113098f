import { randomBytes } from 'node:crypto';
import { digestToken } from '@posthorn/crypto/token';

const ENDS_AFTER_MS = 7 * 86_400_000;

/** The token by which a new user sets a first password, and the user's columns that hold it: 256 bits, 7 days, one use. */
export function newSetPasswordToken(now: Date) {
  const token = randomBytes(32).toString('base64url');
  return {
    token,
    columns: {
      setPasswordDigest: digestToken(token),
      setPasswordTokenEndsAt: new Date(now.getTime() + ENDS_AFTER_MS),
    },
  };
}
