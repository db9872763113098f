import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { checkSignature } from './webhook-signature.ts';

const KEY = Buffer.alloc(32, 7);
const SECRET = `whsec_${KEY.toString('base64')}`;
const body = Buffer.from('{"a":"é"}');
const hmac = createHmac('sha256', KEY).update('msg_1.1700000000.').update(body).digest('base64');
const headers = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': '1700000000',
  'webhook-signature': `v1,bm90aGluZw== v1,${hmac}`,
};

test('one valid signature among several is enough', async () => {
  expect(await checkSignature(SECRET, { headers, body })).toEqual({ kind: 'valid' });
});

test('another body and another secret are found out', async () => {
  expect(await checkSignature(SECRET, { headers, body: Buffer.from('{}') })).toEqual({ kind: 'wrong' });
  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  expect(await checkSignature(other, { headers, body })).toEqual({ kind: 'wrong' });
});

test('a missing header is named', async () => {
  const { 'webhook-signature': _, ...rest } = headers;
  expect(await checkSignature(SECRET, { headers: rest, body })).toEqual({
    kind: 'missing header',
    name: 'webhook-signature',
  });
});

test('a secret of another form, as an endpoint with another signature may have, signs with its own bytes', async () => {
  const secret = 'it is a s3cret!';
  const own = createHmac('sha256', secret).update('msg_1.1700000000.').update(body).digest('base64');
  const signed = { ...headers, 'webhook-signature': `v1,${own}` };
  expect(await checkSignature(secret, { headers: signed, body })).toEqual({ kind: 'valid' });
  expect(await checkSignature(secret, { headers, body })).toEqual({ kind: 'wrong' });
});
