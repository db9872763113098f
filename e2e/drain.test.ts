/** @queues redis postgres */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { fromId } from '@posthorn/contract/ids';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { testQueue } from '@posthorn/testkit/database';
import { createIngest } from '@posthorn/testkit/ingest-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { startTcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';

let receiver: Receiver;
let stack: Stack;
let client: ApiClient;
let endpointId: string;
beforeAll(async () => {
  receiver = await startReceiver();
  const settings = { RETRY_SCHEDULE: '1,1', SWEEP_INTERVAL_MS: '500', DELIVERY_CONCURRENCY: '20' };
  stack = await startStack({ settings });
  client = createApiClient({ ...stack, baseUrl: stack.api.url });
}, 60_000);
afterAll(async () => {
  await stack.stop();
  await receiver.close();
}, 60_000);
beforeEach(async () => {
  receiver.requests.length = 0;
  ({ endpointId } = await client.subscribeEndpoint({ url: receiver.url, eventType: 'test.drain' }));
});

/** Sends the events directly to the test's endpoint. */
async function send(events: number): Promise<void> {
  const ingest = createIngest(stack);
  const replies = await Promise.all(Array.from({ length: events }, () => ingest(endpointId, '{}')));
  expect(replies.map((reply) => reply.status)).toEqual(Array(events).fill(202));
}

/** The number of the endpoint's deliveries with this status. */
const count = (status: 'delivering' | 'delivered') =>
  stack.db.delivery.count({ where: { endpointId: fromId('ep', endpointId) ?? '', status } });

const delivered = (wanted: number) =>
  waitFor(async () => (await count('delivered')) === wanted, {
    what: `${wanted} deliveries`,
    timeoutMs: 50_000,
  });

/** Every received attempt, by delivery and number. */
const attempts = () =>
  receiver.requests.map(({ headers }) => `${headers['webhook-delivery-id']} ${headers['webhook-attempt']}`);

test('a dispatcher stopped while receivers answer slowly finishes its open attempts and exits with 0, and nothing is sent twice', async () => {
  receiver.respondWith(() => ({ delayMs: 500 }));
  await send(40);
  await receiver.received(15);
  const [before] = stack.dispatchers.splice(0, 1);
  const code = await before?.end('SIGTERM');
  expect([code, before?.output()]).toEqual([0, expect.stringContaining('stopped')]);
  // Every attempt that was sent is settled.
  expect(await count('delivering')).toBe(0);
  expect(await count('delivered')).toBe(receiver.requests.length);
  await stack.startDispatcher();
  await delivered(40);
  expect(receiver.requests).toHaveLength(40);
  expect(new Set(attempts()).size).toBe(40);
}, 60_000);

test('dispatchers restarted one after another under load lose nothing, send nothing twice and exit with 0', async () => {
  receiver.respondWith(() => ({ delayMs: 100 }));
  await stack.startDispatcher();
  await send(300);
  // Replaces each of the two dispatchers once.
  for (let n = 0; n < 2; n += 1) {
    await receiver.received(60 * (n + 1));
    const [old] = stack.dispatchers.splice(0, 1);
    const [code] = await Promise.all([old?.end('SIGTERM'), stack.startDispatcher()]);
    expect(code).toBe(0);
  }
  await delivered(300);
  expect([receiver.requests.length, new Set(attempts()).size]).toEqual([300, 300]);
}, 90_000);

// Only the run of this file with Redis can test this.
(testQueue('redis').redisUrl === '' ? test.skip : test)(
  'both services start and stop normally while Redis is away',
  async () => {
    const gate = await startTcpGate(stack.redisUrl);
    await gate.shut();
    const dispatcher = await stack.startDispatcher({ REDIS_URL: gate.url });
    const api = await stack.startApi({ REDIS_URL: gate.url });
    for (const { url } of [dispatcher, api]) {
      const ready = await fetch(`${url}/readyz`);
      expect([ready.status, await ready.json()]).toEqual([
        200,
        { status: 'degraded', dependencies: { postgres: 'up', redis: 'down' }, queue: 'redis' },
      ]);
    }
    const beganMs = performance.now();
    expect(await Promise.all([dispatcher.end('SIGTERM'), api.end('SIGTERM')])).toEqual([0, 0]);
    // Neither waits for the drain window of 25 s, because no attempt was open.
    expect(performance.now() - beganMs).toBeLessThan(20_000);
    await gate.close();
  },
  60_000,
);
