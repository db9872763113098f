import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** An Ed25519 key pair (RFC 8032): the private key as its 32-byte seed, the public key as its 32 bytes. */
export type SigningKeyPair = { privateKey: Buffer; publicKey: Buffer };

export function newSigningKeyPair(): SigningKeyPair {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return { privateKey: Buffer.from(d ?? '', 'base64url'), publicKey: Buffer.from(x ?? '', 'base64url') };
}

/** The key that `signWebhook` takes; throws unless the two parts are a key pair. */
export function toSigningKey({ privateKey, publicKey }: SigningKeyPair): KeyObject {
  const key = { kty: 'OKP', crv: 'Ed25519', d: privateKey.toString('base64url'), x: publicKey.toString('base64url') };
  return createPrivateKey({ key, format: 'jwk' });
}

/** The public key in the format for receivers (Standard Webhooks): `whpk_` and its 32 bytes in base64. */
export function publicKeyText(publicKey: Uint8Array): string {
  return `whpk_${Buffer.from(publicKey).toString('base64')}`;
}
