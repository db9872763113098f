import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fromId } from '@posthorn/contract/ids';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { freePort } from '@posthorn/testkit/free-port';
import { createIngest, type Ingest } from '@posthorn/testkit/ingest-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { type SeededWorkspace, seedWorkspace } from '@posthorn/testkit/seed';
import { awaitReady, type ServiceProcess, startService } from '@posthorn/testkit/service-process';
import { serviceSettings } from '@posthorn/testkit/service-settings';
import { waitFor } from '@posthorn/testkit/wait-for';
import { Webhook } from 'standardwebhooks';

// Tests one process and one store, as `npm start -- --one` and the role `all` run without Redis.

const EVENTS = 40;
const WIDE = 12;

let database: TestDatabase;
let seeded: SeededWorkspace;
let receiver: Receiver;
let settings: Record<string, string>;
let all: ServiceProcess;
let client: ApiClient;
let ingest: Ingest;

async function start(): Promise<void> {
  all = startService({ service: 'all', port: await freePort(), settings });
  await awaitReady(all);
  client = createApiClient({ ...seeded, baseUrl: all.url });
  ingest = createIngest({ api: all, apiKey: seeded.apiKey });
}

beforeAll(async () => {
  receiver = await startReceiver();
  database = await createTestDatabase();
  seeded = await seedWorkspace(database.db);
  settings = {
    ...serviceSettings({ databaseUrl: database.databaseUrl, redisUrl: '', prefix: '' }),
    ...{ LISTEN_ADDRESS: '127.0.0.1', RATE_LIMIT_MANAGEMENT: '0', RETRY_SCHEDULE: '1,1,1', LOG_LEVEL: 'info' },
    ...{ DELIVERY_TIMEOUT_SECONDS: '3', NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS ?? '' },
  };
  await start();
}, 120_000);
afterAll(async () => {
  await all?.end('SIGTERM');
  await receiver.close();
  await database.drop();
}, 60_000);

const to = (path: string) => receiver.requests.filter((request) => request.url === path);
const statusOf = async (status: 'delivered' | 'delivering') => database.db.delivery.count({ where: { status } });

test('an event is delivered with a signature that verifies, and a retry follows', async () => {
  const { secret } = await client.subscribeEndpoint({
    url: new URL('/one', receiver.url).href,
    eventType: 'order.paid',
  });
  receiver.respondWith((_request, nth) => ({ status: nth === 1 ? 500 : 200 }));
  expect((await ingest('event/order.paid', '{"id":"order_1"}')).status).toBe(202);
  await waitFor(() => to('/one').length === 2, { what: 'the retry' });
  for (const { body, headers } of to('/one'))
    expect(new Webhook(secret).verify(body.toString(), headers as Record<string, string>)).toEqual({ id: 'order_1' });
  await waitFor(async () => (await statusOf('delivered')) === 1, { what: 'the end of the delivery' });
});

test('an event for more endpoints than are matched at the door is fanned out', async () => {
  for (let n = 0; n < WIDE; n += 1)
    await client.subscribeEndpoint({ url: new URL('/wide', receiver.url).href, eventType: 'invoice.sent' });
  expect((await ingest('event/invoice.sent', '{}')).status).toBe(202);
  await waitFor(() => to('/wide').length === WIDE, { what: 'all endpoints' });
});

test('after SIGKILL under load a new process delivers every event that was accepted', async () => {
  const made = await client.call<{ id: string }>('POST', '/endpoints', { url: new URL('/killed', receiver.url).href });
  // Requests that are under way when the process is killed never get a response.
  let isHeld = true;
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  receiver.respondWith(async () => {
    if (isHeld) await held;
    return {};
  });
  const before = await statusOf('delivered');
  const events = Array.from({ length: EVENTS }, (_, n) => ({ endpointId: made.body.id, data: n }));
  expect((await ingest('batch', JSON.stringify({ events }))).status).toBe(202);
  await waitFor(() => to('/killed').length > 0, { what: 'attempts' });
  await all.end('SIGKILL');
  isHeld = false;
  letGo();
  await start();
  await waitFor(async () => (await statusOf('delivered')) === before + EVENTS, {
    what: 'every delivery',
    timeoutMs: 60_000,
  });
  const ids = new Set(to('/killed').map(({ headers }) => headers['webhook-id']));
  expect(ids.size).toBe(EVENTS);
}, 120_000);

test('SIGTERM gives attempts their whole time while a client holds a connection, and releases the leases of the others', async () => {
  const url = new URL('/hangs', receiver.url).href;
  receiver.respondWith(() => new Promise(() => undefined));
  const { endpointId } = await client.subscribeEndpoint({
    url,
    eventType: 'slow.begun',
    config: { timeoutSeconds: 30 },
  });
  expect((await ingest('event/slow.begun', '{}')).status).toBe(202);
  await waitFor(() => to('/hangs').length === 1, { what: 'the attempt' });
  const idle = connect(Number(new URL(all.url).port), '127.0.0.1');
  idle.on('error', () => undefined);
  await new Promise((resolve) => idle.once('connect', resolve));
  expect([await all.end('SIGTERM'), all.output()]).toEqual([0, expect.stringContaining('"message":"stopped"')]);
  const where = { endpointId: fromId('ep', endpointId) ?? '' };
  expect(await database.db.delivery.findMany({ where })).toMatchObject([{ status: 'pending', leaseToken: null }]);
}, 120_000);
