import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hmacKeyOf, newSigningSecret, parseSigningSecret } from './signing-secret.ts';

test('a new secret is whsec_ and 32 bytes in base64, and differs each time', () => {
  const secrets = Array.from({ length: 100 }, newSigningSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(parseSigningSecret(secret)).toHaveLength(32);
  }
});

test('a secret of 24 to 64 bytes is parsed to its bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), (key) => {
      const bytes = Buffer.from(key);
      expect(parseSigningSecret(`whsec_${bytes.toString('base64')}`)).toEqual(bytes);
    }),
  );
});

test('a secret is refused below 24 and above 64 bytes', () => {
  for (const length of [0, 1, 23, 65, 100]) {
    expect(parseSigningSecret(`whsec_${randomBytes(length).toString('base64')}`)).toBeUndefined();
  }
});

test('the key is what whsec_ decodes to, also for the longest secret of Svix, or else the text', () => {
  const keyOf = (text: string) => hmacKeyOf(Buffer.from(text));
  for (const length of [24, 64, 75]) {
    const bytes = randomBytes(length);
    expect(keyOf(`whsec_${bytes.toString('base64')}`)).toEqual(bytes);
  }
  for (const text of ['a plain secret', 'whsec_short', `whsec_${randomBytes(76).toString('base64')}`]) {
    expect(keyOf(text)).toEqual(Buffer.from(text));
  }
});

test('a secret is refused in any other encoding', () => {
  const zeros = Buffer.alloc(32).toString('base64');
  const ones = Buffer.alloc(32, 0xff).toString('base64');
  const base64url = Buffer.alloc(32, 0xff).toString('base64url');
  const spellings = ['', 'whsec_', zeros, `WHSEC_${zeros}`, `whsec_${zeros.slice(0, -1)}`, `whsec_${zeros}=`];
  // The last character before the padding has two unused bits.
  const trailingBits = `whsec_${zeros.slice(0, -2)}B=`;
  for (const text of [...spellings, trailingBits, `whsec_${base64url}`, `whsec_ ${ones}`, `whsec_${ones}\n`]) {
    expect(parseSigningSecret(text)).toBeUndefined();
  }
});
