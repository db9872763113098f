/** @queues redis postgres */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fromId } from '@posthorn/contract/ids';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { askRedis } from '@posthorn/testkit/redis-place';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { waitFor } from '@posthorn/testkit/wait-for';

let receiver: Receiver;
let stack: Stack;
let client: ApiClient;
beforeAll(async () => {
  receiver = await startReceiver();
  stack = await startStack({ settings: { SWEEP_INTERVAL_MS: '500', RETRY_SCHEDULE: '1' } });
  client = createApiClient({ ...stack, baseUrl: stack.api.url });
}, 60_000);
afterAll(async () => {
  await stack.stop();
  await receiver.close();
}, 60_000);

type Delivery = { id: string; status: string; failureReason: string | null; totalAttempts: number };

const newEndpoint = async (path: string, config: object = {}) =>
  (await client.call<{ id: string }>('POST', '/endpoints', { url: new URL(path, receiver.url).href, config })).body.id;
const deliveriesOf = async (endpointId: string) =>
  (await client.call<{ deliveries: Delivery[] }>('GET', `/endpoints/${endpointId}/deliveries`)).body.deliveries;

test('a test whose dispatcher dies is never sent again: it ends as dead_letter when its lease has expired', async () => {
  receiver.respondWith(() => ({ raw: () => {} }));
  const endpointId = await newEndpoint('/dies', { timeoutSeconds: 1 });
  const answer = client.call('POST', `/endpoints/${endpointId}/test`, { payload: 1 });
  await receiver.received(1);
  await stack.dispatchers[0]?.end('SIGKILL');
  receiver.respondWith(() => ({}));
  await stack.startDispatcher();
  const ended = await waitFor(
    async () => (await deliveriesOf(endpointId)).find(({ status }) => status === 'dead_letter'),
    { what: 'the test to end', timeoutMs: 30_000 },
  );
  expect(ended).toMatchObject({ failureReason: 'retries_exhausted', totalAttempts: 0 });
  expect(receiver.requests.filter(({ url }) => url === '/dies')).toHaveLength(1);
  expect((await answer).status).toBe(503);
  expect(receiver.requests.filter(({ url }) => url === '/dies')).toHaveLength(1);
}, 90_000);

test('neither a test nor an examination leaves anything in the queue or on a channel', async () => {
  receiver.respondWith(() => ({}));
  const endpointId = await newEndpoint('/tidy');
  expect((await client.call('POST', `/endpoints/${endpointId}/test`, { payload: 'canary-4242' })).status).toBe(200);
  expect((await client.call('POST', `/endpoints/${endpointId}/doctor`)).status).toBe(200);
  await (stack.redisUrl === '' ? expectNothingInPostgres(endpointId) : expectNothingInRedis());
}, 60_000);

async function expectNothingInPostgres(endpointId: string) {
  const uuid = fromId('ep', endpointId);
  const rows = () => stack.db.$queryRaw<object[]>`select from probe where task->>'endpointId' = ${uuid}`;
  await waitFor(async () => (await rows()).length === 0, { what: 'the rows of its probes to be removed' });
}

async function expectNothingInRedis() {
  const keysNow = async () => (await askRedis(stack.redisUrl, 'KEYS', `${stack.prefix}:probe:*`)) as string[];
  const isJob = (key: string) => /:probe-[0-9a-f-]{36}$/.test(key);
  // A job is removed after its reply. BullMQ keeps the other keys for the queue itself.
  await waitFor(async () => !(await keysNow()).some(isJob), { what: 'the jobs to be removed' });
  const keys = await keysNow();
  const dump = await Promise.all(
    keys.filter((key) => key.endsWith(':events')).map((key) => askRedis(stack.redisUrl, 'XRANGE', key, '-', '+')),
  );
  expect(JSON.stringify(dump)).not.toMatch(/canary|healthy|broken|127\.0\.0\.1/);
}
