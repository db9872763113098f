import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { createApiClient } from '@posthorn/testkit/api-client';
import { createIngest } from '@posthorn/testkit/ingest-client';
import { startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { startServices } from './services-in-process.ts';

// What two APIs and two dispatchers share in Postgres alone: the limits of endpoints, tests and examinations, live streams
// and waiting consumers.

const receiver = await startReceiver();
const services = await startServices({
  dispatchers: 2,
  settings: { REDIS_URL: '', RETRY_SCHEDULE: '3600', RATE_LIMIT_MANAGEMENT: '0' },
});
const second = await services.startApi();
afterAll(async () => {
  await services.stop();
  await receiver.close();
}, 60_000);
beforeEach(() => receiver.respondWith(() => ({})));

const client = createApiClient({ ...services, baseUrl: services.api.url });
const secondClient = createApiClient({ ...services, baseUrl: second.url });
const ingest = createIngest({ ...services, api: services.api });

async function createEndpoint(path: string, config: object = {}) {
  const { status, body } = await client.call('POST', '/endpoints', { url: new URL(path, receiver.url).href, config });
  expect(status).toBe(201);
  const requests = () => receiver.requests.filter((request) => request.url === path);
  const { id: uuid } = await services.db.endpoint.findFirstOrThrow({ where: { url: String(body.url) } });
  return { id: String(body.id), uuid, requests };
}

async function send(endpointId: string, count: number) {
  const events = Array.from({ length: count }, (_, n) => ({ endpointId, data: n }));
  expect((await ingest('batch', JSON.stringify({ events }))).status).toBe(202);
}

test.each([1, 3])(
  'maxConcurrency %i: at most as many requests are open at once, over all dispatchers',
  async (most) => {
    const limited = await createEndpoint(`/slots-${most}`, { maxConcurrency: most });
    const seen = { open: 0, most: 0 };
    receiver.respondWith(async () => {
      seen.open += 1;
      seen.most = Math.max(seen.most, seen.open);
      // The first ones stay open until as many are open as may be.
      await waitFor(() => seen.most >= most, { what: 'the other requests' });
      seen.open -= 1;
      return {};
    });
    await send(limited.id, 30);
    await waitFor(() => limited.requests().length === 30 && seen.open === 0, {
      what: 'all requests',
      timeoutMs: 60_000,
    });
    expect(seen.most).toBe(most);
  },
  90_000,
);

test('rateLimit: the requests of all dispatchers keep to the limit, and all arrive', async () => {
  const limited = await createEndpoint('/rate', { rateLimit: { limit: 5, periodSeconds: 1 } });
  const beganMs = Date.now();
  await send(limited.id, 20);
  const where = { endpointId: limited.uuid, status: 'delivered', totalAttempts: 1 } as const;
  const areDelivered = async () => (await services.db.delivery.count({ where })) === 20;
  await waitFor(areDelivered, { what: 'all to be delivered at their first attempt', timeoutMs: 60_000 });
  const ids = (await services.db.delivery.findMany({ where, select: { id: true } })).map(({ id }) => id);
  const attempts = await services.db.attempt.findMany({ where: { deliveryId: { in: ids } } });
  const times = attempts.map(({ startedAt }) => startedAt.getTime());
  const inPeriod = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));
  // Requests of two periods may be sent in one on a busy machine; the whole time shows the rate.
  expect(inPeriod).toBeLessThan(10);
  expect(Math.max(...times) - beganMs).toBeGreaterThan(3_500);
}, 90_000);

test('a limit that is lifted sends what waits, without its line', async () => {
  const limited = await createEndpoint('/lifted', { rateLimit: { limit: 1, periodSeconds: 3_600 } });
  await send(limited.id, 30);
  await waitFor(() => limited.requests().length === 1, { what: 'the first request' });
  await client.call('PATCH', `/endpoints/${limited.id}`, { config: {} });
  await waitFor(() => limited.requests().length === 30, { what: 'the others', timeoutMs: 30_000 });
});

test('a test and an examination of an endpoint are answered by a dispatcher', async () => {
  const tested = await createEndpoint('/tested');
  receiver.respondWith(() => ({ status: 418, body: 'a canary in the answer' }));
  for (const by of [client, secondClient]) {
    const { status, body } = await by.call('POST', `/endpoints/${tested.id}/test`, { payload: { n: 1 } });
    expect([status, body]).toMatchObject([200, { responseStatus: 418 }]);
    expect((await by.call('POST', `/endpoints/${tested.id}/doctor`)).status).toBe(by === client ? 200 : 429);
  }
  await waitFor(async () => (await services.db.$queryRaw<object[]>`select id from probe`).length === 0, {
    what: 'nothing to be left',
  });
});

test('no more tests of an endpoint than allowed run at once, over all APIs', async () => {
  const tested = await createEndpoint('/tested-at-once', { timeoutSeconds: 30 });
  let release = () => {};
  const released = new Promise<object>((resolve) => {
    release = () => resolve({});
  });
  receiver.respondWith(() => released);
  const statuses: number[] = [];
  const ask = async (by: typeof client) => {
    const { status } = await by.call('POST', `/endpoints/${tested.id}/test`, { payload: 1 });
    statuses.push(status);
  };
  const asked = Array.from({ length: 12 }, (_, n) => ask(n % 2 === 0 ? client : secondClient));
  await waitFor(() => statuses.length + tested.requests().length === 12, { what: 'each to be sent or refused' });
  expect([statuses.length > 0, statuses.every((status) => status === 429)]).toEqual([true, true]);
  const sent = tested.requests().length;
  release();
  await Promise.all(asked);
  expect(statuses.filter((status) => status === 200)).toHaveLength(sent);
}, 60_000);

test('a live stream of one API tells of an event of the other, and of its delivery', async () => {
  const shown = await createEndpoint('/shown');
  const headers = { authorization: `Bearer ${services.managementToken}` };
  const url = `${second.url}/management/v1/workspaces/${services.workspaceId}/live`;
  const stream = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers }, resolve).on('error', reject);
  });
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  stream.on('error', () => {});
  expect(stream.statusCode).toBe(200);
  const isTold = () => text.includes('event: event') && text.includes('"status":"delivered"');
  await waitFor(
    async () => {
      await send(shown.id, 1);
      return isTold();
    },
    { what: 'an event and a delivery in the stream' },
  );
  stream.destroy();
});

test('a consumer that waits at one API is woken by an event of the other', async () => {
  const { body: made } = await client.call<{ id: string; pullKey: string }>('POST', '/endpoints', { type: 'pull' });
  const lease = async () => {
    const response = await fetch(`${second.url}/api/pull/${made.id}/lease`, {
      method: 'POST',
      headers: { authorization: `Bearer ${made.pullKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ waitSeconds: 20 }),
    });
    return ((await response.json()) as { messages: object[] }).messages;
  };
  for (let n = 0; n < 3; n += 1) {
    const waiting = lease();
    await send(made.id, 1);
    expect(await waiting).toHaveLength(1);
  }
}, 60_000);
