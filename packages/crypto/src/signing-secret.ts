import { randomBytes } from 'node:crypto';
import { decodeStrictBase64 } from './strict-base64.ts';

/** A new signing secret in the format for receivers (Standard Webhooks): `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** The key bytes of a `whsec_` text; `undefined` unless it is 24 to 64 bytes in canonical, padded base64. */
export function parseSigningSecret(text: string): Buffer | undefined {
  if (!text.startsWith(prefix)) return undefined;
  const key = decodeStrictBase64(text.slice(prefix.length), 'base64');
  return key !== undefined && key.length >= 24 && key.length <= 64 ? key : undefined;
}

const prefix = 'whsec_';
