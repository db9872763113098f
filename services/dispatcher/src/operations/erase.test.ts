import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid, toId } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { parseSealingKeys, seal } from '@posthorn/crypto/seal';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';
import { ERASED_URL } from '@posthorn/ledger/erase';
import type { OperationScope } from '@posthorn/ledger/operation-scope';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { insertTest } from '../../test/insert-test.ts';
import { createMetrics } from '../metrics.ts';
import { presentOperationalEvent } from '../operational-events/present.ts';
import { createOperations } from './run-operations.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let endpoint: EndpointRow;
let applicationId: string;
let warnings: unknown[];
beforeEach(async () => {
  await db.operation.updateMany({ data: { nextTurnAt: null } });
  endpoint = await insertEndpoint(db);
  applicationId = newUuid(new Date());
  await db.application.create({ data: { id: applicationId, workspaceId: endpoint.workspaceId, name: 'Acme' } });
  warnings = [];
});

const keys = parseSealingKeys(`test:${Buffer.alloc(32).toString('base64')}`);
const depths = { waiting: 0, delayed: 0 };
const createDispatcher = () =>
  createOperations({
    db,
    producer: { depths: async () => ({ fanOut: depths, deliver: depths }) },
    enqueue: async () => {},
    clock: systemClock,
    logger: { warn: (message, fields) => void warnings.push([message, fields]) },
    metrics: createMetrics(),
    stats: { countEnded: () => {} },
    live: { deliveryChanged: () => {} },
    wakeConsumers: () => {},
    retentionDays: 7,
    keys,
  });

const bytes = new Uint8Array([1, 2, 3]);

/** Events of the application, each with a delivery. */
async function insertEvents(count: number, given: { eventType?: string; applicationId?: string | null } = {}) {
  const type = given.eventType ?? 'order.created';
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { eventId } = await insertDelivery(db, endpoint, { status: 'pending', eventType: type });
    const owner = given.applicationId === undefined ? applicationId : given.applicationId;
    const data = { applicationId: owner, eventType: type, payload: bytes, payloadSize: 3, idempotencyKey: eventId };
    await db.event.update({ where: { id: eventId }, data });
    ids.push(eventId);
  }
  return ids;
}

async function start(given: Partial<OperationScope> = {}) {
  const id = newUuid(new Date());
  const { workspaceId, endpointId } = endpoint;
  const scope = {
    ...{ workspaceId, applicationId, statuses: [], missed: false },
    after: lowestKeyAt(new Date(Date.now() - 3_600_000)),
    end: lowestKeyAt(new Date(Date.now() + 3_600_000)),
    ...given,
  };
  await db.operation.create({ data: { id, workspaceId, type: 'erasure', filter: { n: 1 }, scope } });
  const part = { operationId: id, position: scope.after };
  await db.operationPart.create({ data: { ...part, endpointId: applicationId, phase: 'count_events' } });
  await db.operationPart.create({ data: { ...part, endpointId, phase: 'deliveries' } });
  return id;
}

async function round() {
  await db.operation.updateMany({ where: { nextTurnAt: { not: null } }, data: { nextTurnAt: new Date(0) } });
  await createDispatcher()();
  expect(warnings).toEqual([]);
}

/** Gives the erasures turns until they have ended. A turn ends after a quarter of a second, however little it did. */
async function toTheEnd() {
  const isUnderWay = async () => (await db.operation.count({ where: { nextTurnAt: { not: null } } })) > 0;
  for (let n = 0; n < 100 && (await isUnderWay()); n += 1) await round();
}

const payloads = async (ids: string[]) =>
  (await db.event.findMany({ where: { id: { in: ids } } })).filter(({ payload }) => payload !== null).length;
const entries = () =>
  db.auditEntry.findMany({ where: { workspaceId: endpoint.workspaceId, action: 'application.erased' } });

test('an erasure counts, erases page by page, ends what is open, and enters itself in the audit log once', async () => {
  const ids = await insertEvents(210);
  const id = await start({ isWhole: true });
  await round();
  expect(await db.operation.findUnique({ where: { id } })).toMatchObject({
    matched: 210,
    enqueued: 0,
    status: 'running',
  });
  await toTheEnd();
  const done = { status: 'completed', matched: 210, enqueued: 210, unended: 0, nextTurnAt: null };
  expect(await db.operation.findUnique({ where: { id } })).toMatchObject(done);
  expect(await payloads(ids)).toBe(0);
  expect(await db.event.count({ where: { id: { in: ids }, idempotencyKey: { not: null } } })).toBe(0);
  const ended = { eventId: { in: ids }, status: 'failed', failureReason: 'cancelled' } as const;
  expect(await db.delivery.count({ where: ended })).toBe(210);
  const resourceId = toId('app', applicationId);
  expect(await entries()).toMatchObject([{ resourceId, metadata: { changes: { events: { from: 210, to: 0 } } } }]);
});

test('an erased customer leaves no address of an attempt, whatever the event, and no ordering key of a delivery', async () => {
  const other = await insertEndpoint(db);
  const event = { status: 'delivered', dueInSeconds: null, orderingKey: 'ann', orderingNumber: 1n } as const;
  const ids = [await insertDelivery(db, endpoint, event), await insertDelivery(db, other, event)];
  const attempt = { number: 1, trigger: 'schedule', succeeded: true, startedAt: new Date(), durationMs: 5 } as const;
  const sent = { url: 'https://ann.test/', requestHeaders: {}, remoteAddress: '192.0.2.1' };
  for (const { deliveryId } of ids) {
    await db.attempt.create({ data: { deliveryId, id: newUuid(new Date()), ...attempt, ...sent } });
  }
  await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { url: ERASED_URL } });
  await start({ isWhole: true });
  await toTheEnd();
  const deliveries = await db.delivery.findMany({ where: { id: { in: ids.map(({ deliveryId }) => deliveryId) } } });
  const keys = new Map(deliveries.map(({ id, orderingKey }) => [id, orderingKey]));
  const addresses = await Promise.all(
    ids.map(({ deliveryId }) => db.attempt.findFirstOrThrow({ where: { deliveryId } })),
  );
  expect(ids.map(({ deliveryId }) => keys.get(deliveryId))).toEqual([null, 'ann']);
  expect(addresses).toMatchObject([{ url: '', remoteAddress: null }, sent]);
});

test('kept answers about an erased customer are forgotten, and no others', async () => {
  const { workspaceId, endpointId } = endpoint;
  await db.endpoint.update({ where: { id: endpointId }, data: { applicationId } });
  const other = newUuid(new Date());
  const insertAnswer = (name: string, answer: object, applicationIds: string[] = []) =>
    db.idempotentAnswer.create({
      data: {
        ...{ digest: Buffer.from(name), requestHash: bytes, workspaceId, applicationIds },
        ...{ answer: JSON.stringify(answer), expiresAt: new Date(Date.now() + 60_000) },
      },
    });
  await insertAnswer('a pull key', { name: 'Ann' }, [applicationId]);
  await insertAnswer('an endpoint', { applicationId: toId('app', applicationId) });
  await insertAnswer('a retry', { eventId: toId('msg', other), endpointId: toId('ep', endpointId) });
  await insertAnswer('another retry', { eventId: toId('msg', other), endpointId: toId('ep', other) });
  await insertAnswer('another pull key', { name: 'Bob' }, [other]);
  await start({ isWhole: true });
  await toTheEnd();
  const left = await db.idempotentAnswer.findMany({ where: { workspaceId }, orderBy: { digest: 'asc' } });
  expect(left.map(({ digest }) => Buffer.from(digest).toString())).toEqual(['another pull key', 'another retry']);
});

test('an erasure of a part of the data forgets the kept answers to the tests that it erases', async () => {
  const { workspaceId } = endpoint;
  const { eventId, attemptId } = await insertTest(db, endpoint);
  const answer = JSON.stringify({ id: toId('att', attemptId), errorMessage: 'Ann' });
  const kept = { requestHash: bytes, workspaceId, answer, expiresAt: new Date(Date.now() + 60_000) };
  await db.idempotentAnswer.create({ data: { digest: Buffer.from(eventId), ...kept } });
  await start();
  await toTheEnd();
  expect(await payloads([eventId])).toBe(0);
  expect(await db.idempotentAnswer.count({ where: { workspaceId } })).toBe(0);
});

test('the kept answer to a cancelled event goes with the faults of its schema, and no other one', async () => {
  const { workspaceId } = endpoint;
  const [faulty = '', other = ''] = await insertEvents(2);
  await db.event.update({ where: { id: faulty }, data: { schemaErrors: ['$.ann: must be a number'] } });
  for (const id of [faulty, other]) {
    const answer = JSON.stringify({ id: toId('msg', id), status: 'cancelled' });
    const kept = { requestHash: bytes, workspaceId, answer, expiresAt: new Date(Date.now() + 60_000) };
    await db.idempotentAnswer.create({ data: { digest: Buffer.from(id), ...kept } });
  }
  await start();
  await toTheEnd();
  expect(await payloads([faulty, other])).toBe(0);
  const left = await db.idempotentAnswer.findMany({ where: { workspaceId } });
  expect(left.map(({ digest }) => Buffer.from(digest).toString())).toEqual([other]);
});

describe('operational events', () => {
  const eventType = 'posthorn.endpoint.failing';
  let operator: EndpointRow;
  beforeEach(async () => {
    const { workspaceId, environmentId } = endpoint;
    const endpointId = newUuid(new Date());
    await db.endpoint.create({ data: { id: endpointId, workspaceId, environmentId, url: 'https://operator.test/' } });
    operator = { workspaceId, environmentId, endpointId };
  });

  /** An event for the operator about an endpoint of an application, with a delivery. */
  async function insertOperational(of: string, url: string) {
    const { workspaceId, environmentId } = operator;
    const { eventId } = await insertDelivery(db, operator, { status: 'pending', eventType });
    const raised = { workspaceId, environmentId, eventType, raisedAt: new Date() };
    const body = Buffer.from(JSON.stringify(presentOperationalEvent({ ...raised, facts: { applicationId: of, url } })));
    const payload = new Uint8Array(seal(keys, body, sealContext.payload(eventId)));
    await db.event.update({ where: { id: eventId }, data: { eventType, payload } });
    return eventId;
  }

  test('with an address of an erased customer are erased, also before they are events, and no others', async () => {
    const { workspaceId, environmentId } = operator;
    const own = await insertOperational(applicationId, 'https://ann.test/');
    const others = [
      await insertOperational(newUuid(new Date()), 'https://bob.test/'),
      await insertOperational(applicationId, ERASED_URL),
    ];
    const raised = (of: string, url: string) => {
      return { workspaceId, environmentId, eventType, facts: { applicationId: of, url } };
    };
    const bob = raised(newUuid(new Date()), 'https://bob.test/');
    const erased = raised(applicationId, ERASED_URL);
    await db.operationalEvent.createMany({ data: [raised(applicationId, 'https://ann.test/'), bob, erased] });
    await start();
    await toTheEnd();
    expect([await payloads([own]), await db.operationalEvent.count({ where: { workspaceId } })]).toEqual([1, 3]);
    const id = await start({ isWhole: true });
    await toTheEnd();
    expect(await db.operation.findUnique({ where: { id } })).toMatchObject({ status: 'completed', matched: 0 });
    expect([await payloads([own]), await payloads(others)]).toEqual([0, 2]);
    const deliveries = await db.delivery.findMany({ where: { eventId: { in: [own, ...others] } } });
    const statuses = new Map(deliveries.map(({ eventId, status }) => [eventId, status]));
    expect([own, ...others].map((one) => statuses.get(one))).toEqual(['failed', 'pending', 'pending']);
    const left = await db.operationalEvent.findMany({ where: { workspaceId } });
    const facts = left.map((row) => JSON.stringify(row.facts)).sort();
    expect(facts).toEqual([bob, erased].map((row) => JSON.stringify(row.facts)).sort());
  });

  test('are erased with all their deliveries, page by page', async () => {
    const eventId = await insertOperational(applicationId, 'https://ann.test/');
    const delivery = { ...operator, eventId, eventType, status: 'pending', dueAt: new Date() } as const;
    const ids = Array.from({ length: 300 }, () => deliveryIdFor(eventId, randomUUID()));
    await db.delivery.createMany({ data: ids.map((id) => ({ id, ...delivery })) });
    const later: string[] = [];
    for (let n = 0; n < 200; n += 1) later.push(await insertOperational(applicationId, 'https://ann.test/'));
    await start({ isWhole: true });
    await toTheEnd();
    expect(await payloads([eventId, ...later])).toBe(0);
    expect(await db.delivery.count({ where: { workspaceId: operator.workspaceId, status: 'failed' } })).toBe(501);
    expect(await entries()).toHaveLength(1);
  });
});

test('events that wait for their time or their fan-out are cancelled, and leave no ordering key', async () => {
  const { workspaceId, environmentId } = endpoint;
  const insertWaiting = async (own: boolean) => {
    const id = newUuid(new Date());
    const owner = own ? { applicationId } : {};
    const event = { workspaceId, environmentId, ...owner, payload: bytes, payloadSize: 3, published: true };
    await db.event.create({ data: { id, ...event, orderingKey: 'ann' } });
    return { eventId: id, environmentId, orderingKey: 'ann' };
  };
  const scheduled = await insertWaiting(true);
  const pending = await insertWaiting(true);
  const next = await insertWaiting(false);
  const later = new Date(Date.now() + 3_600_000);
  await db.scheduledEvent.create({ data: { ...scheduled, deliverAt: later } });
  const behind = { enqueues: 9, dueAt: later };
  await db.pendingFanOut.create({ data: { ...pending, orderingNumber: 1n } });
  await db.pendingFanOut.create({ data: { ...next, orderingNumber: 2n, ...behind } });
  await start({ isWhole: true });
  await toTheEnd();
  expect(await db.scheduledEvent.count({ where: { environmentId } })).toBe(0);
  const waiting = await db.pendingFanOut.findMany({ where: { environmentId } });
  expect(waiting).toMatchObject([{ eventId: next.eventId, enqueues: 0 }]);
  const cancelled = await db.cancelledEvent.findMany({ where: { workspaceId }, orderBy: { eventId: 'asc' } });
  expect(cancelled.map(({ eventId }) => eventId)).toEqual([scheduled.eventId, pending.eventId].sort());
});

test('events that were sent directly to an endpoint of the customer are erased, and no other event of its deliveries', async () => {
  const direct = await insertEvents(1, { applicationId: null });
  const shared = await insertEvents(1, { applicationId: null });
  await db.event.updateMany({ where: { id: { in: direct } }, data: { endpointId: endpoint.endpointId } });
  const id = await start({ isWhole: true });
  await toTheEnd();
  expect(await db.operation.findUnique({ where: { id } })).toMatchObject({
    status: 'completed',
    matched: 1,
    enqueued: 1,
  });
  expect(await entries()).toMatchObject([{ metadata: { changes: { events: { from: 1, to: 0 } } } }]);
  expect([await payloads(direct), await payloads(shared)]).toEqual([0, 1]);
  const named = { id: { in: [...direct, ...shared] }, idempotencyKey: { not: null } };
  expect(await db.event.findMany({ where: named, select: { id: true } })).toEqual([{ id: shared[0] }]);
});

test('events that were sent directly to an endpoint of the customer, and wait for their time without a delivery, are erased', async () => {
  const { workspaceId, environmentId, endpointId } = endpoint;
  const insertScheduled = async (to: string, orderingKey: string) => {
    const id = newUuid(new Date());
    const event = { workspaceId, environmentId, endpointId: to, payload: bytes, payloadSize: 3, published: true };
    await db.event.create({ data: { id, ...event, orderingKey } });
    const deliverAt = new Date(Date.now() + 3_600_000);
    await db.scheduledEvent.create({ data: { eventId: id, environmentId, orderingKey, deliverAt } });
    return id;
  };
  const own = [await insertScheduled(endpointId, 'ann'), await insertScheduled(endpointId, 'ben')];
  const others = [await insertScheduled(newUuid(new Date()), 'ann')];
  const operation = await start({ isWhole: true });
  await toTheEnd();
  expect(await db.operation.findUnique({ where: { id: operation } })).toMatchObject({ matched: 2, enqueued: 2 });
  expect([await payloads(own), await payloads(others)]).toEqual([0, 1]);
  const keyed = await db.event.findMany({ where: { environmentId, orderingKey: { not: null } }, select: { id: true } });
  expect(keyed).toEqual([{ id: others[0] }]);
  const waiting = await db.scheduledEvent.findMany({ where: { environmentId }, select: { eventId: true } });
  expect(waiting).toEqual([{ eventId: others[0] }]);
  expect(await db.cancelledEvent.count({ where: { eventId: { in: own } } })).toBe(2);
});

test.each([false, true])(
  'direct events with an ordering key are erased page by page, each is counted once (isWhole: %s)',
  async (isWhole) => {
    const { workspaceId, environmentId, endpointId } = endpoint;
    const event = { workspaceId, environmentId, endpointId, payload: bytes, payloadSize: 3, published: true };
    const [withDelivery = ''] = await insertEvents(1, { applicationId: null });
    await db.event.update({ where: { id: withDelivery }, data: { endpointId, orderingKey: 'ann' } });
    const ids = Array.from({ length: 600 }, () => newUuid(new Date()));
    await db.event.createMany({ data: ids.map((id) => ({ ...event, id, orderingKey: 'ann' })) });
    const operation = await start({ isWhole });
    await toTheEnd();
    const counted = { status: 'completed', matched: 601, enqueued: 601 };
    expect(await db.operation.findUnique({ where: { id: operation } })).toMatchObject(counted);
    expect(await payloads([withDelivery, ...ids])).toBe(0);
    expect(await db.event.count({ where: { endpointId, orderingKey: 'ann' } })).toBe(isWhole ? 0 : 601);
  },
);

test('an erasure of a part of the data ends at an event without a delivery whose ordering key it keeps', async () => {
  const { workspaceId, environmentId, endpointId } = endpoint;
  const id = newUuid(new Date());
  const event = { workspaceId, environmentId, endpointId, payload: bytes, payloadSize: 3, published: true };
  await db.event.create({ data: { id, ...event, orderingKey: 'ann' } });
  const operation = await start();
  await toTheEnd();
  expect(await db.operation.findUnique({ where: { id: operation } })).toMatchObject({ status: 'completed' });
  expect(await db.event.findUnique({ where: { id } })).toMatchObject({ payload: null, orderingKey: 'ann' });
});

test('only the types and the times that were asked for are erased, and nothing of others', async () => {
  const asked = await insertEvents(3, { eventType: 'order.created' });
  const otherType = await insertEvents(3, { eventType: 'order.paid' });
  const otherApplication = await insertEvents(3, { applicationId: null, eventType: 'order.sent' });
  await start({ eventTypes: ['order.created'] });
  await toTheEnd();
  expect(await payloads(asked)).toBe(0);
  expect(await payloads(otherType)).toBe(3);
  expect(await payloads(otherApplication)).toBe(3);
  expect(await db.event.count({ where: { id: { in: asked }, idempotencyKey: { not: null } } })).toBe(3);
});

test('dispatchers that run at once, and one that ended in its turn, erase everything and count each event once', async () => {
  const ids = await insertEvents(205);
  const id = await start();
  // If a process takes the operation and then ends, it holds the operation until the turn is over.
  await db.operation.update({ where: { id }, data: { nextTurnAt: new Date(Date.now() + 10_000) } });
  await createDispatcher()();
  expect(await payloads(ids)).toBe(205);
  const dispatchers = [createDispatcher(), createDispatcher(), createDispatcher()];
  for (let n = 0; n < 5; n += 1) {
    await db.operation.updateMany({ where: { nextTurnAt: { not: null } }, data: { nextTurnAt: new Date(0) } });
    await Promise.all(dispatchers.map((round) => round()));
  }
  expect(await db.operation.findUnique({ where: { id } })).toMatchObject({ status: 'completed', enqueued: 205 });
  expect(await payloads(ids)).toBe(0);
  expect(await entries()).toHaveLength(1);
  expect(warnings).toEqual([]);
});
