import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '@posthorn/all/config';
import { startAll } from '@posthorn/all/start-all';
import { createLifecycle } from '@posthorn/runtime/lifecycle';
import { createLogger } from '@posthorn/runtime/logger';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { createTestDatabase, type TestDatabase, testRedis } from '@posthorn/testkit/database';
import { freePort } from '@posthorn/testkit/free-port';
import { createIngest, type Ingest } from '@posthorn/testkit/ingest-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { seedWorkspace } from '@posthorn/testkit/seed';
import { serviceSettings } from '@posthorn/testkit/service-settings';
import { waitFor } from '@posthorn/testkit/wait-for';

// Tests the API and the dispatcher in one process, with Redis for everything except the hand-over.

let database: TestDatabase;
let receiver: Receiver;
let client: ApiClient;
let ingest: Ingest;
let metricsUrl: string;
let stop: () => Promise<unknown>;
let answer: { status: number };
beforeAll(async () => {
  receiver = await startReceiver();
  receiver.respondWith(() => answer);
  database = await createTestDatabase();
  const seeded = await seedWorkspace(database.db);
  const named = new URL(database.databaseUrl);
  named.searchParams.set('application_name', 'one-process');
  const metricsPort = await freePort();
  const settings = {
    ...serviceSettings({ databaseUrl: named.href, ...testRedis() }),
    ...{ PORT: `${await freePort()}`, METRICS_PORT: `${metricsPort}`, ADMIN_PORT: '0', LISTEN_ADDRESS: '127.0.0.1' },
    ...{ RATE_LIMIT_MANAGEMENT: '0', RETRY_SCHEDULE: '1,1' },
  };
  const logger = createLogger({ service: 'all', level: 'info', write: () => undefined });
  const lifecycle = createLifecycle({ logger, deadlineMs: 29_000 });
  const { url } = await startAll(readConfig(settings), { logger, lifecycle });
  stop = () => lifecycle.stop('the tests have ended');
  metricsUrl = `http://127.0.0.1:${metricsPort}`;
  client = createApiClient({ ...seeded, baseUrl: url });
  ingest = createIngest({ api: { url }, apiKey: seeded.apiKey });
}, 120_000);
afterAll(async () => {
  await stop?.();
  await receiver.close();
  await database.drop();
}, 120_000);

const readMetrics = async () => (await fetch(`${metricsUrl}/metrics`)).text();
const deliveryOf = async (eventId: unknown) => {
  const { body } = await client.call<{ deliveries: { status: string; totalAttempts: number }[] }>(
    'GET',
    `/events/${eventId}/deliveries`,
  );
  return body.deliveries[0];
};
const delivered = (eventId: unknown, attempts: number) =>
  waitFor(
    async () => {
      const delivery = await deliveryOf(eventId);
      return delivery?.status === 'delivered' && delivery.totalAttempts === attempts;
    },
    { what: `a delivery after ${attempts} attempts` },
  );

test('an event is handed to its attempt without a job, and a retry goes through the queue', async () => {
  answer = { status: 200 };
  await client.subscribeEndpoint({ url: new URL('/one', receiver.url).href, eventType: 'order.paid' });
  const send = async () => (await ingest('event/order.paid', '{"id":"order_1"}')).body.id;
  await delivered(await send(), 1);
  for (let n = 0; n < 5; n += 1) await delivered(await send(), 1);
  expect(await readMetrics()).not.toMatch(/posthorn_jobs_received_total\{queue="hand-over"\} [1-9]/);
  answer = { status: 500 };
  const id = await send();
  await waitFor(async () => (await deliveryOf(id))?.totalAttempts === 1, { what: 'the first attempt' });
  answer = { status: 200 };
  await delivered(id, 2);
  expect(await readMetrics()).toMatch(/posthorn_jobs_received_total\{queue="deliver"\} [1-9]/);
}, 120_000);

test('one port has the metrics of both, each name once, and whether the process is ready', async () => {
  const text = await readMetrics();
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of ['posthorn_http_request_seconds', 'posthorn_attempts_total', 'posthorn_store_up'])
    expect(names).toContain(name);
  expect(text).toMatch(/^posthorn_store_up\{store="postgres"\} 1$/m);
  for (const pool of ['delivery', 'ingestion']) expect(text).toContain(`posthorn_postgres_connections{pool="${pool}"`);
  expect((await fetch(`${metricsUrl}/readyz`)).status).toBe(200);
});

test('however much it does at once, it keeps at most 20 connections to Postgres', async () => {
  const { endpointId } = await client.subscribeEndpoint({
    url: new URL('/many', receiver.url).href,
    eventType: 'order.many',
  });
  const work = Array.from({ length: 40 }, () => [
    ingest('event/order.many', '{}'),
    client.call('GET', `/endpoints/${endpointId}`),
    client.call('GET', '/deliveries?limit=100'),
    client.call('PATCH', `/endpoints/${endpointId}`, { description: 'many' }),
  ]);
  await Promise.all(work.flat());
  const pools = [
    ...(await readMetrics()).matchAll(/^posthorn_postgres_connections\{pool="(\w+)",state="(busy|idle)"\} (\d+)$/gm),
  ];
  expect(new Set(pools.map(([, pool]) => pool))).toEqual(
    new Set(['delivery', 'ingestion', 'door', 'management', 'consumers', 'lists']),
  );
  // An idle connection of a pool stays open for half a minute. Other connections end with their only statement.
  await waitFor(
    async () => {
      const [row] = await database.db.$queryRaw<{ count: number }[]>`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name = 'one-process'`;
      return row !== undefined && row.count > 10 && row.count <= 20;
    },
    { what: 'at most 20 connections' },
  );
});
