import { createPrivateKey, type KeyObject } from 'node:crypto';

/** The most bits of an RSA key. Signing with a longer key blocks the process: a fifth of a second for 14,336 bits. */
const MOST_RSA_BITS = 4_096;
export const TOO_LONG = 'has an RSA key with more than 4,096 bits';

/** The key in an unencrypted PEM; undefined for any other text. */
export function privateKeyIn(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

export function isTooLong({ asymmetricKeyDetails: { modulusLength = 0 } = {} }: KeyObject): boolean {
  return modulusLength > MOST_RSA_BITS;
}
