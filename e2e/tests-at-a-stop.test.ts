/** @queues redis postgres */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { readConfig as readAllConfig } from '@posthorn/all/config';
import { startAll } from '@posthorn/all/start-all';
import { readConfig as readApiConfig } from '@posthorn/api/config';
import { startApi } from '@posthorn/api/start-api';
import { fromId } from '@posthorn/contract/ids';
import { readConfig as readDispatcherConfig } from '@posthorn/dispatcher/config';
import { startDispatcher } from '@posthorn/dispatcher/start-dispatcher';
import { createLifecycle } from '@posthorn/runtime/lifecycle';
import { createLogger } from '@posthorn/runtime/logger';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { createTestDatabase, type TestDatabase, testQueue } from '@posthorn/testkit/database';
import { freePort } from '@posthorn/testkit/free-port';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { whileLocked } from '@posthorn/testkit/row-lock';
import { type SeededWorkspace, seedWorkspace } from '@posthorn/testkit/seed';
import { serviceSettings } from '@posthorn/testkit/service-settings';
import { waitFor } from '@posthorn/testkit/wait-for';

// Tests of endpoints that are under way when their process stops.

let database: TestDatabase;
let seeded: SeededWorkspace;
let receiver: Receiver;
let settings: Record<string, string>;
const log: string[] = [];
const logger = createLogger({ service: 'all', level: 'info', write: (line) => void log.push(line) });
const lifecycle = () => createLifecycle({ logger, deadlineMs: 29_000 });
const running: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  receiver = await startReceiver();
  database = await createTestDatabase();
  seeded = await seedWorkspace(database.db);
  settings = {
    ...serviceSettings({ databaseUrl: database.databaseUrl, ...testQueue('redis') }),
    ...{ METRICS_PORT: '0', ADMIN_PORT: '0', LISTEN_ADDRESS: '127.0.0.1', RATE_LIMIT_MANAGEMENT: '0' },
  };
}, 120_000);
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
}, 60_000);
afterAll(async () => {
  await receiver.close();
  await database.drop();
}, 60_000);

type Failure = { error: { code: string; message: string } };

const clientOf = (baseUrl: string) => createApiClient({ ...seeded, baseUrl });
async function newEndpoint(client: ApiClient, given: object = { url: receiver.url }): Promise<string> {
  const { body } = await client.call<{ id: string }>('POST', '/endpoints', given);
  return body.id;
}
const sendTest = <Body>(client: ApiClient, id: string) => client.call<Body>('POST', `/endpoints/${id}/test`, {});
const isLocked = async () => {
  const rows = await database.db.$queryRaw<object[]>`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return rows.length > 0;
};

test('one process sends a test that is stored after its stop has begun, and answers it', async () => {
  receiver.respondWith(() => ({ status: 204 }));
  const process = lifecycle();
  const config = readAllConfig({ ...settings, PORT: `${await freePort()}` });
  const { url } = await startAll(config, { logger, lifecycle: process });
  const stop = () => process.stop('the test says so');
  running.push(stop);
  const client = clientOf(url);
  const id = await newEndpoint(client);
  const lock = { sql: 'select from endpoint where id = $1 for update', values: [fromId('ep', id)] };
  const under = await whileLocked(database.databaseUrl, lock, async () => {
    const answer = sendTest(client, id);
    await waitFor(isLocked, { what: 'the test to wait for its endpoint' });
    const stopped = stop();
    const isShut = () =>
      fetch(url).then(
        () => false,
        () => true,
      );
    await waitFor(isShut, { what: 'the process to take no more requests' });
    return { answer, stopped };
  });
  const { status, body } = await under.answer;
  expect([status, body]).toEqual([200, expect.objectContaining({ responseStatus: 204 })]);
  expect(await under.stopped).toBe(true);
}, 60_000);

test('a test that takes longer than the stop waits is answered with the delivery, which gets its result', async () => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  receiver.respondWith(async () => {
    await held;
    return { status: 204 };
  });
  const before = receiver.requests.length;
  const dispatcher = await startDispatcher(readDispatcherConfig(settings), { logger });
  running.push(dispatcher.stop);
  const timing = { probesEndWithinMs: 100 };
  const api = await startApi(readApiConfig({ ...settings, PORT: `${await freePort()}` }), { logger, timing });
  running.push(api.stop);
  const client = clientOf(api.url);
  const [sent, pulled] = [await newEndpoint(client), await newEndpoint(client, { type: 'pull' })];
  const answers = [sendTest<Failure>(client, sent), sendTest<Failure>(client, pulled)];
  await receiver.received(before + 1);
  await waitFor(async () => (await database.db.delivery.count({ where: { isPulled: true } })) === 1, {
    what: 'the test that a consumer fetches',
  });
  await api.stop();
  const [ofSent, ofPulled] = await Promise.all(answers);
  expect([ofSent?.status, ofSent?.body.error.code, ofPulled?.status]).toEqual([503, 'unavailable', 503]);
  expect(ofPulled?.body.error.message).toMatch(/^No consumer has leased the test/);
  const deliveryId = /see delivery (dlv_\w+)$/.exec(ofSent?.body.error.message ?? '')?.[1] ?? '';
  letGo();
  const statusOf = async () =>
    (await database.db.delivery.findUnique({ where: { id: fromId('dlv', deliveryId) ?? '' } }))?.status;
  await waitFor(async () => (await statusOf()) === 'delivered', { what: 'the result of the test' });
  expect(log.join('')).not.toContain('a request failed');
}, 60_000);
