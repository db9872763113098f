import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { systemClock } from '@posthorn/runtime/clock';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { createDocumentReader } from './read-document.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

async function read({ allowed = '127.0.0.0/8,::1/128', timeoutMs = 5_000 } = {}) {
  const reader = createDocumentReader({ rules: parseAllowedCidrs(allowed), clock: systemClock });
  try {
    return await reader.read(receiver.url, { timeoutMs, userAgent: 'test' });
  } finally {
    reader.close();
  }
}

test('a document is read by GET', async () => {
  receiver.respondWith(() => ({ body: '{"keys":[]}' }));
  expect(await read()).toEqual({ kind: 'read', status: 200, text: '{"keys":[]}' });
  expect(receiver.requests.at(-1)).toMatchObject({ method: 'GET', headers: { 'user-agent': 'test' } });
});

test('an address that the rules forbid gets no request', async () => {
  const before = receiver.requests.length;
  expect(await read({ allowed: '10.0.0.0/8' })).toMatchObject({ kind: 'failed' });
  expect(receiver.requests).toHaveLength(before);
});

test('a redirect is an answer, and is not followed', async () => {
  const before = receiver.requests.length;
  receiver.respondWith(() => ({ status: 302, headers: { location: `${receiver.url}elsewhere` } }));
  expect(await read()).toMatchObject({ kind: 'read', status: 302 });
  expect(receiver.requests).toHaveLength(before + 1);
});

test('an answer over 256 KiB is refused, and one that does not end is given up', async () => {
  receiver.respondWith(() => ({ body: Buffer.alloc(256 * 1_024 + 1, 'a') }));
  expect(await read()).toEqual({ kind: 'failed', message: 'The answer exceeds 256 KiB' });
  receiver.respondWith(() => ({ raw: () => {} }));
  expect(await read({ timeoutMs: 300 })).toEqual({ kind: 'failed', message: 'No complete answer within 0.3 s' });
});
