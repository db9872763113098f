import { afterAll, expect, test } from '@jest/globals';
import { createApiClient } from '@posthorn/testkit/api-client';
import { testRedis } from '@posthorn/testkit/database';
import { createIngest } from '@posthorn/testkit/ingest-client';
import { startReceiver } from '@posthorn/testkit/receiver';
import { startTcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import { startServices } from './services-in-process.ts';

const gate = await startTcpGate(testRedis().redisUrl);
const receiver = await startReceiver();
const services = await startServices({
  dispatchers: 2,
  settings: { REDIS_URL: gate.url, RETRY_SCHEDULE: '1' },
});
afterAll(async () => {
  await services.stop();
  await receiver.close();
  await gate.close();
}, 60_000);

test('while Redis is away, events are delivered and retried from Postgres, each attempt once', async () => {
  const client = createApiClient({ ...services, baseUrl: services.api.url });
  const ingest = createIngest({ ...services, api: services.api });
  const made = await client.call('POST', '/endpoints', { url: new URL('/away', receiver.url).href });
  expect(made.status).toBe(201);
  await gate.shut();
  let requests = 0;
  // The first attempt of every third event fails.
  const failed = new Set<string>();
  receiver.respondWith(({ headers }) => {
    const id = String(headers['webhook-id']);
    requests += 1;
    if (requests % 3 !== 0 || failed.has(id)) return {};
    failed.add(id);
    return { status: 500 };
  });
  const events = Array.from({ length: 30 }, (_, n) => ({ endpointId: String(made.body.id), data: n }));
  expect((await ingest('batch', JSON.stringify({ events }))).status).toBe(202);
  const delivered = () => services.db.delivery.count({ where: { status: 'delivered' } });
  await waitFor(async () => (await delivered()) === 30, { what: 'all deliveries', timeoutMs: 60_000 });
  expect(failed.size).toBeGreaterThan(0);
  expect(receiver.requests.length).toBe(30 + failed.size);
  await gate.open();
  expect((await ingest('batch', JSON.stringify({ events }))).status).toBe(202);
  await waitFor(async () => (await delivered()) === 60, { what: 'the others', timeoutMs: 60_000 });
}, 150_000);
