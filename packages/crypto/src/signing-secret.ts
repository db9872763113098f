import { randomBytes } from 'node:crypto';
import { decodeStrictBase64 } from './strict-base64.ts';

/** A new signing secret in the format for receivers (Standard Webhooks): `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** The key bytes of a `whsec_` text; `undefined` unless it is 24 to 64 bytes in canonical, padded base64. */
export function parseSigningSecret(text: string): Buffer | undefined {
  return decoded(text, 64);
}

/**
 * The key that a secret signs with: the bytes of a `whsec_` text, or else the text itself. Svix allows keys of up to 75
 * bytes.
 */
export function hmacKeyOf(text: Buffer): Buffer {
  return decoded(text.toString('utf8'), 75) ?? text;
}

function decoded(text: string, mostBytes: number): Buffer | undefined {
  if (!text.startsWith(prefix)) return undefined;
  const key = decodeStrictBase64(text.slice(prefix.length), 'base64');
  return key !== undefined && key.length >= 24 && key.length <= mostBytes ? key : undefined;
}

const prefix = 'whsec_';
