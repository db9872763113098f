import { createHmac, createPublicKey, randomBytes, verify } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { newSigningKeyPair, publicKeyText, toSigningKey } from './signing-key.ts';
import { newSigningSecret, parseSigningSecret } from './signing-secret.ts';
import { signWebhook } from './webhook-signature.ts';

const timestampSeconds = Math.floor(Date.now() / 1000);

function keyOf(secret: string): Buffer {
  const key = parseSigningSecret(secret);
  if (key === undefined) throw new Error('the test made a bad secret');
  return key;
}

function verifies(secret: string, id: string, body: string | Buffer, signature: string): boolean {
  const headers = { 'webhook-id': id, 'webhook-timestamp': `${timestampSeconds}`, 'webhook-signature': signature };
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

/** The key as a receiver reads it: `whpk_` and 32 bytes in base64. */
function receiversKey(text: string) {
  const x = Buffer.from(text.replace('whpk_', ''), 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

describe('the official Standard Webhooks library verifies', () => {
  const secret = newSigningSecret();
  const secrets = [keyOf(secret)];

  test.each([
    '{"a":1}',
    '{ "b" : 1.0,\r\n\t"a" : 1e400, "a" : 12345678901234567890 }',
    '"\\ud800 \\u0000 é ☃ 😀"',
    'not JSON at all',
    '\ufeff{}',
    '',
  ])('the body %j', (body) => {
    const signature = signWebhook({ id: 'msg_1', timestampSeconds, body: Buffer.from(body), secrets });
    expect(signature).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    expect(verifies(secret, 'msg_1', body, signature)).toBe(true);
    expect(verifies(secret, 'msg_1', Buffer.from(body), signature)).toBe(true);
  });

  test('every JSON text and every text in UTF-8, under any length of secret', () => {
    const bodies = fc.oneof(fc.json(), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(bodies, fc.integer({ min: 24, max: 64 }), (body, length) => {
        const key = randomBytes(length);
        const signature = signWebhook({ id: 'msg_1', timestampSeconds, body: Buffer.from(body), secrets: [key] });
        expect(verifies(key.toString('base64'), 'msg_1', body, signature)).toBe(true);
      }),
    );
  });

  test('with either of two live secrets, newest first, and with no other', () => {
    const older = newSigningSecret();
    const body = Buffer.from('{"a":1}');
    const both = signWebhook({ id: 'msg_1', timestampSeconds, body, secrets: [keyOf(secret), keyOf(older)] });
    expect(both.split(' ')).toEqual([
      signWebhook({ id: 'msg_1', timestampSeconds, body, secrets: [keyOf(secret)] }),
      signWebhook({ id: 'msg_1', timestampSeconds, body, secrets: [keyOf(older)] }),
    ]);
    expect(verifies(secret, 'msg_1', body, both)).toBe(true);
    expect(verifies(older, 'msg_1', body, both)).toBe(true);
    expect(verifies(newSigningSecret(), 'msg_1', body, both)).toBe(false);
  });

  test('not with another body, another id or another time', () => {
    const body = Buffer.from('{"a":1}');
    const signature = signWebhook({ id: 'msg_1', timestampSeconds, body, secrets });
    const late = signWebhook({ id: 'msg_1', timestampSeconds: timestampSeconds + 1, body, secrets });
    expect(verifies(secret, 'msg_1', Buffer.from('{"a":2}'), signature)).toBe(false);
    expect(verifies(secret, 'msg_2', body, signature)).toBe(false);
    expect(verifies(secret, 'msg_1', body, late)).toBe(false);
  });
});

// The official library reads every body as UTF-8, so this test compares with the specification's formula.
test('a body that is not UTF-8 is signed byte for byte', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const key = randomBytes(32);
      const signed = Buffer.concat([Buffer.from(`msg_1.${timestampSeconds}.`), bytes, Buffer.of(0xff, 0xc3)]);
      const body = Buffer.concat([bytes, Buffer.of(0xff, 0xc3)]);
      const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
      expect(signWebhook({ id: 'msg_1', timestampSeconds, body, secrets: [key] })).toBe(expected);
    }),
  );
});

test('a webhook without a secret is an error, never an empty signature', () => {
  expect(() => signWebhook({ id: 'msg_1', timestampSeconds, body: Buffer.from('{}'), secrets: [] })).toThrow(/secret/);
});

describe('with Ed25519 keys', () => {
  const secret = newSigningSecret();
  const [newer, older] = [newSigningKeyPair(), newSigningKeyPair()];
  const body = Buffer.from('{"a":1}\n');
  const signature = signWebhook({
    id: 'msg_1',
    timestampSeconds,
    body,
    secrets: [keyOf(secret)],
    privateKeys: [newer, older].map(toSigningKey),
  });
  const verifiesWith = (publicKey: Buffer, content: Buffer) =>
    signature
      .split(' ')
      .filter((one) => one.startsWith('v1a,'))
      .some((one) =>
        verify(null, content, receiversKey(publicKeyText(publicKey)), Buffer.from(one.slice(4), 'base64')),
      );

  test('every key signs the same content as the secrets, and each public key verifies it', () => {
    expect(signature.split(' ').map((one) => one.slice(0, one.indexOf(',')))).toEqual(['v1', 'v1a', 'v1a']);
    const content = Buffer.concat([Buffer.from(`msg_1.${timestampSeconds}.`), body]);
    for (const { publicKey } of [newer, older]) expect(verifiesWith(publicKey, content)).toBe(true);
    expect(verifiesWith(newSigningKeyPair().publicKey, content)).toBe(false);
    expect(verifiesWith(newer.publicKey, Buffer.concat([content, body]))).toBe(false);
  });

  test('the official library verifies the symmetric signature beside them', () => {
    expect(verifies(secret, 'msg_1', body, signature)).toBe(true);
  });

  test('a public key is whpk_ and the base64 of 32 bytes', () => {
    expect(publicKeyText(newer.publicKey)).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
  });
});
