import { sealContext } from '@posthorn/crypto/contexts';
import { open, type SealingKeys, seal } from '@posthorn/crypto/seal';
import { Secret, TOTP } from 'otpauth';

/** The parameters that every authenticator app supports (RFC 6238): six digits of HMAC-SHA-1, new every 30 seconds. */
const CODES = { issuer: 'Posthorn', algorithm: 'SHA1', digits: 6, period: 30 } as const;
const PERIOD_MS = CODES.period * 1_000;
/** Clocks of phones differ, and a code takes time to be typed: one period before and one after are accepted. */
const PERIODS_AROUND = 1;
const SECRET_BYTES = 20;

/** A new secret: sealed for its row, in base32, and as the URI of a QR code. `email` is the name that the app shows. */
export function newAuthenticator(keys: SealingKeys, id: string, email: string) {
  const secret = new Secret({ size: SECRET_BYTES });
  return {
    sealed: new Uint8Array(seal(keys, secret.bytes, sealContext.authenticator(id))),
    secret: secret.base32,
    uri: new TOTP({ ...CODES, label: email, secret }).toString(),
  };
}

/**
 * The period that this code belongs to, counted from 1970, if it is the current period or one beside it; undefined for
 * any other text. Throws when no configured key opens the secret.
 */
export function periodOfCode(
  keys: SealingKeys,
  authenticator: { id: string; secretSealed: Uint8Array },
  { code, at }: { code: string; at: Date },
): bigint | undefined {
  const opened = open(keys, authenticator.secretSealed, sealContext.authenticator(authenticator.id));
  if (opened.kind === 'unreadable') {
    throw new Error(`the secret of authenticator ${authenticator.id} cannot be opened: ${opened.reason}`);
  }
  const secret = new Secret({ buffer: new Uint8Array(opened.plaintext).buffer });
  const timestamp = at.getTime();
  const delta = new TOTP({ ...CODES, secret }).validate({ token: code, timestamp, window: PERIODS_AROUND });
  return delta === null ? undefined : BigInt(Math.floor(timestamp / PERIOD_MS) + delta);
}
