import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { createApiClient } from '@posthorn/testkit/api-client';
import { createIngest } from '@posthorn/testkit/ingest-client';
import { startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { startServices } from './services-in-process.ts';

// Tests the limits that two APIs and two dispatchers share when they have only Postgres: tests and examinations, live
// streams and waiting consumers. fairness.test.ts tests the limits of endpoints.

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
  return { id: String(body.id), requests };
}

async function send(endpointId: string, count: number) {
  const events = Array.from({ length: count }, (_, n) => ({ endpointId, data: n }));
  expect((await ingest('batch', JSON.stringify({ events }))).status).toBe(202);
}

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
