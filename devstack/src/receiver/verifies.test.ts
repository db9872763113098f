import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { verifies } from './verifies.ts';

const key = Buffer.alloc(32, 7);
const secret = `whsec_${key.toString('base64')}`;

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
  expect(verifies(secret, body, signed(body))).toBe(true);
  expect(verifies(secret, Buffer.concat([body, Buffer.from([0x80])]), signed(body))).toBe(false);
  expect(verifies(secret, body, signed(body, 3_600))).toBe(false);
  expect(verifies(secret, body, {})).toBe(false);
  expect(verifies(`whsec_${Buffer.alloc(32, 8).toString('base64')}`, body, signed(body))).toBe(false);
});
