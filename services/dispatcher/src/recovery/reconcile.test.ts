import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';
import type { DeliveryTicket } from '@posthorn/queue/deliver-job';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { createMetrics } from '../metrics.ts';
import { type SweepDeps, sweep } from './reconcile.ts';

let database: TestDatabase;
let db: Db;
let endpoint: EndpointRow;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  endpoint = await insertEndpoint(db);
});
afterAll(() => database.drop());

const INTERVAL_MS = 2_000;
let events: string[];
let tickets: DeliveryTicket[];
let turn: 'free' | 'taken';
let turns: number[];
beforeEach(async () => {
  events = [];
  tickets = [];
  turn = 'free';
  turns = [];
  await db.delivery.deleteMany();
  await db.pendingFanOut.deleteMany();
});

const idle = { fanOut: 0, deliver: 0, deliverWaiting: 0 };

function sweepWith(depths = idle) {
  const producer: SweepDeps['producer'] = {
    depths: async () => depths,
    ringFanOut: async (rung) => void events.push(...rung.map((event) => event.eventId)),
    ringLostDeliveries: async (rung) => {
      tickets.push(...rung);
      return rung.length;
    },
    takeSweepTurn: async (forMs) => {
      turns.push(forMs);
      return turn === 'free';
    },
    endSweepTurn: async () => void turns.pop(),
  };
  return sweep({ db, producer, metrics: createMetrics() }, INTERVAL_MS);
}

const pendingSince = (seconds: number) => {
  const eventId = newUuid(new Date());
  return db.$executeRaw`
    insert into pending_fan_out (event_id, enqueued_at)
    values (${eventId}::uuid, now() - make_interval(secs => ${seconds}::float8))`.then(() => eventId);
};

test('rings what is overdue: pending, retries and leases run out, each under its generation, and changes no row', async () => {
  const overdue = [
    await insertDelivery(db, endpoint, { dueInSeconds: -2 }),
    await insertDelivery(db, endpoint, { status: 'scheduled_retry', generation: 3, dueInSeconds: -2 }),
    await insertDelivery(db, endpoint, { status: 'delivering', leaseToken: randomUUID(), dueInSeconds: -2 }),
  ];
  const before = await db.delivery.findMany({ orderBy: { id: 'asc' } });
  expect(await sweepWith()).toMatchObject({ fanOuts: 0, deliveries: 3, againInMs: INTERVAL_MS });
  expect(
    tickets.map(({ deliveryId, eventId, generation, delayMs }) => ({ deliveryId, eventId, generation, delayMs })),
  ).toEqual(
    expect.arrayContaining(
      overdue.map(({ deliveryId, eventId }, n) => ({ deliveryId, eventId, generation: n === 1 ? 3 : 0, delayMs: 0 })),
    ),
  );
  expect(await db.delivery.findMany({ orderBy: { id: 'asc' } })).toEqual(before);
});

test('rings what a version before leased_until left as delivering, when its lease, its due time, has run out', async () => {
  const left = await insertDelivery(db, endpoint, { status: 'delivering', leaseToken: randomUUID(), dueInSeconds: -2 });
  await db.$executeRaw`update delivery set leased_until = null where id = ${left.deliveryId}::uuid`;
  expect(await sweepWith()).toMatchObject({ deliveries: 1 });
});

test('leaves alone what is not due, what has just become due, and what has ended', async () => {
  await insertDelivery(db, endpoint, { dueInSeconds: 60 });
  await insertDelivery(db, endpoint, { dueInSeconds: 0 });
  await insertDelivery(db, endpoint, { status: 'delivered', dueInSeconds: null });
  expect(await sweepWith()).toMatchObject({ deliveries: 0 });
});

test('rings events that wait for their fan-out, not those just accepted', async () => {
  const waiting = await pendingSince(2);
  await pendingSince(0);
  expect(await sweepWith()).toMatchObject({ fanOuts: 1 });
  expect(events).toEqual([waiting]);
});

test('puts an orphan before all that waits, and marks what lost leases in a row, to be taken alone', async () => {
  await insertDelivery(db, endpoint, { status: 'delivering', lostLeases: 0, dueInSeconds: -9 });
  await insertDelivery(db, endpoint, { status: 'delivering', lostLeases: 1, dueInSeconds: -8 });
  await insertDelivery(db, endpoint, { status: 'pending', lostLeases: 2, dueInSeconds: -7 });
  await sweepWith();
  expect(tickets.map((ticket) => ticket.alone ?? false)).toEqual([false, true, true]);
  expect(tickets.map((ticket) => ticket.first ?? false)).toEqual([true, false, false]);
});

test('rings nothing out of turn, comes again when the turn is over, and takes one for half the interval', async () => {
  await pendingSince(2);
  await insertDelivery(db, endpoint, { dueInSeconds: -2 });
  turn = 'taken';
  expect(await sweepWith()).toEqual({ fanOuts: 0, deliveries: 0, againInMs: 1_000 });
  expect([events, tickets]).toEqual([[], []]);
  turn = 'free';
  expect(await sweepWith()).toEqual({ fanOuts: 1, deliveries: 1, againInMs: INTERVAL_MS });
  expect(turns).toEqual([1_000, 1_000]);
});

test('takes an overdue row’s ticket for lost, and rings another, only while next to nothing waits', async () => {
  await insertDelivery(db, endpoint, { dueInSeconds: -4 });
  await sweepWith();
  await sweepWith({ fanOut: 0, deliver: 1_000, deliverWaiting: 1_000 });
  expect(tickets.map((ticket) => ticket.round)).toEqual([expect.any(Number), undefined]);
});

test('rings nothing into queues that have work enough; it comes again soon, and leaves the turn to others', async () => {
  await pendingSince(2);
  await insertDelivery(db, endpoint, { dueInSeconds: -2 });
  expect(await sweepWith({ fanOut: 50, deliver: 2_500, deliverWaiting: 2_500 })).toMatchObject({
    fanOuts: 0,
    deliveries: 0,
    againInMs: 200,
  });
  expect(turns).toEqual([]);
  expect(await sweepWith({ fanOut: 49, deliver: 2_499, deliverWaiting: 2_499 })).toMatchObject({
    fanOuts: 1,
    deliveries: 1,
    againInMs: INTERVAL_MS,
  });
});

test('a page at a time, the most overdue first; where there is more it comes again soon, and ends its turn', async () => {
  await db.$executeRaw`
    insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, due_at)
    select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7000800000' || lpad(to_hex(n), 10, '0'))::uuid,
      gen_random_uuid(), ${endpoint.endpointId}::uuid, ${endpoint.workspaceId}::uuid, ${endpoint.environmentId}::uuid,
      now() - make_interval(secs => n) from generate_series(2, 5500) n`;
  expect(await sweepWith()).toMatchObject({ deliveries: 5_000, againInMs: 200 });
  expect(turns).toEqual([]);
  expect(tickets[0]?.deliveryId.endsWith('157c')).toBe(true);
  expect(new Set(tickets.map((ticket) => ticket.deliveryId)).size).toBe(5_000);
});
