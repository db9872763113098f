/** @queues redis postgres */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { createIngest, type Ingest } from '@posthorn/testkit/ingest-client';
import { type ReceivedRequest, type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { seedWorkspace } from '@posthorn/testkit/seed';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { waitFor } from '@posthorn/testkit/wait-for';

// There are few slots and two dispatchers, so that small numbers show which endpoints get the slots.

let receiver: Receiver;
let stack: Stack;
let client: ApiClient;
let ingest: Ingest;
beforeAll(async () => {
  receiver = await startReceiver();
  const settings = { DELIVERY_CONCURRENCY: '20', RETRY_SCHEDULE: '3600', SWEEP_INTERVAL_MS: '500' };
  stack = await startStack({ settings, dispatchers: 2 });
  client = createApiClient({ ...stack, baseUrl: stack.api.url });
  ingest = createIngest(stack);
}, 60_000);
afterAll(async () => {
  await stack.stop();
  await receiver.close();
}, 60_000);
beforeEach(() => receiver.respondWith(() => ({})));

let paths = 0;

/** Makes an endpoint, and records the requests that it receives. */
async function createEndpoint({ config = {}, by = client }: { config?: object; by?: ApiClient } = {}) {
  paths += 1;
  const path = `/endpoint-${paths}`;
  const made = await by.call('POST', '/endpoints', { url: new URL(path, receiver.url).href, config });
  expect(made.status).toBe(201);
  const requests = () => receiver.requests.filter((request) => request.url === path);
  const { id: uuid } = await stack.db.endpoint.findFirstOrThrow({ where: { url: String(made.body.url) } });
  return { id: String(made.body.id), uuid, path, requests };
}

async function send(endpointId: string, count = 1, by = ingest) {
  for (let sent = 0; sent < count; sent += 100) {
    const events = Array.from({ length: Math.min(100, count - sent) }, (_, n) => ({ endpointId, data: sent + n }));
    expect((await by('batch', JSON.stringify({ events }))).status).toBe(202);
  }
}

const arrived = (requests: () => ReceivedRequest[], count: number) =>
  waitFor(() => requests().length >= count && requests(), { what: `${count} requests`, timeoutMs: 60_000 });

/**
 * Answers a path after `delayMs`, and counts its concurrent requests. The first requests stay open until `atOnce` of
 * them are open at the same time.
 */
function countOpen(path: string, { delayMs, atOnce }: { delayMs: number; atOnce: number }) {
  const seen = { open: 0, most: 0 };
  receiver.respondWith(async (request) => {
    if (request.url !== path) return {};
    seen.open += 1;
    seen.most = Math.max(seen.most, seen.open);
    const until = performance.now() + delayMs;
    await waitFor(() => performance.now() >= until && seen.most >= atOnce, { what: 'the answer’s time' });
    seen.open -= 1;
    return {};
  });
  return seen;
}

test('nine endpoints get their deliveries while a tenth hangs and holds at most a quarter of the slots', async () => {
  const hanging = await createEndpoint({ config: { timeoutSeconds: 30 } });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const healthy = await Promise.all(Array.from({ length: 9 }, () => createEndpoint()));
  receiver.respondWith((request) => (request.url === hanging.path ? released.then(() => ({})) : {}));
  await send(hanging.id, 500);
  await waitFor(() => hanging.requests().length > 0, { what: 'the hanging endpoint to be tried' });
  for (const endpoint of healthy) await send(endpoint.id, 20);
  await Promise.all(healthy.map((endpoint) => arrived(endpoint.requests, 20)));
  // The two dispatchers have 20 slots each.
  expect(hanging.requests().length).toBeLessThanOrEqual(10);
  const spent = await stack.db.delivery.count({
    where: { endpointId: hanging.uuid, totalAttempts: { gt: 0 } },
  });
  expect(spent).toBe(0);
  await client.call('DELETE', `/endpoints/${hanging.id}`);
  release();
}, 90_000);

test('a flood of one workspace does not delay another’s single events', async () => {
  const other = await seedWorkspace(stack.db);
  const otherClient = createApiClient({ ...other, baseUrl: stack.api.url });
  const otherIngest = createIngest({ api: stack.api, apiKey: other.apiKey });
  const flooded = await createEndpoint();
  const single = await createEndpoint({ by: otherClient });
  receiver.respondWith((request) => (request.url === flooded.path ? { delayMs: 200 } : {}));
  const FLOOD = 2_000;
  // The whole flood waits before the first single event is sent.
  await send(flooded.id, FLOOD);
  for (let n = 1; n <= 10; n += 1) {
    const before = flooded.requests().length;
    await send(single.id, 1, otherIngest);
    await arrived(single.requests, n);
    const waited = FLOOD - before;
    const overtaking = flooded.requests().length - before;
    expect(waited).toBeGreaterThan(FLOOD / 4);
    // Behind the flood, the event would arrive after all waiting events.
    expect(overtaking).toBeLessThan(waited / 4);
  }
  receiver.respondWith(() => ({}));
  await arrived(flooded.requests, FLOOD);
}, 150_000);

test('rateLimit: no period has more requests than the limit, over all dispatchers, and all arrive', async () => {
  const limited = await createEndpoint({ config: { rateLimit: { limit: 5, periodSeconds: 1 } } });
  const beganMs = Date.now();
  await send(limited.id, 20);
  await arrived(limited.requests, 20);
  const where = { endpointId: limited.uuid, status: 'delivered', totalAttempts: 1 } as const;
  await waitFor(async () => (await stack.db.delivery.count({ where })) === 20, {
    what: 'all to be delivered at their first attempt',
  });
  const ids = (await stack.db.delivery.findMany({ where, select: { id: true } })).map(({ id }) => id);
  const attempts = await stack.db.attempt.findMany({ where: { deliveryId: { in: ids } } });
  // The times at which the dispatchers sent them. While this process is busy, several requests may
  // arrive here together.
  const times = attempts.map(({ startedAt }) => startedAt.getTime());
  const most = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));
  // On a busy machine, requests of two periods may be sent within one second. The whole time shows the rate.
  expect(most).toBeLessThan(10);
  expect(Math.max(...times) - beganMs).toBeGreaterThan(3_500);
}, 90_000);

test('a rate limit that is removed, or set, takes effect within a second of its answer', async () => {
  const config = { rateLimit: { limit: 1, periodSeconds: 3_600 } };
  const limited = await createEndpoint({ config });
  await send(limited.id, 1);
  await arrived(limited.requests, 1);
  await client.call('PATCH', `/endpoints/${limited.id}`, { config: {} });
  await waitFor(
    async () => {
      await send(limited.id, 1);
      return limited.requests().length > 1;
    },
    { what: 'the limit to be gone' },
  );
  const endpointId = limited.uuid;
  const deferred = () => stack.db.delivery.count({ where: { endpointId, generation: { gt: 0 }, status: 'pending' } });
  const underWay = [{ status: 'delivering' as const }, { status: 'pending' as const, generation: 0 }];
  const isQuiet = async () => (await stack.db.delivery.count({ where: { endpointId, OR: underWay } })) === 0;
  const quiet = () => waitFor(isQuiet, { what: 'every delivery to be sent or deferred' });
  await client.call('PATCH', `/endpoints/${limited.id}`, { config });
  await waitFor(
    async () => {
      await quiet();
      const before = await deferred();
      await send(limited.id, 10);
      await quiet();
      return (await deferred()) === before + 10;
    },
    { what: 'the limit to defer every delivery' },
  );
}, 90_000);

test.each([1, 3])(
  'maxConcurrency %i: at most as many requests are open at once, over all dispatchers',
  async (maxConcurrency) => {
    const limited = await createEndpoint({ config: { maxConcurrency } });
    const seen = countOpen(limited.path, { delayMs: 60, atOnce: maxConcurrency });
    await send(limited.id, 20);
    await arrived(limited.requests, 20);
    await waitFor(() => seen.open === 0, { what: 'the last answer' });
    expect(seen.most).toBe(maxConcurrency);
  },
  90_000,
);

/** Holds every request to the path open until `release` is called. */
function holdOpen(path: string) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  receiver.respondWith((request) => (request.url === path ? released.then(() => ({})) : {}));
  return { release };
}

/** Resolves when `count` deliveries of the endpoint wait, and none of them is due. */
const waiting = (endpointId: string, count: number) =>
  waitFor(
    async () => {
      const where = { endpointId, status: 'pending', dueAt: { gt: new Date() } } as const;
      return (await stack.db.delivery.count({ where })) === count;
    },
    { what: `${count} deliveries to wait`, timeoutMs: 60_000 },
  );

test.each([
  ['raised', { maxConcurrency: 100 }],
  ['removed', {}],
])(
  'a maxConcurrency that is %s is obeyed at once by all deliveries that wait for it',
  async (_case, config) => {
    const limited = await createEndpoint({ config: { maxConcurrency: 1 } });
    const { release } = holdOpen(limited.path);
    await send(limited.id, 1);
    await arrived(limited.requests, 1);
    await send(limited.id, 200);
    await waiting(limited.uuid, 200);
    // The first request stays open, so only the new limit lets the others pass.
    receiver.respondWith(() => ({}));
    expect((await client.call('PATCH', `/endpoints/${limited.id}`, { config })).status).toBe(200);
    await waitFor(() => limited.requests().length === 201, { what: 'all that waited' });
    release();
  },
  90_000,
);

test('new deliveries pass recovered ones that wait for maxConcurrency, and each kind keeps its order', async () => {
  const limited = await createEndpoint({ config: { maxConcurrency: 1 } });
  await send(limited.id, 6);
  await arrived(limited.requests, 6);
  const isDelivered = async () => {
    const where = { endpointId: limited.uuid, status: 'delivered' } as const;
    return (await stack.db.delivery.count({ where })) === 6;
  };
  await waitFor(isDelivered, { what: 'all to be delivered' });
  const { release } = holdOpen(limited.path);
  const filter = { endpointId: limited.id };
  expect((await client.call('POST', '/deliveries/retry', { filter })).status).toBe(202);
  await arrived(limited.requests, 7);
  await waiting(limited.uuid, 5);
  for (let n = 1; n <= 3; n += 1) {
    await ingest('batch', JSON.stringify({ events: [{ endpointId: limited.id, data: `new ${n}` }] }));
    await waiting(limited.uuid, 5 + n);
  }
  receiver.respondWith(() => ({}));
  release();
  await arrived(limited.requests, 15);
  const order = limited.requests().map((request) => JSON.parse(`${request.body}`));
  expect(order.slice(7, 10)).toEqual(['new 1', 'new 2', 'new 3']);
}, 90_000);

test('the breaker opens, defers new deliveries, allows one probe, and closes after a success', async () => {
  const endpoint = await createEndpoint();
  const id = endpoint.uuid;
  const health = async () => (await client.call('GET', `/endpoints/${endpoint.id}`)).body.health;
  const is = (wanted: string) => waitFor(async () => (await health()) === wanted, { what: `health to be ${wanted}` });
  const held = (count: number) =>
    waitFor(
      async () => {
        const where = { endpointId: id, status: 'pending', generation: { gt: 0 }, totalAttempts: 0 } as const;
        return (await stack.db.delivery.count({ where })) === count;
      },
      { what: `${count} to be held` },
    );
  receiver.respondWith((request) => (request.url === endpoint.path ? { status: 500 } : {}));
  await send(endpoint.id, 9);
  await arrived(endpoint.requests, 9);
  await is('degraded');
  await stack.db.$executeRaw`
    update endpoint_health set failing_since = failing_since - interval '31 seconds' where endpoint_id = ${id}::uuid`;
  await waitFor(
    async () => (await stack.db.endpointHealth.findUnique({ where: { endpointId: id } }))?.consecutiveFailures === 9,
    { what: 'nine failures to be counted' },
  );
  await send(endpoint.id, 1);
  await waitFor(
    async () => (await stack.db.endpointHealth.findUnique({ where: { endpointId: id } }))?.openUntil != null,
    { what: 'the breaker to open' },
  );
  // The breaker stays open until the probe below, however long that takes.
  await stack.db.$executeRaw`
    update endpoint_health set open_until = open_until + interval '10 minutes' where endpoint_id = ${id}::uuid`;
  expect(await health()).toBe('failing');

  await send(endpoint.id, 5);
  await held(5);
  expect(endpoint.requests()).toHaveLength(10);

  receiver.respondWith(() => ({}));
  await stack.db.$executeRaw`update endpoint_health set open_until = now() where endpoint_id = ${id}::uuid`;
  await stack.db.$executeRaw`update delivery set due_at = now() - interval '2 seconds', generation = generation + 1
    where endpoint_id = ${id}::uuid and status = 'pending'`;
  await arrived(endpoint.requests, 11);
  await is('healthy');
  await stack.db.$executeRaw`update delivery set due_at = now() - interval '2 seconds', generation = generation + 1
    where endpoint_id = ${id}::uuid and status = 'pending'`;
  await arrived(endpoint.requests, 15);
}, 60_000);
