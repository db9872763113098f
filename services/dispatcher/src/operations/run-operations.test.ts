import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { parseSealingKeys } from '@posthorn/crypto/seal';
import { createDb, type Db } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { endOperation, pauseOperation } from '@posthorn/ledger/end-operation';
import type { OperationScope } from '@posthorn/ledger/operation-scope';
import { retryDeliveryNow } from '@posthorn/ledger/retry-now';
import type { DeliverRequest } from '@posthorn/queue/jobs';
import { type Clock, systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase, onServer } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import { deleteExpiredOperations } from '../maintenance/expire-operations.ts';
import { createMetrics } from '../metrics.ts';
import { missedPage } from './missed-page.ts';
import { createOperations } from './run-operations.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let endpoint: EndpointRow;
let enqueued: DeliverRequest[];
let warnings: unknown[];
let shown: string[];
let woken: string[];
beforeEach(async () => {
  await db.operation.updateMany({ data: { nextTurnAt: null } });
  endpoint = await insertEndpoint(db);
  enqueued = [];
  warnings = [];
  shown = [];
  woken = [];
});

const keys = parseSealingKeys(`test:${Buffer.alloc(32).toString('base64')}`);
const depths = { waiting: 0, delayed: 0 };
const createDispatcher = ({
  clock = systemClock,
  db: own = db,
  ...given
}: {
  waiting?: number;
  clock?: Clock;
  db?: Db;
} = {}) =>
  createOperations({
    db: own,
    producer: { depths: async () => ({ fanOut: depths, deliver: { ...depths, ...given } }) },
    enqueue: async (deliveries) => void enqueued.push(...deliveries),
    clock,
    logger: { warn: (message, fields) => void warnings.push([message, fields]) },
    metrics: createMetrics(),
    stats: { countEnded: () => {} },
    live: { deliveryChanged: ({ deliveryId }) => void shown.push(deliveryId) },
    wakeConsumers: (endpointIds) => void woken.push(...endpointIds),
    retentionDays: 7,
    keys,
  });

const scopeOf = (given: Partial<OperationScope> = {}): OperationScope => ({
  workspaceId: endpoint.workspaceId,
  statuses: ['failed', 'dead_letter'],
  missed: false,
  after: lowestKeyAt(new Date(Date.now() - 3_600_000)),
  end: lowestKeyAt(new Date(Date.now() + 3_600_000)),
  ...given,
});

async function insertOperation(
  given: {
    type?: 'recovery' | 'retry' | 'cancel';
    scope?: Partial<OperationScope>;
    endpoints?: EndpointRow[];
    portalApplicationId?: string;
  } = {},
): Promise<string> {
  const id = newUuid(new Date());
  const scope = scopeOf(given.scope);
  await db.operation.create({
    data: {
      ...{ id, workspaceId: endpoint.workspaceId, type: given.type ?? 'recovery', filter: {}, scope },
      portalApplicationId: given.portalApplicationId ?? null,
    },
  });
  for (const { endpointId } of given.endpoints ?? [endpoint]) {
    const phase = scope.statuses.length > 0 ? 'count_deliveries' : 'count_events';
    await db.operationPart.create({ data: { operationId: id, endpointId, phase, position: scope.after } });
  }
  return id;
}

async function deadLetters(count: number, at = endpoint) {
  const rows = [];
  for (let n = 0; n < count; n += 1)
    rows.push(await insertDelivery(db, at, { status: 'dead_letter', dueInSeconds: null }));
  return rows;
}

/** Inserts due deliveries without their events. */
async function insertMany(
  count: number,
  given: (n: number) => { eventType?: string; orderingKey?: string; orderingNumber?: number },
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newUuid(new Date())).sort();
  const rows = ids.map((id, n) => ({ ...endpoint, id, eventId: id, dueAt: new Date(), ...given(n) }));
  await db.delivery.createMany({ data: rows });
  return ids;
}

const read = (id: string) => db.operation.findUniqueOrThrow({ where: { id } });

/** Gives every operation this many turns. */
async function rounds(count: number, dispatcher = createDispatcher()) {
  for (let n = 0; n < count; n += 1) {
    await db.operation.updateMany({ where: { nextTurnAt: { not: null } }, data: { nextTurnAt: new Date(0) } });
    while ((await db.operation.count({ where: { nextTurnAt: new Date(0) } })) > 0) await dispatcher();
  }
  expect(warnings).toEqual([]);
}

/** Ends deliveries as the ledger's settle would, after one attempt. */
const settle = (deliveryIds: string[], status: 'delivered' | 'scheduled_retry' | 'dead_letter') =>
  db.delivery.updateMany({ where: { id: { in: deliveryIds } }, data: { status, nextTrigger: 'schedule' } });

describe('an operation', () => {
  test('counts, then enqueues at the pace of its endpoint, and completes once all has ended', async () => {
    const rows = await deadLetters(50);
    const id = await insertOperation();
    await rounds(1);
    expect(await read(id)).toMatchObject({ status: 'running', isCounted: true, matched: 50, enqueued: 0 });
    await rounds(2);
    expect(enqueued).toHaveLength(20);
    expect(enqueued[0]).toMatchObject({ deliveryId: rows[0]?.deliveryId, recovered: true, generation: 1 });
    await settle(
      enqueued.map((one) => one.deliveryId),
      'delivered',
    );
    await rounds(1);
    expect(await read(id)).toMatchObject({ status: 'running', enqueued: 40, delivered: 20 });
    await settle(
      enqueued.slice(20).map((one) => one.deliveryId),
      'dead_letter',
    );
    await rounds(1);
    await settle(
      enqueued.slice(40).map((one) => one.deliveryId),
      'delivered',
    );
    await rounds(2);
    expect(await read(id)).toMatchObject({ status: 'completed', enqueued: 50, delivered: 30, failed: 20, unended: 0 });
    expect(new Set(enqueued.map((one) => one.deliveryId)).size).toBe(50);
    expect((await read(id)).nextTurnAt).toBeNull();
  });
});

describe('an operation goes on where it was', () => {
  test('after a process ended in its turn, and enqueues nothing twice', async () => {
    await deadLetters(30);
    const id = await insertOperation();
    await rounds(2);
    expect(enqueued).toHaveLength(20);
    // If a process takes the operation and then ends, it holds the operation until the turn is over.
    const dead = createDispatcher();
    await db.operation.update({ where: { id }, data: { nextTurnAt: new Date(Date.now() + 10_000) } });
    await dead();
    expect(enqueued).toHaveLength(20);
    await settle(
      enqueued.map((one) => one.deliveryId),
      'delivered',
    );
    await rounds(2, createDispatcher());
    expect(enqueued).toHaveLength(30);
    expect(new Set(enqueued.map((one) => one.deliveryId)).size).toBe(30);
  });

  test('and dispatchers that run at once enqueue each delivery once', async () => {
    await deadLetters(60);
    const id = await insertOperation();
    const dispatchers = [createDispatcher(), createDispatcher(), createDispatcher()];
    for (let n = 0; n < 12; n += 1) {
      await db.operation.updateMany({ where: { nextTurnAt: { not: null } }, data: { nextTurnAt: new Date(0) } });
      await Promise.all(dispatchers.map((round) => round()));
      await settle(
        enqueued.map((one) => one.deliveryId),
        'delivered',
      );
    }
    expect(enqueued).toHaveLength(60);
    expect(new Set(enqueued.map((one) => one.deliveryId)).size).toBe(60);
    await rounds(1);
    expect(await read(id)).toMatchObject({ status: 'completed', enqueued: 60, delivered: 60 });
  });
});

describe('pace', () => {
  test('two operations of an endpoint share its pace', async () => {
    await deadLetters(60);
    await insertOperation();
    await insertOperation({ type: 'retry' });
    await rounds(4);
    expect(enqueued).toHaveLength(20);
  });

  test('what an operation that ended long ago has had attempted leaves its room to others before it is counted', async () => {
    await deadLetters(60);
    const ended = await insertOperation();
    await rounds(2);
    await endOperation(db, { operationId: ended, status: 'cancelled' });
    await db.$executeRaw`update operation set finished_at = now() - interval '2 hours' where id = ${ended}::uuid`;
    await rounds(1);
    expect(enqueued).toHaveLength(20);
    await settle(
      enqueued.slice(0, 15).map((one) => one.deliveryId),
      'delivered',
    );
    const id = await insertOperation();
    for (let n = 0; n < 3; n += 1) {
      await db.operation.update({ where: { id }, data: { nextTurnAt: new Date(0) } });
      await createDispatcher()();
    }
    expect(await read(ended)).toMatchObject({ delivered: 0, unended: 20 });
    expect(await read(id)).toMatchObject({ enqueued: 15 });
  });

  test('an endpoint that settles nothing stops no other endpoint of the same operation', async () => {
    const other = { ...endpoint, endpointId: newUuid(new Date()) };
    await db.endpoint.create({
      data: {
        id: other.endpointId,
        workspaceId: other.workspaceId,
        environmentId: other.environmentId,
        url: 'https://b.test/',
      },
    });
    await deadLetters(25);
    await deadLetters(25, other);
    const id = await insertOperation({ type: 'retry', endpoints: [endpoint, other] });
    await rounds(2);
    await settle(
      enqueued.filter((one) => one.endpointId === other.endpointId).map((one) => one.deliveryId),
      'delivered',
    );
    await rounds(1);
    const count = (endpointId: string) => enqueued.filter((one) => one.endpointId === endpointId).length;
    expect([count(endpoint.endpointId), count(other.endpointId)]).toEqual([20, 25]);
    expect(await read(id)).toMatchObject({ enqueued: 45, delivered: 20 });
  });

  test('deliveries that wait behind the head of their order take no room: a head that does not end delays no other key', async () => {
    await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isFifo: true } });
    const ended = { status: 'dead_letter', dueInSeconds: null } as const;
    const heads = [];
    for (let n = 0; n < 60; n += 1) {
      const orderingKey = n < 50 ? 'stuck' : `other-${n}`;
      const row = await insertDelivery(db, endpoint, { ...ended, orderingKey, orderingNumber: n });
      if (n === 0 || n >= 50) heads.push(row.deliveryId);
    }
    const id = await insertOperation();
    await rounds(6);
    expect(enqueued.map((one) => one.deliveryId).sort()).toEqual(heads.sort());
    expect(await read(id)).toMatchObject({ status: 'running', enqueued: 60, unended: 60 });
    expect(await db.operationPart.findFirst({ where: { operationId: id } })).toMatchObject({ waiting: 11 });
  });

  test('deliveries with the keys of an endpoint that is no longer fifo take room and get jobs, as any others', async () => {
    const ended = { status: 'dead_letter', dueInSeconds: null, orderingKey: 'a' } as const;
    for (let n = 0; n < 30; n += 1) await insertDelivery(db, endpoint, { ...ended, orderingNumber: n });
    const id = await insertOperation();
    await rounds(4);
    expect(enqueued).toHaveLength(20);
    expect(await read(id)).toMatchObject({ status: 'running', enqueued: 20 });
    expect(await db.operationPart.findFirst({ where: { operationId: id } })).toMatchObject({ waiting: 20 });
    const { generation } = await db.delivery.findFirstOrThrow({ where: { id: enqueued[0]?.deliveryId ?? '' } });
    expect(enqueued[0]).toMatchObject({ generation });
  });

  test('direct deliveries that wait for the time of their events take no room and get no job', async () => {
    const { endpointId, environmentId } = endpoint;
    await db.endpoint.update({ where: { id: endpointId }, data: { isFifo: true } });
    const order = { orderingKey: 'a', deliverAt: new Date(Date.now() + 3_600_000) };
    for (let n = 0; n < 20; n += 1) {
      const cancelled = { status: 'failed', failureReason: 'cancelled', dueInSeconds: null } as const;
      const { eventId } = await insertDelivery(db, endpoint, cancelled);
      await db.event.updateMany({ where: { id: eventId }, data: { endpointId, ...order } });
      await db.scheduledEvent.create({ data: { eventId, environmentId, ...order } });
    }
    const [other] = await deadLetters(1);
    const id = await insertOperation({ type: 'retry' });
    await rounds(4);
    expect(enqueued.map((one) => one.deliveryId)).toEqual([other?.deliveryId]);
    expect(await read(id)).toMatchObject({ status: 'running', enqueued: 21, unended: 21 });
    expect(await db.operationPart.findFirst({ where: { operationId: id } })).toMatchObject({ waiting: 1 });
  });

  test('a delivery that follows the cancelled head of its order is enqueued at once', async () => {
    await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isFifo: true } });
    const waiting = { status: 'pending', orderingKey: 'a' } as const;
    const head = await insertDelivery(db, endpoint, { ...waiting, orderingNumber: 1, eventType: 'order.cancelled' });
    const next = await insertDelivery(db, endpoint, { ...waiting, orderingNumber: 2, dueInSeconds: null });
    await db.$executeRaw`update delivery set due_at = end_of_time() where id = ${next.deliveryId}::uuid`;
    const scope = { statuses: ['pending', 'scheduled_retry'], eventTypes: ['order.cancelled'] } as const;
    await insertOperation({ type: 'cancel', scope: { ...scope, statuses: [...scope.statuses] } });
    await rounds(3);
    expect(enqueued).toEqual([
      expect.objectContaining({ deliveryId: next.deliveryId, endpointId: head.endpointId, delayMs: 0 }),
    ]);
    expect(shown).toEqual([head.deliveryId, next.deliveryId]);
    expect(await db.delivery.count({ where: { id: next.deliveryId, generation: enqueued[0]?.generation ?? -1 } })).toBe(
      1,
    );
  });

  test('consumers are woken for a message that follows the cancelled head of its order', async () => {
    await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isFifo: true, isPulled: true } });
    const waiting = { status: 'pending', orderingKey: 'a', isPulled: true } as const;
    await insertDelivery(db, endpoint, { ...waiting, orderingNumber: 1, eventType: 'order.cancelled' });
    const next = await insertDelivery(db, endpoint, { ...waiting, orderingNumber: 2, dueInSeconds: null });
    await db.$executeRaw`update delivery set due_at = end_of_time() where id = ${next.deliveryId}::uuid`;
    await insertOperation({ type: 'cancel', scope: { statuses: ['pending'], eventTypes: ['order.cancelled'] } });
    await rounds(3);
    expect([enqueued, woken]).toEqual([[], [endpoint.endpointId]]);
  });

  test('a cancel of deliveries that wait in an order does not enqueue its head again', async () => {
    await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isFifo: true } });
    const ids: string[] = [];
    for (const orderingNumber of [1, 2, 3]) {
      const order = { orderingKey: 'a', orderingNumber, ...(orderingNumber > 1 && { dueInSeconds: null }) };
      const eventType = orderingNumber === 3 ? 'order.cancelled' : 'order.created';
      const { deliveryId } = await insertDelivery(db, endpoint, { status: 'pending', ...order, eventType });
      if (orderingNumber > 1)
        await db.$executeRaw`update delivery set due_at = end_of_time() where id = ${deliveryId}::uuid`;
      ids.push(deliveryId);
    }
    // The second delivery follows the first as the head.
    await db.$executeRaw`update delivery set status = 'delivered', due_at = null where id = ${ids[0]}::uuid`;
    const scope = { statuses: ['pending' as const], eventTypes: ['order.cancelled'] };
    const id = await insertOperation({ type: 'cancel', scope });
    await rounds(3);
    expect(await read(id)).toMatchObject({ status: 'completed', enqueued: 1 });
    expect(enqueued).toEqual([]);
  });

  test('a cancel of several pages enqueues what follows in every order, and nothing that a later page cancels', async () => {
    await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isFifo: true } });
    const type = { eventType: 'order.cancelled' };
    const insert = async (orderingKey: string, orderingNumber: number, given = {}) => {
      const order = { orderingKey, orderingNumber, ...(orderingNumber > 1 && { dueInSeconds: null }) };
      const { deliveryId } = await insertDelivery(db, endpoint, { status: 'pending', ...order, ...given });
      if (orderingNumber > 1)
        await db.$executeRaw`update delivery set due_at = end_of_time() where id = ${deliveryId}::uuid`;
      return deliveryId;
    };
    await insert('a', 1, type);
    await insert('b', 1, type);
    const nextOfA = await insert('a', 2);
    await insertMany(250, () => type);
    await insert('b', 2, type);
    const nextOfB = await insert('b', 3);
    const id = await insertOperation({
      type: 'cancel',
      scope: { statuses: ['pending', 'scheduled_retry'], eventTypes: [type.eventType] },
    });
    await rounds(5);
    expect(await read(id)).toMatchObject({ status: 'completed', enqueued: 253 });
    expect(enqueued.map((one) => one.deliveryId)).toEqual([nextOfA, nextOfB]);
  });

  test('a transaction of a cancel takes the locks of at most 250 orders, because all tenants share those of Postgres', async () => {
    await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isFifo: true } });
    const ids = await insertMany(300, (n) => ({ orderingKey: `key ${n}`, orderingNumber: n }));
    const id = await insertOperation({ type: 'cancel', scope: { statuses: ['pending', 'scheduled_retry'] } });
    await rounds(1);
    let cancelling: Promise<void> | undefined;
    const taken = await inTransaction(db, async (transaction) => {
      // The last lock that the first transaction takes.
      await transaction.$queryRaw`select from (
        select pg_advisory_xact_lock(max(ordering_lock(endpoint_id, ordering_key))) from delivery
        where id = any(${ids.slice(0, 250)}::uuid[])) l`;
      cancelling = rounds(1);
      const ofWaiting = async () => {
        const [row] = await db.$queryRaw<{ count: number }[]>`
          select count(*)::int from pg_locks where locktype = 'advisory' and granted and pid in (
            select pid from pg_locks where locktype = 'advisory' and not granted
              and database = (select oid from pg_database where datname = current_database()))`;
        return row?.count;
      };
      return waitFor(ofWaiting, { what: 'the cancel to wait for its last lock' });
    });
    expect(taken).toBe(249);
    await cancelling;
    await rounds(3);
    expect(await read(id)).toMatchObject({ status: 'completed', enqueued: 300 });
  });

  test('a turn opens no more deliveries of an order than the endpoint has room for, although most of them wait', async () => {
    await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isFifo: true } });
    const ended = { status: 'dead_letter', dueInSeconds: null, orderingKey: 'a' } as const;
    for (let n = 0; n < 60; n += 1) await insertDelivery(db, endpoint, { ...ended, orderingNumber: n });
    const id = await insertOperation();
    await rounds(2);
    expect(await read(id)).toMatchObject({ status: 'running', enqueued: 20 });
  });

  test('a cancel needs no room: it ends what a recovery has enqueued at an endpoint that settles nothing', async () => {
    await deadLetters(60);
    const recovery = await insertOperation();
    await rounds(2);
    const cancel = await insertOperation({ type: 'cancel', scope: { statuses: ['pending', 'scheduled_retry'] } });
    await endOperation(db, { operationId: recovery, status: 'cancelled' });
    await rounds(3);
    expect(await read(cancel)).toMatchObject({ status: 'completed', enqueued: 20 });
  });

  test('grows with what the endpoint settles, and is least while the queue is full', async () => {
    await deadLetters(150);
    await insertOperation();
    const settleAll = () =>
      settle(
        enqueued.map((one) => one.deliveryId),
        'delivered',
      );
    await rounds(2);
    expect(enqueued).toHaveLength(20);
    await settleAll();
    await rounds(1);
    await settleAll();
    const settled = enqueued.length;
    await rounds(1);
    const turn = enqueued.slice(settled);
    // On a slow machine, fewer than 40 of the settled deliveries still count: they fade by a factor of e in ten
    // seconds.
    expect(turn.length).toBeGreaterThan(25);
    // They come in groups, spread over the time to the next turn.
    const delays = turn.map(({ delayMs }) => delayMs);
    expect(delays).toEqual(delays.toSorted((a, b) => a - b));
    expect([delays[0], new Set(delays).size > 3, Math.max(...delays) < 250]).toEqual([0, true, true]);
    await settleAll();
    const before = enqueued.length;
    await rounds(1, createDispatcher({ waiting: 10_000 }));
    expect(enqueued.length - before).toBe(20);
  });
});

describe('what is counted', () => {
  test('a delivery that waits for its next attempt has not ended: the operation runs on', async () => {
    await deadLetters(2);
    const id = await insertOperation();
    await rounds(2);
    await settle(
      enqueued.map((one) => one.deliveryId),
      'scheduled_retry',
    );
    await rounds(2);
    expect(await read(id)).toMatchObject({ status: 'running', enqueued: 2, delivered: 0, unended: 2 });
    expect(await db.operationPart.findFirst({ where: { operationId: id } })).toMatchObject({ waiting: 0 });
    await settle(
      enqueued.map((one) => one.deliveryId),
      'dead_letter',
    );
    await rounds(2);
    expect(await read(id)).toMatchObject({ status: 'completed', failed: 2 });
  });

  test('a delivery that is retried by hand before it ended leaves the operation', async () => {
    const [first] = await deadLetters(2);
    const id = await insertOperation();
    await rounds(2);
    await retryDeliveryNow(db, first?.deliveryId ?? '', 100);
    await settle(
      enqueued.map((one) => one.deliveryId),
      'delivered',
    );
    await rounds(2);
    expect(await read(id)).toMatchObject({ status: 'completed', enqueued: 2, delivered: 1, failed: 0 });
  });

  test('a delivery without a payload or without a manual retry left counts as failed, and a test delivery is left out', async () => {
    const [gone, used, test] = await deadLetters(4);
    await db.event.delete({ where: { id: gone?.eventId ?? '' } });
    await db.delivery.update({ where: { id: used?.deliveryId ?? '' }, data: { manualRetries: 100 } });
    await db.delivery.update({ where: { id: test?.deliveryId ?? '' }, data: { isTest: true } });
    const id = await insertOperation();
    await rounds(2);
    expect(await read(id)).toMatchObject({ matched: 3, enqueued: 1, failed: 2 });
    await settle(
      enqueued.map((one) => one.deliveryId),
      'delivered',
    );
    await rounds(2);
    expect(await read(id)).toMatchObject({ status: 'completed', delivered: 1, failed: 2 });
  });

  test('after a cancel nothing more is enqueued, and what was enqueued is still counted', async () => {
    await deadLetters(30);
    const id = await insertOperation();
    await rounds(2);
    await endOperation(db, { operationId: id, status: 'cancelled' });
    await settle(
      enqueued.map((one) => one.deliveryId),
      'delivered',
    );
    await rounds(2);
    expect(enqueued).toHaveLength(20);
    expect(await read(id)).toMatchObject({ status: 'cancelled', delivered: 20, unended: 0, nextTurnAt: null });
  });

  test('while it is paused nothing more is enqueued, and what was enqueued is still counted; then it goes on', async () => {
    await deadLetters(30);
    const id = await insertOperation();
    await rounds(2);
    const pause = (isPaused: boolean) => inTransaction(db, (tx) => pauseOperation(tx, { operationId: id, isPaused }));
    expect([await pause(true), await pause(true)]).toEqual([true, false]);
    const settleEnqueued = () =>
      settle(
        enqueued.map((one) => one.deliveryId),
        'delivered',
      );
    await settleEnqueued();
    await rounds(3);
    expect(enqueued).toHaveLength(20);
    expect(await read(id)).toMatchObject({ status: 'running', delivered: 20, unended: 0, nextTurnAt: null });
    expect([await pause(false), await pause(false)]).toEqual([true, false]);
    await rounds(1);
    await settleEnqueued();
    await rounds(2);
    expect(await read(id)).toMatchObject({ status: 'completed', enqueued: 30, delivered: 30 });
    expect(await pause(true)).toBe(false);
  });

  test('the longer a cancel is past, the longer is the time between the counts of what is still open', async () => {
    await deadLetters(1);
    const id = await insertOperation();
    await rounds(2);
    await endOperation(db, { operationId: id, status: 'cancelled' });
    await db.$executeRaw`update operation set finished_at = now() - interval '1 hour' where id = ${id}::uuid`;
    await rounds(1);
    const { unended, nextTurnAt } = await read(id);
    expect([unended, (nextTurnAt?.getTime() ?? 0) > Date.now() + 300_000]).toEqual([1, true]);
  });

  /** Inserts an operation that has enqueued everything, and notes the ends of `ends` deliveries at each endpoint. */
  async function insertNoted(given: { endpoints: number; ends: number; cancelledAt?: Date }): Promise<string> {
    const endpoints = Array.from({ length: given.endpoints }, () => ({ ...endpoint, endpointId: newUuid(new Date()) }));
    const id = await insertOperation({ endpoints });
    await db.operationPart.updateMany({ where: { operationId: id }, data: { phase: 'done' } });
    // One more than the noted ends, so that the operation still waits for one.
    const unended = given.endpoints * given.ends + 1;
    const { cancelledAt } = given;
    const ended = cancelledAt && ({ status: 'cancelled', finishedAt: cancelledAt } as const);
    await db.operation.update({ where: { id }, data: { status: 'running', unended, ...ended } });
    await db.$executeRaw`
      insert into operation_progress (operation_id, endpoint_id, attempted, delivered, failed, taken_over)
      select operation_id, endpoint_id, false, true, false, false from operation_part, generate_series(1, ${given.ends}::int)
      where operation_id = ${id}::uuid`;
    return id;
  }

  const isDue = async (id: string) =>
    (await db.operation.count({ where: { id, nextTurnAt: { lte: new Date() } } })) > 0;

  /** A dispatcher whose turns have time for everything, on a machine of any speed. */
  const withoutHaste = () => createDispatcher({ clock: { ...systemClock, monotonicMs: () => 0 } });

  /** The time from the last step of the operation to its next turn. */
  async function pauseMs(id: string): Promise<number> {
    const last = await db.operationPart.findFirst({ where: { operationId: id }, orderBy: { turnAt: 'desc' } });
    return ((await read(id)).nextTurnAt?.getTime() ?? 0) - (last?.turnAt.getTime() ?? 0);
  }

  test.each([
    ['that waits for ends', {}, 1_000],
    ['that was cancelled an hour ago', { cancelledAt: new Date(Date.now() - 3_600_000) }, 360_000],
  ])('an operation %s counts page after page of endpoints, and pauses only then', async (_, given, thenMs) => {
    const id = await insertNoted({ endpoints: 60, ends: 1, ...given });
    await rounds(1, withoutHaste());
    expect([(await read(id)).unended, await isDue(id)]).toEqual([11, true]);
    await rounds(1, withoutHaste());
    expect([(await read(id)).unended, (await pauseMs(id)) >= thenMs]).toEqual([1, true]);
  });

  test('a turn counts all that is noted for an endpoint, however much', async () => {
    const id = await insertNoted({ endpoints: 1, ends: 5_001, cancelledAt: new Date(Date.now() - 3_600_000) });
    await rounds(1, withoutHaste());
    expect(await read(id)).toMatchObject({ delivered: 5_001, unended: 1 });
  });

  test('an operation whose endpoints only wait for room pauses between their pages', async () => {
    const endpoints = Array.from({ length: 60 }, () => ({ ...endpoint, endpointId: newUuid(new Date()) }));
    const id = await insertOperation({ endpoints });
    const stuck = { phase: 'deliveries', waiting: 20 } as const;
    await db.operationPart.updateMany({ where: { operationId: id }, data: stuck });
    await db.operation.update({ where: { id }, data: { status: 'running' } });
    await rounds(1, withoutHaste());
    expect(await pauseMs(id)).toBeGreaterThanOrEqual(250);
  });
});

test('an operation that still waits when all its deliveries have left with the retention ends', async () => {
  const id = await insertOperation();
  await db.operationPart.updateMany({ where: { operationId: id }, data: { phase: 'done' } });
  const createdAt = new Date(Date.now() - 9 * 86_400_000);
  await db.operation.update({ where: { id }, data: { status: 'running', unended: 2, createdAt } });
  await rounds(1);
  expect(await read(id)).toMatchObject({ status: 'running', unended: 2 });
  expect(await deleteExpiredOperations(db, 7)).toBe(0);
  await rounds(1);
  expect(await read(id)).toMatchObject({ status: 'completed', nextTurnAt: null });
  expect(await deleteExpiredOperations(db, 7)).toBe(1);
});

test('a recovery fails, with the reason, when its endpoint is deactivated', async () => {
  await deadLetters(30);
  const id = await insertOperation();
  await rounds(2);
  await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isActive: false } });
  await settle(
    enqueued.map((one) => one.deliveryId),
    'delivered',
  );
  await rounds(2);
  expect(enqueued).toHaveLength(20);
  expect(await read(id)).toMatchObject({
    status: 'failed',
    error: 'The endpoint is inactive or deleted',
    delivered: 20,
  });
});

test('a bulk retry counts the deliveries of an inactive endpoint as failed, and leaves them as they are', async () => {
  const [row] = await deadLetters(3);
  await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isActive: false } });
  const id = await insertOperation({ type: 'retry' });
  await rounds(3);
  expect(await read(id)).toMatchObject({ status: 'completed', matched: 3, enqueued: 0, failed: 3 });
  expect(await db.delivery.findUnique({ where: { id: row?.deliveryId ?? '' } })).toMatchObject({
    status: 'dead_letter',
  });
});

/** Subscribes the endpoint to a published type. Returns a function that inserts an event of it. */
async function subscribe(filter?: object) {
  const { workspaceId, environmentId, endpointId } = endpoint;
  const eventTypeId = newUuid(new Date());
  await db.eventType.create({ data: { id: eventTypeId, workspaceId, name: 'order.created' } });
  await db.publishedEventType.create({ data: { environmentId, eventTypeId } });
  await db.subscription.create({
    data: { id: newUuid(new Date()), endpointId, eventTypeId, ...(filter && { filter }) },
  });
  type Given = { isTest?: boolean; deliverAt?: Date; payloadSize?: number; payload?: Uint8Array<ArrayBuffer> };
  return async (given: Given = {}) => {
    const id = newUuid(new Date());
    const event = { id, workspaceId, environmentId, eventType: 'order.created', payloadSize: 0, published: true };
    await db.event.create({ data: { ...event, ...given } });
    return id;
  };
}

test('a cancelled event, a test event and one that waits for its time or its fan-out are not missed', async () => {
  const insertEvent = await subscribe();
  const missed = [await insertEvent(), await insertEvent({ deliverAt: new Date(Date.now() - 1_000) })];
  // Its type was unpublished, so the event is not among the scheduled ones.
  await insertEvent({ deliverAt: new Date(Date.now() + 3_600_000) });
  await insertEvent({ isTest: true });
  await db.cancelledEvent.create({ data: { eventId: await insertEvent(), workspaceId: endpoint.workspaceId } });
  await db.pendingFanOut.create({ data: { eventId: await insertEvent() } });
  const id = await insertOperation({ scope: { statuses: [], missed: true } });
  await rounds(2);
  expect(enqueued.map((one) => one.eventId).sort()).toEqual(missed);
  expect(await read(id)).toMatchObject({ matched: 2, enqueued: 2 });
});

test('a missed event whose payload is erased counts as failed, and gets no delivery', async () => {
  const insertEvent = await subscribe();
  const missed = await insertEvent();
  const erased = await insertEvent({ payloadSize: 3 });
  const id = await insertOperation({ scope: { statuses: [], missed: true } });
  await rounds(2);
  expect(enqueued.map((one) => one.eventId)).toEqual([missed]);
  expect(await read(id)).toMatchObject({ matched: 2, enqueued: 1, failed: 1 });
  expect(await db.delivery.count({ where: { eventId: erased } })).toBe(0);
});

test('missed events are filtered 8 MiB at a time, and none is left out', async () => {
  const insertEvent = await subscribe({ a: 1 });
  // A payload that cannot be opened passes every filter.
  const missed = [];
  for (let n = 0; n < 5; n += 1) missed.push(await insertEvent({ payloadSize: 2 ** 22, payload: new Uint8Array(64) }));
  const scope = scopeOf({ statuses: [], missed: true });
  const id = await insertOperation({ scope });
  const walk = { endpointId: endpoint.endpointId, after: scope.after, read: 1_000 };
  const page = await inTransaction(db, (transaction) => missedPage(transaction, { scope, keys }, walk));
  expect([page.rows.length, page.next]).toEqual([2, missed[1]]);
  await rounds(2);
  expect(enqueued.map((one) => one.eventId).sort()).toEqual(missed);
  expect(await read(id)).toMatchObject({ matched: 5, enqueued: 5 });
});

describe('rounds', () => {
  /** Runs a round. Returns its delay, and the operations that had a turn in it. */
  async function round(dispatcher = createDispatcher()): Promise<{ delayMs: number; taken: string[] }> {
    const tokens = async () => new Map((await db.operation.findMany()).map(({ id, turnToken }) => [id, turnToken]));
    const before = await tokens();
    const delayMs = await dispatcher();
    const taken = [...(await tokens())].filter(([id, token]) => before.get(id) !== token).map(([id]) => id);
    return { delayMs, taken };
  }

  /** A dispatcher whose turns take all their time but leave the operations as they were. */
  function createLong() {
    let nowMs = 0;
    return createDispatcher({ clock: { ...systemClock, monotonicMs: () => (nowMs += 1_000) } });
  }

  test('the operations of a workspace, however many and long, delay the one of another by one turn in each round', async () => {
    const ofFlood: string[] = [];
    for (let n = 0; n < 10; n += 1) ofFlood.push(await insertOperation());
    endpoint = await insertEndpoint(db);
    const other = await insertOperation();
    const dispatcher = createLong();
    const taken: string[] = [];
    for (let n = 0; n < ofFlood.length; n += 1) {
      const each = await round(dispatcher);
      expect([each.delayMs, each.taken.length, each.taken.includes(other)]).toEqual([0, 2, true]);
      taken.push(...each.taken.filter((id) => id !== other));
    }
    expect(taken.sort()).toEqual(ofFlood.sort());
  });

  test('the operations of one owner, in however many workspaces, delay the one of another by two turns in each round', async () => {
    const createdBy = newUuid(new Date());
    const ofFlood: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      endpoint = await insertEndpoint(db);
      await db.workspace.update({ where: { id: endpoint.workspaceId }, data: { createdBy } });
      ofFlood.push(await insertOperation());
    }
    endpoint = await insertEndpoint(db);
    const other = await insertOperation();
    const dispatcher = createLong();
    const taken: string[] = [];
    for (let n = 0; n < ofFlood.length / 2; n += 1) {
      const each = await round(dispatcher);
      expect([each.taken.length, each.taken.includes(other)]).toEqual([3, true]);
      taken.push(...each.taken.filter((id) => id !== other));
    }
    expect(taken.sort()).toEqual(ofFlood.sort());
  });

  test('the operations of portals, however many, delay one of their workspace by one turn in each round', async () => {
    const ofPortals: string[] = [];
    for (let n = 0; n < 5; n += 1) ofPortals.push(await insertOperation({ portalApplicationId: newUuid(new Date()) }));
    const own = await insertOperation();
    const dispatcher = createLong();
    const taken: string[] = [];
    for (let n = 0; n < ofPortals.length; n += 1) {
      const each = await round(dispatcher);
      expect([each.taken.length, each.taken.includes(own)]).toEqual([2, true]);
      taken.push(...each.taken.filter((id) => id !== own));
    }
    expect(taken.sort()).toEqual(ofPortals.sort());
  });

  test('while a workspace has further operations whose turn it is, the next round begins at once', async () => {
    const ids = [await insertOperation(), await insertOperation(), await insertOperation()];
    const [first, second, third] = [await round(), await round(), await round()];
    expect([first.delayMs, second.delayMs, third.delayMs <= 250]).toEqual([0, 0, true]);
    expect([...first.taken, ...second.taken, ...third.taken].sort()).toEqual(ids.sort());
  });

  test('a dispatcher that finds each operation locked by another process pauses', async () => {
    const id = await insertOperation();
    await inTransaction(db, async (transaction) => {
      await transaction.$queryRaw`select from operation where id = ${id}::uuid for update`;
      expect(await round()).toEqual({ delayMs: 250, taken: [] });
    });
  });
});

describe('an operation whose turns fail', () => {
  /** Makes Postgres refuse each step of an operation with this SQLSTATE from now on. */
  async function refuseSteps(sqlState: string) {
    await db.$executeRaw`create or replace function refuse_step() returns trigger language plpgsql as
      $$ begin raise exception 'refused' using errcode = current_setting('test.refused_with'); end $$`;
    await db.$executeRaw`create trigger refuse_step before update on operation_part execute function refuse_step()`;
    const { database: name = '' } =
      (await db.$queryRaw<{ database: string }[]>`select current_database() as database`)[0] ?? {};
    await onServer(database.databaseUrl, `alter database "${name}" set test.refused_with = '${sqlState}'`);
    const own = createDb({ databaseUrl: database.databaseUrl, maxConnections: 1, onIdleError: () => {} });
    return {
      dispatcher: createDispatcher({ db: own }),
      async end() {
        await own.$disconnect();
        await db.$executeRaw`drop trigger refuse_step on operation_part`;
      },
    };
  }

  /** Gives the operation at most this many turns until it has ended, and returns it. */
  async function turns(id: string, most: number, dispatcher: () => Promise<number>) {
    for (let n = 0; n < most && (await read(id)).finishedAt === null; n += 1) {
      await db.operation.update({ where: { id }, data: { nextTurnAt: new Date(0) } });
      await dispatcher();
    }
    return read(id);
  }

  test('five times in a row in the same way has failed, and its reason names the fault', async () => {
    await deadLetters(1);
    const id = await insertOperation();
    const { dispatcher, end } = await refuseSteps('22P02');
    expect(await turns(id, 4, dispatcher)).toMatchObject({ status: 'counting', fault: '22P02', faultTurns: 4 });
    const failed = await turns(id, 1, dispatcher);
    expect(failed).toMatchObject({ status: 'failed', nextTurnAt: null, error: expect.stringContaining('(22P02)') });
    await end();
  });

  test('because Postgres is away goes on when it is back', async () => {
    await deadLetters(1);
    const id = await insertOperation();
    const { dispatcher, end } = await refuseSteps('57P01');
    expect(await turns(id, 7, dispatcher)).toMatchObject({ status: 'counting', faultTurns: 0 });
    expect(warnings).toHaveLength(7);
    await end();
    expect(await turns(id, 1, createDispatcher())).toMatchObject({ status: 'running', matched: 1 });
  });

  test('and then one that succeeds begins the count anew', async () => {
    await deadLetters(1);
    const id = await insertOperation();
    const { dispatcher, end } = await refuseSteps('22P02');
    await turns(id, 4, dispatcher);
    await end();
    expect(await turns(id, 1, createDispatcher())).toMatchObject({ status: 'running', fault: null, faultTurns: 0 });
  });
});

test('an operation that cannot be moved on stops no other', async () => {
  await deadLetters(1);
  const broken = await insertOperation();
  await db.operation.update({ where: { id: broken }, data: { scope: {} } });
  const id = await insertOperation();
  // On a busy machine, the operations of other tests may take up a whole round.
  for (let n = 0; n < 20 && (await read(id)).enqueued === 0; n += 1) {
    await db.operation.updateMany({ where: { nextTurnAt: { not: null } }, data: { nextTurnAt: new Date(0) } });
    await createDispatcher()();
  }
  expect(await read(id)).toMatchObject({ status: 'running', enqueued: 1 });
  expect(warnings.length).toBeGreaterThan(0);
  await db.operation.delete({ where: { id: broken } });
});
