import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { createLookup } from '@posthorn/egress/lookup';
import { systemClock } from '@posthorn/runtime/clock';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { createSender, type WebSender } from './send.ts';

let receiver: Receiver;
let sender: WebSender;
beforeAll(async () => {
  receiver = await startReceiver();
  const rules = parseAllowedCidrs('127.0.0.0/8');
  const resolve = async () => [{ address: '127.0.0.1', family: 4 as const, ttlSeconds: 60 }];
  const lookup = createLookup({ rules, resolve, clock: systemClock });
  sender = createSender({ rules, lookup, clock: systemClock, ca: receiver.caPem });
});
beforeEach(() => {
  receiver.requests.length = 0;
});
afterAll(async () => {
  sender.close();
  await receiver.close();
});

const post = () => sender.send({ url: receiver.url, headers: {}, body: Buffer.from('{}'), timeoutMs: 5_000 });

const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n';

test('ten informational responses before the answer are accepted', async () => {
  receiver.respondWith(() => ({
    raw: ({ socket }) => {
      socket.end(`${EARLY_HINTS.repeat(10)}HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok`);
    },
  }));
  expect(await post()).toMatchObject({ kind: 'response', status: 200 });
});

test('an endpoint that sends informational responses without end is disconnected after ten of them', async () => {
  let closed: Promise<number> | undefined;
  receiver.respondWith(() => ({
    raw: ({ socket, repeat }) => {
      let sent = 0;
      closed = new Promise((resolve) => socket.once('close', () => resolve(sent)));
      repeat(1, () => {
        sent += EARLY_HINTS.length;
        socket.write(EARLY_HINTS);
      });
    },
  }));
  expect(await post()).toMatchObject({ kind: 'error', errorCode: 'protocol_error' });
  expect(await closed).toBeLessThan(1_024 * 1_024);
});

test('chunk extensions a thousand times larger than the body end the exchange', async () => {
  const chunk = `1;${'x'.repeat(16_000)}\r\na\r\n`;
  receiver.respondWith(() => ({
    raw: ({ socket, repeat }) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      repeat(1, () => socket.write(chunk));
    },
  }));
  expect(await post()).toMatchObject({ kind: 'error', errorCode: 'protocol_error' });
});
