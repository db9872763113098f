/** @isolated It replaces performance.now. */

import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { parseSealingKeys, seal } from '@posthorn/crypto/seal';
import { cancelDelivery } from '@posthorn/ledger/cancel';
import { createAndClaim } from '@posthorn/ledger/create';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';
import { retryDeliveryNow } from '@posthorn/ledger/retry-now';
import { isBehindHead } from '@posthorn/ledger/waiting';
import type { DeliverRequest, FanOutRequest } from '@posthorn/queue/jobs';
import { createRoutes } from '@posthorn/routing/routes';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { fanOutDeps, NOTHING_RESERVED } from '../../test/fan-out-deps.ts';
import { createFanOut } from './fan-out.ts';

const keys = parseSealingKeys(`test:${randomBytes(32).toString('base64')}`);

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let endpoint: EndpointRow;
let enqueued: DeliverRequest[];
let left: FanOutRequest[];
let claimable: string[][];
let forgotten: number;
let typeId: string;
let number = 0;
/** By how much each reading of the clock is later than the one before. */
let stepMs: number;
/** Called between a match and its insert. */
let beforeInsert: () => Promise<unknown>;
beforeEach(async () => {
  [enqueued, left, claimable, forgotten] = [[], [], [], 0];
  stepMs = 0;
  beforeInsert = async () => {};
  endpoint = await insertEndpoint(db);
  const { workspaceId, environmentId, endpointId } = endpoint;
  await db.endpoint.update({ where: { id: endpointId }, data: { isFifo: true } });
  typeId = randomUUID();
  await db.eventType.create({ data: { id: typeId, workspaceId, name: 'order.created' } });
  await db.publishedEventType.create({ data: { environmentId, eventTypeId: typeId } });
  await db.subscription.create({ data: { id: randomUUID(), endpointId, eventTypeId: typeId } });
});

async function newEvent(
  orderingKey: string,
  { body, ...given }: { endpointId?: string; body?: string } = {},
): Promise<string> {
  const { workspaceId, environmentId } = endpoint;
  const id = newUuid(new Date());
  number += 1;
  const order = { orderingKey, orderingNumber: BigInt(number) };
  const eventType = given.endpointId === undefined ? 'order.created' : null;
  const facts = { workspaceId, environmentId, eventType, payloadSize: 0, published: true };
  const payload = body && {
    contentType: 'application/json',
    payload: new Uint8Array(seal(keys, Buffer.from(body), sealContext.payload(id))),
  };
  await db.event.create({ data: { ...facts, ...order, ...given, ...(payload || {}), id } });
  await db.pendingFanOut.create({ data: { eventId: id, environmentId, ...order } });
  return id;
}

const directs = new Set<string>();

/** A direct event whose delivery enters its order later. */
async function newDirect(orderingKey: string): Promise<string> {
  const { workspaceId, environmentId, endpointId } = endpoint;
  const eventId = await newEvent(orderingKey, { endpointId });
  const id = deliveryIdFor(eventId, endpointId);
  const dueAt = new Date('9999-12-31T00:00:00Z');
  await db.delivery.create({ data: { id, eventId, endpointId, workspaceId, environmentId, dueAt } });
  directs.add(eventId);
  return eventId;
}

const fanOut = (eventIds: string[], mode?: 'isolated') => {
  const { workspaceId, environmentId } = endpoint;
  let nowMs = 0;
  const routes = createRoutes(db);
  const deps = fanOutDeps(db, keys);
  const handle = createFanOut({
    ...deps,
    routes: {
      ...routes,
      forget(groups) {
        forgotten += 1;
        routes.forget(groups);
      },
    },
    immediate: {
      ...deps.immediate,
      reserve: async (deliveries) => {
        claimable.push(deliveries.map((one) => one.eventId));
        await beforeInsert();
        return NOTHING_RESERVED;
      },
      take: async (deliveries) => void enqueued.push(...deliveries),
    },
    enqueue: async (deliveries) => void enqueued.push(...deliveries),
    enqueueFanOut: async (events) => void left.push(...events),
    clock: { ...systemClock, monotonicMs: () => (nowMs += stepMs) },
  });
  const group = {
    workspaceId,
    environmentId,
    eventType: 'order.created',
    applicationId: null,
    isOrdered: true as const,
  };
  const groups = [
    { ...group, eventIds: eventIds.filter((id) => !directs.has(id)) },
    { ...group, eventType: '', eventIds: eventIds.filter((id) => directs.has(id)) },
  ];
  return handle({ groups, ...(mode === undefined ? {} : { mode }) });
};

/** The state of each event's delivery to the first endpoint. */
const statesOf = (eventIds: string[]) =>
  Promise.all(
    eventIds.map(async (eventId) => {
      const id = deliveryIdFor(eventId, endpoint.endpointId);
      const row = await db.delivery.findUnique({ where: { id } });
      return row === null ? 'missing' : isBehindHead(row.dueAt) ? 'waits' : 'due';
    }),
  );

test('an earlier event of the key whose job was lost is fanned out first', async () => {
  const events = [await newEvent('a'), await newEvent('a'), await newEvent('a')];
  const other = await newEvent('b');
  await fanOut([events[2] ?? '', other]);
  expect(await statesOf([...events, other])).toEqual(['due', 'waits', 'waits', 'due']);
  expect(await db.pendingFanOut.count({ where: { environmentId: endpoint.environmentId } })).toBe(0);
  expect(enqueued.map((one) => one.eventId).sort()).toEqual([events[0], other].sort());
  expect(claimable.flat().sort()).toEqual([events[0], other].sort());
});

test('the statement that makes deliveries refuses an event before which another of its key waits', async () => {
  const [first, second] = [await newEvent('a'), await newEvent('a')];
  const { workspaceId, environmentId, endpointId } = endpoint;
  const { routingRevision } = await db.environment.findUniqueOrThrow({ where: { id: environmentId } });
  const write = (eventId: string) =>
    createAndClaim(db, {
      deliveries: [
        ...[{ deliveryId: deliveryIdFor(eventId, endpointId), eventId, endpointId, workspaceId, environmentId }],
      ].map((one) => ({ ...one, eventType: 'order.created', isClaimed: true })),
      events: [{ eventId, workspaceId, environmentId }],
      routingRevisions: new Map([[environmentId, routingRevision]]),
      defaultTimeoutSeconds: 15,
      isOrdered: true,
    });
  expect((await write(second)).eventIds).toEqual(new Set());
  const made = await write(first);
  expect([made.eventIds, made.claimed.map((one) => one.orderingKey)]).toEqual([new Set([first]), ['a']]);
  const after = await write(second);
  expect([after.eventIds, after.claimed]).toEqual([new Set([second]), []]);
  expect(after.waitingIds).toEqual(new Set([deliveryIdFor(second, endpointId)]));
});

test('dispatchers that fan out the same keys at once make each delivery once, in order', async () => {
  const events: string[] = [];
  for (let n = 0; n < 60; n += 1) events.push(await newEvent(`key ${n % 3}`));
  await Promise.all([fanOut(events.slice(0, 20)), fanOut(events.slice(20, 40)), fanOut(events.slice(30))]);
  expect((await statesOf(events)).filter((state) => state === 'due')).toHaveLength(3);
  expect(await statesOf(events.slice(0, 3))).toEqual(['due', 'due', 'due']);
  expect(await db.pendingFanOut.count({ where: { environmentId: endpoint.environmentId } })).toBe(0);
});

test('an isolated event is fanned out after the earlier ones of its key, one at a time', async () => {
  const events = [await newEvent('a'), await newEvent('a')];
  await fanOut(events.slice(1), 'isolated');
  expect(await statesOf(events)).toEqual(['due', 'waits']);
  expect(claimable.map((one) => one.length)).toEqual([1, 1]);
});

test('an isolated event whose routing changes more often than it can be matched is fanned out in its turn', async () => {
  const events = [await newEvent('a'), await newEvent('a')];
  const { environmentId: id } = endpoint;
  beforeInsert = () => db.environment.update({ where: { id }, data: { routingRevision: randomUUID() } });
  // The batch's time is over after each step.
  stepMs = 1_001;
  await fanOut(events.slice(1), 'isolated');
  expect(await statesOf(events)).toEqual(['due', 'missing']);
  expect(left.map((one) => one.eventId)).toEqual(events.slice(1));
  await fanOut(events.slice(1), 'isolated');
  expect(await statesOf(events)).toEqual(['due', 'waits']);
  expect(await db.pendingFanOut.count({ where: { environmentId: id } })).toBe(0);
});

test('an event to more endpoints than a route holds keeps its place among the events of its key', async () => {
  const { workspaceId, environmentId } = endpoint;
  const others = Array.from({ length: 300 }, () => randomUUID());
  const urls = { workspaceId, environmentId, url: 'https://receiver.test/', isFifo: true };
  await db.endpoint.createMany({ data: others.map((id) => ({ id, ...urls })) });
  await db.subscription.createMany({
    data: others.map((endpointId) => ({ id: randomUUID(), endpointId, eventTypeId: typeId })),
  });
  const events = [await newEvent('a'), await newEvent('a')];
  await fanOut(events.slice(1));
  expect(await db.delivery.count({ where: { environmentId } })).toBe(602);
  expect(enqueued.map((one) => one.eventId)).toEqual(Array(301).fill(events[0]));
});

test('an event whose filters take long is isolated; the later events of its key wait behind it, without jobs', async () => {
  const { workspaceId, environmentId } = endpoint;
  const others = Array.from({ length: 200 }, () => randomUUID());
  await db.endpoint.createMany({
    data: others.map((id) => ({ id, workspaceId, environmentId, url: 'https://receiver.test/' })),
  });
  const long = 'a'.repeat(1_950);
  const filter = { a: { contains: `${long}b${long}` } };
  await db.subscription.createMany({
    data: others.map((endpointId) => ({ id: randomUUID(), endpointId, eventTypeId: typeId, filter })),
  });
  const slow = await newEvent('a', { body: JSON.stringify({ a: 'a'.repeat(2 ** 18) }) });
  const later = await newEvent('a', { body: '{"a":1}' });
  const other = await newEvent('b', { body: '{"a":1}' });
  await fanOut([slow, later, other]);
  expect(await statesOf([slow, later])).toEqual(['missing', 'missing']);
  expect(left.map(({ eventId, mode }) => [eventId, mode])).toEqual([
    [other, undefined],
    [slow, 'isolated'],
  ]);
  const deferred = await db.$queryRaw`
    select due_at > now() + interval '5 seconds' as ahead from pending_fan_out where event_id = ${later}::uuid`;
  expect(deferred).toEqual([{ ahead: true }]);
  await fanOut([slow], 'isolated');
  await fanOut([later]);
  expect(await statesOf([slow, later])).toEqual(['due', 'waits']);
});

test('when the filters of a workspace have taken long, its other keys are left to a later batch after one more look', async () => {
  const { endpointId } = endpoint;
  await db.subscription.updateMany({ where: { endpointId }, data: { filter: { a: 1 } } });
  const events = [
    await newEvent('a', { body: '{"a":1}' }),
    await newEvent('b', { body: '{"a":1}' }),
    await newEvent('c', { body: '{"a":1}' }),
  ];
  let nowMs = 0;
  // Parsing takes 100 ms, and so does each filter.
  const readings = jest.spyOn(performance, 'now').mockImplementation(() => (nowMs += 100));
  await fanOut(events).finally(() => readings.mockRestore());
  expect(await statesOf(events)).toEqual(['due', 'due', 'missing']);
  expect([left.map((one) => one.eventId), forgotten]).toEqual([[events[2]], 0]);
});

test('at an endpoint that is not fifo, deliveries with keys are due at once', async () => {
  await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isFifo: false } });
  const events = [await newEvent('a'), await newEvent('a')];
  await fanOut(events);
  expect(await statesOf(events)).toEqual(['due', 'due']);
});

test('a direct event behind an event that waits for its fan-out takes its place after it', async () => {
  const { endpointId } = endpoint;
  const first = await newEvent('a');
  const direct = await newDirect('a');
  await fanOut([direct]);
  expect(await statesOf([first, direct])).toEqual(['due', 'waits']);
  const row = await db.delivery.findUniqueOrThrow({ where: { id: deliveryIdFor(direct, endpointId) } });
  expect(row).toMatchObject({ orderingKey: 'a', status: 'pending' });
});

describe('a direct delivery that is cancelled before its event has its place, and then retried', () => {
  const retry = (eventId: string) => retryDeliveryNow(db, deliveryIdFor(eventId, endpoint.endpointId), 100);
  const cancel = (eventId: string) => cancelDelivery(db, deliveryIdFor(eventId, endpoint.endpointId));

  test('waits for that place', async () => {
    const first = await newEvent('a');
    const direct = await newDirect('a');
    expect([await cancel(direct), await retry(direct)]).toMatchObject([{ kind: 'cancelled' }, { kind: 'retried' }]);
    expect(await statesOf([direct])).toEqual(['waits']);
    await fanOut([direct]);
    expect(await statesOf([first, direct])).toEqual(['due', 'waits']);
  });

  test('has that place, when the retry comes after it', async () => {
    const first = await newEvent('a');
    const direct = await newDirect('a');
    await cancel(direct);
    await fanOut([direct]);
    expect(await db.pendingFanOut.count({ where: { eventId: direct } })).toBe(0);
    expect(enqueued.map(({ eventId }) => eventId)).not.toContain(direct);
    await retry(direct);
    expect(await statesOf([first, direct])).toEqual(['due', 'waits']);
  });

  test('waits for the time of its event', async () => {
    const direct = await newDirect('a');
    await db.pendingFanOut.deleteMany({ where: { eventId: direct } });
    const { environmentId } = endpoint;
    const deliverAt = new Date(Date.now() + 3_600_000);
    await db.scheduledEvent.create({ data: { eventId: direct, environmentId, deliverAt, orderingKey: 'a' } });
    await cancel(direct);
    await retry(direct);
    expect(await statesOf([direct])).toEqual(['waits']);
  });
});

test('keys with many waiting events do not delay the key of another event in their batch', async () => {
  const events: string[] = [];
  for (let n = 0; n < 200; n += 1) events.push(await newEvent(`key ${n % 4}`));
  const other = await newEvent('other');
  stepMs = 1_001;
  await fanOut([...events.slice(0, 4), other]);
  expect(await statesOf([other])).toEqual(['due']);
});

test('a batch whose time is over fans out one ordered event, and the rest is enqueued again', async () => {
  const events = [await newDirect('a'), await newDirect('b'), await newDirect('c')];
  stepMs = 10_000;
  await fanOut(events);
  expect(await statesOf(events)).toEqual(['due', 'waits', 'waits']);
  expect(left.map((one) => one.eventId)).toEqual(events);
});
