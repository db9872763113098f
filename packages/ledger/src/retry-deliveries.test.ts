import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { inTransaction } from '@posthorn/db/transaction';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type DeliveryRow, type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import { cancelDelivery } from './cancel.ts';
import { enterOrder, keepPlace } from './enter-order.ts';
import { type RetriedDelivery, retryDeliveries } from './retry-deliveries.ts';
import { retryDeliveryNow } from './retry-now.ts';
import { placeScheduled } from './scheduled-events.ts';
import { isBehindHead } from './waiting.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let endpoint: EndpointRow;
beforeEach(async () => {
  endpoint = await insertEndpoint(db);
  await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isFifo: true } });
});

const CANCELLED = { status: 'failed', failureReason: 'cancelled', dueInSeconds: null } as const;
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000);

/** A direct event at its endpoint, with a delivery that has no place in an order. */
async function insertDirect(
  event: { orderingKey?: string; deliverAt?: Date },
  delivery: Parameters<typeof insertDelivery>[2] = CANCELLED,
): Promise<DeliveryRow> {
  const row = await insertDelivery(db, endpoint, delivery);
  await db.event.updateMany({ where: { id: row.eventId }, data: { endpointId: endpoint.endpointId, ...event } });
  return row;
}

/** The delivery of a direct event that waits for its time, and then takes its place in its order. */
async function insertScheduled(deliverAt: Date, delivery?: Parameters<typeof insertDelivery>[2]): Promise<DeliveryRow> {
  const row = await insertDirect({ orderingKey: 'a', deliverAt }, delivery);
  const { eventId, environmentId } = row;
  await db.scheduledEvent.create({ data: { eventId, environmentId, deliverAt, orderingKey: 'a' } });
  return row;
}

const toWait = ({ deliveryId }: DeliveryRow) =>
  db.$executeRaw`update delivery set due_at = end_of_time() where id = ${deliveryId}::uuid`;

/** Makes the scheduled events of the environment take their places, as dispatchers do at their time. */
const placeAll = (transaction: DbTransaction) =>
  transaction.$queryRaw`with ${placeScheduled(Prisma.sql`select event_id, environment_id, deliver_at from scheduled_event
    where environment_id = ${endpoint.environmentId}::uuid`)} select event_id from numbered`;

const stateOf = async ({ deliveryId }: DeliveryRow): Promise<string> => {
  const { status, dueAt } = await db.delivery.findFirstOrThrow({ where: { id: deliveryId } });
  return isBehindHead(dueAt) ? `${status}, waits` : dueAt === null ? status : `${status}, due`;
};

/** Whether a statement waits for a row lock. */
const isWaiting = async () =>
  (
    await db.$queryRaw<unknown[]>`select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype in ('transactionid', 'tuple') and not l.granted and a.datname = current_database()`
  ).length > 0;

const statuses = ['pending', 'failed'];
const retryMany = (rows: readonly DeliveryRow[]): Promise<RetriedDelivery[]> =>
  inTransaction(db, (transaction) =>
    retryDeliveries(transaction, {
      ...{ deliveryIds: rows.map((row) => row.deliveryId), operationId: endpoint.endpointId, statuses },
      ...{ trigger: 'manual', mostRetries: 100 },
    }),
  );
const retryOne = ({ deliveryId }: DeliveryRow) =>
  inTransaction(db, (transaction) => retryDeliveryNow(transaction, deliveryId, 100));

const retries: [string, (row: DeliveryRow) => Promise<unknown>][] = [
  ['by hand', retryOne],
  ['by an operation', (row) => retryMany([row])],
];

describe.each(retries)('a direct delivery that is retried %s', (_, retry) => {
  test('while its event, whose time has come, is moved waits for its place in the order', async () => {
    const row = await insertScheduled(inSeconds(-1));
    let retried: Promise<unknown> = Promise.resolve();
    await inTransaction(db, async (transaction) => {
      await placeAll(transaction);
      retried = retry(row);
      await waitFor(isWaiting, { what: 'the retry to wait for the event' });
    });
    await retried;
    expect(await stateOf(row)).toBe('pending, waits');
    await enterOrder(db, row);
    const { orderingKey } = await db.delivery.findFirstOrThrow({ where: { id: row.deliveryId } });
    expect([orderingKey, await stateOf(row)]).toEqual(['a', 'pending, due']);
  });

  test('while it takes its place has that place', async () => {
    const earlier = await insertDelivery(db, endpoint, { orderingKey: 'a', orderingNumber: 0, dueAt: new Date() });
    const row = await insertScheduled(inSeconds(-1));
    await inTransaction(db, placeAll);
    let retried: Promise<unknown> = Promise.resolve();
    await inTransaction(db, async (transaction) => {
      await enterOrder(transaction as Db, row);
      retried = retry(row);
      await waitFor(isWaiting, { what: 'the retry to wait for the place' });
    });
    await retried;
    expect([await stateOf(earlier), await stateOf(row)]).toEqual(['pending, due', 'pending, waits']);
  });
});

test('a direct delivery that is retried by hand while it is cancelled before the time of its event waits for that time again', async () => {
  const row = await insertScheduled(inSeconds(3_600), {});
  await toWait(row);
  let retried: Promise<unknown> = Promise.resolve();
  await inTransaction(db, async (transaction) => {
    await cancelDelivery(transaction, row.deliveryId);
    retried = retryOne(row);
    await waitFor(isWaiting, { what: 'the retry to wait for the cancel' });
  });
  await retried;
  expect(await stateOf(row)).toBe('pending, waits');
});

test('a retry of a direct delivery that waits for its place in the order does not send it; an operation leaves it, and one that waits for its time, as they are', async () => {
  const head = await insertDelivery(db, endpoint, { orderingKey: 'a', orderingNumber: 0, dueAt: new Date() });
  const gated = await insertScheduled(inSeconds(-1), {});
  await toWait(gated);
  await inTransaction(db, placeAll);
  const deliverAt = inSeconds(3_600);
  const scheduled = await insertDirect({ deliverAt }, { dueInSeconds: 3_600 });
  expect(await retryMany([gated, scheduled])).toEqual([]);
  expect(await retryOne(gated)).toMatchObject({ kind: 'retried' });
  const due = await db.delivery.findMany({ where: { endpointId: endpoint.endpointId, dueAt: { lte: new Date() } } });
  expect(due.map(({ id }) => id)).toEqual([head.deliveryId]);
  expect(await stateOf(gated)).toBe('pending, waits');
});

describe('docs/interface.md, Time: before the time of a direct event', () => {
  const deliverAt = inSeconds(3_600);

  test('an operation does not send its delivery, whatever has ended it; one with a place to come waits for it again', async () => {
    const left = [
      await insertDirect({ deliverAt }),
      await insertDirect({ deliverAt, orderingKey: 'at acceptance, the endpoint was not fifo' }),
      await insertDirect({ deliverAt }, { ...CANCELLED, failureReason: 'endpoint_inactive' }),
      // The event was cancelled, and the delivery has kept the place.
      await insertDirect({ deliverAt, orderingKey: 'b' }, { ...CANCELLED, orderingKey: 'b', orderingNumber: 1 }),
    ];
    const placedLater = await insertScheduled(deliverAt);
    const sent = [
      await insertDirect({ deliverAt }, { ...CANCELLED, totalAttempts: 1 }),
      await insertDirect({ deliverAt: inSeconds(-1) }),
    ];
    const retried = await retryMany([...left, placedLater, ...sent]);
    const isDue = Object.fromEntries(retried.map((one) => [one.deliveryId, one.isDue]));
    expect(isDue).toEqual({
      [placedLater.deliveryId]: false,
      ...Object.fromEntries(sent.map(({ deliveryId }) => [deliveryId, true])),
    });
    expect(await Promise.all(left.map(stateOf))).toEqual(Array(4).fill('failed'));
    expect(await stateOf(placedLater)).toBe('pending, waits');
  });

  test('a retry by hand sends its delivery now, unless it has a place to come: even after the endpoint is no longer fifo', async () => {
    const [plain, placedLater] = [await insertDirect({ deliverAt }), await insertScheduled(deliverAt)];
    await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isFifo: false } });
    await retryOne(plain);
    await retryOne(placedLater);
    expect([await stateOf(plain), await stateOf(placedLater)]).toEqual(['pending, due', 'pending, waits']);
  });

  test('a retry by hand sends it in its order, when the event itself was cancelled', async () => {
    const row = await insertScheduled(deliverAt);
    await db.scheduledEvent.delete({ where: { eventId: row.eventId } });
    await inTransaction(db, (transaction) =>
      keepPlace(transaction, { ...row, orderingKey: 'a', orderingNumber: null }),
    );
    await retryOne(row);
    const places = await db.orderedDelivery.findMany({ where: { endpointId: endpoint.endpointId } });
    expect(places).toMatchObject([{ orderingKey: 'a', deliveryId: row.deliveryId }]);
    expect(await stateOf(row)).toBe('pending, due');
  });
});

describe('of two scheduled events, the one with the earlier time is locked first, whatever their ids', () => {
  const statements: [string, (rows: readonly DeliveryRow[]) => Promise<unknown>][] = [
    ['by a retry', retryMany],
    ['by the move of events whose time has come', () => inTransaction(db, placeAll)],
  ];
  test.each(statements)('%s', async (_, run) => {
    const [later, earlier] = [await insertScheduled(inSeconds(-1)), await insertScheduled(inSeconds(-2))];
    expect(later.eventId < earlier.eventId).toBe(true);
    let running: Promise<unknown> = Promise.resolve();
    await inTransaction(db, async (transaction) => {
      await transaction.$queryRaw`select from scheduled_event where event_id = ${earlier.eventId}::uuid for update`;
      running = run([later, earlier]);
      await waitFor(isWaiting, { what: 'the statement to wait for the earlier event' });
      const unlocked = await transaction.$queryRaw`
        select event_id from scheduled_event where event_id = ${later.eventId}::uuid for update skip locked`;
      expect(unlocked).toEqual([{ event_id: later.eventId }]);
    });
    await running;
  });
});
