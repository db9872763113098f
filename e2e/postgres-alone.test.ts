import { afterAll, expect, test } from '@jest/globals';
import { createApiClient } from '@posthorn/testkit/api-client';
import { createIngest } from '@posthorn/testkit/ingest-client';
import { startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { Webhook } from 'standardwebhooks';
import { startServices } from './services-in-process.ts';

// Tests an API and two dispatchers with a common Postgres and no Redis.

const WIDE = 40;

const receiver = await startReceiver();
const services = await startServices({
  dispatchers: 2,
  settings: { REDIS_URL: '', RETRY_SCHEDULE: '1,1', RATE_LIMIT_MANAGEMENT: '0' },
});
afterAll(async () => {
  await services.stop();
  await receiver.close();
}, 60_000);

const client = createApiClient({ ...services, baseUrl: services.api.url });
const ingest = createIngest({ ...services, api: services.api });
const to = (path: string) => receiver.requests.filter((request) => request.url === path);
const delivered = () => services.db.delivery.count({ where: { status: 'delivered' } });
const metricsOf = async ({ url }: { url: string }) => (await fetch(`${url}/metrics`)).text();
const total = (text: string, name: string) =>
  Number(new RegExp(`^${name.replaceAll(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
const totals = async (name: string) =>
  (await Promise.all(services.dispatchers.map(metricsOf))).reduce((sum, text) => sum + total(text, name), 0);

test('both services are ready, and say that the queue is in Postgres', async () => {
  for (const { url } of [services.api, ...services.dispatchers]) {
    // On a busy machine, it may take longer than the two seconds of a ping.
    const answer = await waitFor(() => fetch(`${url}/readyz`).then((one) => one.ok && one), {
      what: `${url} to be ready`,
    });
    expect(await answer.json()).toEqual({
      status: 'ready',
      dependencies: { postgres: 'up', redis: 'unused' },
      queue: 'postgres',
    });
  }
  const text = await metricsOf(services.dispatchers[0] ?? services.api);
  expect(text).not.toContain('posthorn_store_up{store="redis"}');
});

test('a verified event is delivered once, handed over by a message', async () => {
  const { secret } = await client.subscribeEndpoint({
    url: new URL('/one', receiver.url).href,
    eventType: 'order.paid',
  });
  await waitFor(
    async () =>
      (await Promise.all(services.dispatchers.map(metricsOf))).every((text) => total(text, 'posthorn_bus_up') === 1),
    { what: 'messages between processes' },
  );
  let sent = 0;
  await waitFor(
    async () => {
      await ingest('event/order.paid', '{"id":"order_1"}');
      sent += 1;
      return (await totals('posthorn_jobs_received_total{queue="hand-over"}')) > 0;
    },
    { what: 'a hand-over by a message' },
  );
  await waitFor(() => to('/one').length >= sent, { what: 'the requests' });
  for (const { body, headers } of to('/one'))
    expect(new Webhook(secret).verify(body.toString(), headers as Record<string, string>)).toEqual({ id: 'order_1' });
  expect(to('/one')).toHaveLength(sent);
});

test('events of one request are delivered and retried, each attempt once, by both dispatchers', async () => {
  const made = await client.call<{ id: string }>('POST', '/endpoints', { url: new URL('/direct', receiver.url).href });
  let requests = 0;
  const failed = new Set<string>();
  // The first attempt of every third event fails.
  receiver.respondWith(({ headers, url }) => {
    const id = String(headers['webhook-id']);
    if (url !== '/direct') return {};
    requests += 1;
    if (requests % 3 !== 0 || failed.has(id)) return {};
    failed.add(id);
    return { status: 500 };
  });
  const before = await delivered();
  const events = Array.from({ length: 60 }, (_, n) => ({ endpointId: made.body.id, data: n }));
  expect((await ingest('batch', JSON.stringify({ events }))).status).toBe(202);
  await waitFor(async () => (await delivered()) === before + 60, { what: 'all deliveries', timeoutMs: 30_000 });
  expect(failed.size).toBeGreaterThan(0);
  expect(to('/direct')).toHaveLength(60 + failed.size);
});

test('an event for many endpoints is fanned out from its row', async () => {
  receiver.respondWith(() => ({}));
  await client.call('POST', '/event-types', { name: 'invoice.sent', publishIn: [services.environmentId] });
  for (let n = 0; n < WIDE; n += 1)
    await client.call('POST', '/endpoints', { url: new URL('/wide', receiver.url).href, eventTypes: ['invoice.sent'] });
  const { body } = await ingest('event/invoice.sent', '{}');
  await waitFor(async () => to('/wide').length === WIDE, { what: 'all endpoints' });
  expect(body).toHaveProperty('id');
  await waitFor(async () => (await services.db.pendingFanOut.count()) === 0, { what: 'the end of the fan-out' });
});
