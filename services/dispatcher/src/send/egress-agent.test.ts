import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { EgressAgent } from './egress-agent.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** How long the connection is kept after an answer with these headers. */
async function idleAfter(headers: Record<string, string>): Promise<number | undefined> {
  receiver.respondWith(() => ({ status: 200, body: 'ok', headers: { connection: 'keep-alive', ...headers } }));
  const agent = new EgressAgent({
    rules: parseAllowedCidrs('127.0.0.1/32'),
    lookup: async () => ({ kind: 'ok', addresses: [{ address: '127.0.0.1', family: 4 }] }),
    ca: receiver.caPem,
  });
  const sent = request(receiver.url, { agent, method: 'POST' });
  const freed = once(agent, 'free') as Promise<[Socket]>;
  sent.on('response', (response) => response.resume());
  sent.end('{}');
  const [socket] = await freed;
  const idle = socket.timeout;
  agent.destroy();
  return idle;
}

test('a connection is kept idle a second less than announced, and 15 s at most', async () => {
  expect(await idleAfter({ 'keep-alive': 'timeout=9' })).toBe(8_000);
  expect(await idleAfter({ 'keep-alive': 'timeout=600, max=100' })).toBe(15_000);
});

test('a connection of which nothing is announced is kept idle for 4 s', async () => {
  expect(await idleAfter({})).toBe(4_000);
});

test('near the limit on connections an idle one is closed, so that a request to another endpoint finds room', async () => {
  const agent = new EgressAgent({
    rules: parseAllowedCidrs('127.0.0.1/32'),
    lookup: async () => ({ kind: 'ok', addresses: [{ address: '127.0.0.1', family: 4 }] }),
    ca: receiver.caPem,
    maxSockets: 2,
  });
  receiver.respondWith(() => ({ status: 200, body: 'ok' }));
  const post = async (hostname: string) => {
    const sent = request({ hostname, port: receiver.port, agent, method: 'POST', timeout: 3_000 });
    sent.end('{}');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    return response.statusCode;
  };
  const hostnames = ['a.receiver.test', 'b.receiver.test', 'c.receiver.test', 'd.receiver.test'];
  for (const hostname of hostnames) expect(await post(hostname)).toBe(200);
  agent.destroy();
});
