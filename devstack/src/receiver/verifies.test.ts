import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { coversTime, SIGNATURE_PRESETS, type Signature } from '@posthorn/contract/signature';
import { signatureHeaders } from '@posthorn/messages/signature-headers';
import { verifies } from './verifies.ts';

const key = Buffer.alloc(32, 7);
const secret = `whsec_${key.toString('base64')}`;
const signer = { secret, signature: undefined };

function signed(body: Buffer, ageSeconds = 0) {
  const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds);
  const mac = createHmac('sha256', key).update(`msg_1.${timestamp}.`).update(body).digest('base64');
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,AAAA v1,${mac}` };
}

test.each([
  ['JSON', Buffer.from('{"a":1}')],
  ['no JSON', Buffer.from('hello')],
  ['a byte order mark', Buffer.from('\ufeff{}')],
  ['an empty body', Buffer.alloc(0)],
  ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
])('a genuine signature verifies: %s', (_, body) => {
  expect(verifies(signer, body, signed(body))).toBe(true);
  expect(verifies(signer, Buffer.concat([body, Buffer.from([0x80])]), signed(body))).toBe(false);
  expect(verifies(signer, body, signed(body, 3_600))).toBe(false);
  expect(verifies(signer, body, {})).toBe(false);
  expect(verifies({ ...signer, secret: `whsec_${Buffer.alloc(32, 8).toString('base64')}` }, body, signed(body))).toBe(
    false,
  );
});

const FOREIGN = 'a secret of another service';
const OWN = [
  { scheme: 'hmac', header: 'X-Signature', algorithm: 'sha1', encoding: 'base64' },
  { scheme: 'hmac', header: 'X-Signature', content: 'timestamp.body', form: 't={timestamp},v1={signature}' },
  { scheme: 'hmac', header: 'X-Sig', content: 'id.timestamp.body', timestampHeader: 'X-Time', idHeader: 'X-Id' },
] satisfies Signature[];

describe.each<[string, Signature]>([
  ...SIGNATURE_PRESETS.map((preset): [string, Signature] => [preset, preset]),
  ...OWN.map((own): [string, Signature] => [JSON.stringify(own), own]),
])('the signature %s', (_name, signature) => {
  const body = Buffer.from('{"a":1}');
  const sign = (ageSeconds = 0, secrets = [FOREIGN]) => {
    const timestampSeconds = Math.floor(Date.now() / 1_000) - ageSeconds;
    const live = secrets.map((text) => ({ key: Buffer.from(text), text: Buffer.from(text), privateKey: null }));
    const message = { id: 'msg_1', timestampSeconds, contentType: 'application/json', body, secrets: live };
    const standardHeaders = { 'webhook-id': 'msg_1', 'content-type': 'application/json' };
    return { ...standardHeaders, ...signatureHeaders(message, { signature, standardHeaders: false }) };
  };

  test('verifies, and with another secret or a changed body it does not', () => {
    const own = { secret: FOREIGN, signature };
    expect(verifies(own, body, sign())).toBe(true);
    expect(verifies(own, body, sign(0, [FOREIGN, 'the secret before it']))).toBe(true);
    expect(verifies(own, Buffer.from('{"a":2}'), sign())).toBe(false);
    expect(verifies(own, body, {})).toBe(false);
    expect(verifies({ ...own, secret: 'another secret' }, body, sign())).toBe(false);
    expect(verifies({ ...own, secret }, body, sign())).toBe(false);
  });

  test('is refused when it is old, if it covers the time', () => {
    expect(verifies({ secret: FOREIGN, signature }, body, sign(3_600))).toBe(!coversTime(signature));
  });
});

test('a secret alone is tried with every preset', () => {
  const secrets = [{ key: Buffer.from(FOREIGN), text: Buffer.from(FOREIGN), privateKey: null }];
  const message = { id: 'msg_1', timestampSeconds: 0, contentType: null, body: Buffer.from('{}'), secrets };
  const headers = signatureHeaders(message, { signature: 'github', standardHeaders: false });
  expect(verifies({ secret: FOREIGN, signature: 'unknown' }, Buffer.from('{}'), headers)).toBe(true);
});
