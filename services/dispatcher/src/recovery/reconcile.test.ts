import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import type { FanOutRequest } from '@posthorn/queue/jobs';
import type { OverdueDelivery } from '@posthorn/queue/producer';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase } from '@posthorn/testkit/database';
import { insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { inTime } from '@posthorn/testkit/in-time';
import { createMetrics } from '../metrics.ts';
import { LOOK_EVERY_MS } from './low-water-mark.ts';
import { createReconcile, type ReconcileDeps } from './reconcile.ts';

const database = await createTestDatabase();
const { db } = database;
const endpoint = await insertEndpoint(db);
afterAll(() => database.drop());

const INTERVAL_MS = 2_000;
/** A little less than the second for which a newly due row is left alone. */
const WITHIN_GRACE_MS = 900;
let nowMs: number;
let waiting: { fanOut: number; deliver: number };
let events: FanOutRequest[];
let deliveries: OverdueDelivery[];
let turn: 'free' | 'taken' | 'away';
let acts: string[];
beforeEach(async () => {
  nowMs = 0;
  waiting = { fanOut: 0, deliver: 0 };
  [events, deliveries, acts] = [[], [], []];
  turn = 'free';
  await db.delivery.deleteMany();
  await db.pendingFanOut.deleteMany();
});

/** The reconciler of one dispatcher, whose enqueued rows are recorded. The queue's tests cover live jobs. */
function createDispatcher(metrics = createMetrics()) {
  const producer: ReconcileDeps['producer'] = {
    depths: async () => ({
      fanOut: { waiting: waiting.fanOut, delayed: 0 },
      deliver: { waiting: waiting.deliver, delayed: 0 },
    }),
    enqueueFanOut: async (given) => void events.push(...given),
    enqueueOverdue: async (given) => {
      deliveries.push(...given);
      return given.length;
    },
    takeReconcilerTurn: async (forMs) => {
      acts.push(`turn of ${forMs}`);
      if (turn === 'away') throw new Error('Redis is away');
      return turn === 'free';
    },
    shortenReconcilerTurn: async (toMs) => void acts.push(`shortened to ${toMs}`),
  };
  return createReconcile({
    db,
    producer,
    metrics,
    clock: { ...systemClock, monotonicMs: () => nowMs },
    readGauges: async () => void acts.push('gauges read'),
    forgetGauges: () => void acts.push('gauges forgotten'),
    intervalMs: INTERVAL_MS,
  });
}

async function newEvent(dueSecondsAgo: number, of = endpoint, acceptedAt = new Date()): Promise<string> {
  const eventId = newUuid(acceptedAt);
  const { workspaceId, environmentId } = of;
  const event = { workspaceId, environmentId, eventType: 'order.created', payloadSize: 0, published: true };
  await db.event.create({ data: { ...event, id: eventId } });
  await db.$executeRaw`
    insert into pending_fan_out (event_id, due_at)
    values (${eventId}::uuid, now() - make_interval(secs => ${dueSecondsAgo}::float8))`;
  return eventId;
}

/** Overdue rows, each due a second before the next, or all at one instant. */
const insertMany = (count: number, apart: 'a second apart' | 'at once') => db.$executeRaw`
  insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, due_at)
  select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7000800000' ||
    lpad(to_hex(n), 10, '0'))::uuid, gen_random_uuid(), ${endpoint.endpointId}::uuid, ${endpoint.workspaceId}::uuid,
    ${endpoint.environmentId}::uuid,
    now() - make_interval(secs => 2 + case when ${apart}::text = 'at once' then 60 else n end)
  from generate_series(1, ${count}::int) n`;

const idsOf = (requests: readonly OverdueDelivery[]) => requests.map(({ deliveryId }) => deliveryId);

describe('a round', () => {
  test('enqueues overdue rows (pending, retries, expired leases), each under its generation, and changes no row', async () => {
    const rows = [
      await insertDelivery(db, endpoint, { dueInSeconds: -2 }),
      await insertDelivery(db, endpoint, { status: 'scheduled_retry', generation: 3, dueInSeconds: -2 }),
      await insertDelivery(db, endpoint, { status: 'delivering', leaseToken: randomUUID(), dueInSeconds: -2 }),
    ];
    const before = await db.delivery.findMany({ orderBy: { id: 'asc' } });
    const metrics = createMetrics();
    expect(await createDispatcher(metrics)()).toEqual({ events: 0, deliveries: 3, againInMs: INTERVAL_MS });
    const expected = rows.map(({ deliveryId, eventId, endpointId, workspaceId }, n) => {
      const ids = { deliveryId, eventId, endpointId, workspaceId };
      return { ...ids, generation: n === 1 ? 3 : 0, delayMs: 0, round: expect.any(Number) };
    });
    expect(deliveries).toHaveLength(3);
    expect(deliveries).toEqual(expect.arrayContaining(expected.slice(0, 2)));
    expect(deliveries).toContainEqual({ ...expected[2], mode: 'expired_lease' });
    expect(await db.delivery.findMany({ orderBy: { id: 'asc' } })).toEqual(before);
    const counted = await metrics.registry.getSingleMetricAsString('posthorn_reconciled_total');
    expect(counted).toContain('posthorn_reconciled_total{queue="deliver"} 3');
  });

  test('does not enqueue rows that are not due, have just become due, or have ended', async () => {
    await insertDelivery(db, endpoint, { dueInSeconds: 60 });
    await insertDelivery(db, endpoint, { status: 'delivered', dueInSeconds: null });
    const { deliveryId } = await insertDelivery(db, endpoint);
    const result = await inTime(WITHIN_GRACE_MS, async () => {
      deliveries = [];
      await db.$executeRaw`update delivery set due_at = now() where id = ${deliveryId}::uuid`;
      return createDispatcher()();
    });
    expect([result.deliveries, deliveries]).toEqual([0, []]);
  });

  test('enqueues events that are still not fanned out, but not those just accepted, and again only when they are due again', async () => {
    const { overdue, counts } = await inTime(WITHIN_GRACE_MS, async () => {
      events = [];
      await db.pendingFanOut.deleteMany();
      const waitsForLong = await newEvent(2);
      await newEvent(0);
      const round = createDispatcher();
      return { overdue: waitsForLong, counts: [(await round()).events, (await round()).events] };
    });
    expect(counts).toEqual([1, 0]);
    expect(events.map(({ eventId }) => eventId)).toEqual([overdue]);
  });

  test('isolates deliveries that lost several leases in a row; other expired leases go to the front of the queue', async () => {
    await insertDelivery(db, endpoint, { status: 'delivering', lostLeases: 0, dueInSeconds: -9 });
    await insertDelivery(db, endpoint, { status: 'delivering', lostLeases: 1, dueInSeconds: -8 });
    await insertDelivery(db, endpoint, { status: 'pending', lostLeases: 2, dueInSeconds: -7 });
    await createDispatcher()();
    expect(deliveries.map(({ mode }) => mode).sort()).toEqual(['expired_lease', 'isolated', 'isolated']);
  });

  test('enqueues a page of at most 5,000, the most overdue first; if there are more, the next round follows soon', async () => {
    await insertMany(5_500, 'a second apart');
    expect(await createDispatcher()()).toEqual({ events: 0, deliveries: 5_000, againInMs: 200 });
    expect(acts).toEqual(['turn of 1000', 'gauges read', 'shortened to 100']);
    expect(deliveries[0]?.deliveryId.endsWith('157c')).toBe(true);
    expect(new Set(idsOf(deliveries)).size).toBe(5_000);
  });
});

describe('the turn', () => {
  test('is taken for half an interval; other dispatchers enqueue nothing, and their next round follows when it is over', async () => {
    await newEvent(2);
    await insertDelivery(db, endpoint, { dueInSeconds: -2 });
    const round = createDispatcher();
    turn = 'taken';
    expect(await round()).toEqual({ events: 0, deliveries: 0, againInMs: 1_000 });
    expect([events, deliveries, acts]).toEqual([[], [], ['turn of 1000']]);
    turn = 'free';
    expect(await round()).toEqual({ events: 1, deliveries: 1, againInMs: INTERVAL_MS });
    expect(acts).toEqual(['turn of 1000', 'turn of 1000', 'gauges read']);
  });

  test('decides which dispatcher shows the stores’ figures: a dispatcher refused three times in a row forgets them', async () => {
    const round = createDispatcher();
    await round();
    turn = 'taken';
    for (let n = 0; n < 2; n += 1) await round();
    expect(acts).not.toContain('gauges forgotten');
    await round();
    expect(acts.at(-1)).toBe('gauges forgotten');
    turn = 'free';
    await round();
    turn = 'taken';
    acts = [];
    for (let n = 0; n < 2; n += 1) await round();
    expect(acts).not.toContain('gauges forgotten');
  });
});

test('without Redis a round fails, and the figures of Postgres are read all the same', async () => {
  turn = 'away';
  await expect(createDispatcher()()).rejects.toThrow('Redis is away');
  expect(acts).toEqual(['turn of 1000', 'gauges read']);
});

describe('behind a flood of 2,500 waiting jobs', () => {
  beforeEach(() => {
    waiting.deliver = 2_500;
  });

  test('a retry of another workspace is enqueued, however many rows have been overdue for longer', async () => {
    await insertMany(3_000, 'a second apart');
    const other = await insertEndpoint(db);
    const retry = { status: 'scheduled_retry', scheduleStep: 1, dueInSeconds: -2 } as const;
    const { deliveryId } = await insertDelivery(db, other, retry);
    expect(await createDispatcher()()).toEqual({ events: 0, deliveries: 501, againInMs: 200 });
    expect(idsOf(deliveries)).toContain(deliveryId);
    expect(acts).toContain('shortened to 100');
  });

  test('a part of the overdue rows is read once a second', async () => {
    await insertMany(600, 'a second apart');
    const round = createDispatcher();
    expect(await round()).toMatchObject({ deliveries: 500 });
    nowMs = 999;
    expect(await round()).toMatchObject({ deliveries: 0, againInMs: 200 });
    nowMs = 1_000;
    expect(await round()).toMatchObject({ deliveries: 100 });
  });

  test.each(['at once', 'a second apart'] as const)(
    'the page moves on until every row was read, then begins again, when 2,000 rows are due %s',
    async (apart) => {
      await insertMany(2_000, apart);
      const round = createDispatcher();
      const pages: string[][] = [];
      for (let n = 0; n < 6; n += 1) {
        deliveries = [];
        nowMs = n * 1_000;
        await round();
        pages.push(idsOf(deliveries));
      }
      expect(pages.map((page) => page.length)).toEqual([500, 500, 500, 500, 0, 500]);
      expect(new Set(pages.slice(0, 4).flat()).size).toBe(2_000);
      expect(pages[5]).toEqual(pages[0]);
    },
  );

  test('the retries of the workspaces are read in turns', async () => {
    await insertMany(500, 'a second apart');
    for (let n = 0; n < 60; n += 1) {
      const retry = { status: 'scheduled_retry', scheduleStep: 1, dueInSeconds: -2 } as const;
      await insertDelivery(db, await insertEndpoint(db), retry);
    }
    const round = createDispatcher();
    const retries: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      deliveries = [];
      nowMs = n * 1_000;
      await round();
      const of = deliveries.filter(({ workspaceId }) => workspaceId !== endpoint.workspaceId);
      retries.push(new Set(idsOf(of)).size);
    }
    // The first round reads 50 workspaces, and the second ten. The second page also holds all 60 rows.
    expect(retries).toEqual([50, 60, 50]);
  });

  test('with one job less, all overdue rows are read', async () => {
    waiting.deliver = 2_499;
    await insertMany(600, 'a second apart');
    expect(await createDispatcher()()).toEqual({ events: 0, deliveries: 600, againInMs: INTERVAL_MS });
  });
});

test('while 50 fan-out jobs wait, five events of each workspace are enqueued in a second, and all overdue deliveries', async () => {
  const flood: string[] = [];
  for (let n = 0; n < 12; n += 1) flood.push(await newEvent(2));
  const lost = await newEvent(2, await insertEndpoint(db));
  await insertDelivery(db, endpoint, { dueInSeconds: -2 });
  waiting.fanOut = 50;
  const round = createDispatcher();
  // The next round comes within the second, because the next page is read then.
  expect(await round()).toEqual({ events: 6, deliveries: 1, againInMs: 200 });
  expect(events.map(({ eventId }) => eventId)).toEqual([...flood.slice(0, 5), lost]);
  nowMs = 999;
  expect(await round()).toMatchObject({ events: 0, deliveries: 1 });
  nowMs = 1_000;
  expect(await round()).toMatchObject({ events: 5 });
  waiting.fanOut = 49;
  expect(await round()).toMatchObject({ events: 2 });
});

test('a row that comes to lie before all others is found within ten seconds, every other row in the next round', async () => {
  const round = createDispatcher();
  await round();
  const [early, recent] = [
    await insertDelivery(db, endpoint, { dueInSeconds: -120 }),
    await insertDelivery(db, endpoint, { dueInSeconds: -30 }),
  ];
  const [earlyEvent, recentEvent] = [
    await newEvent(2, endpoint, new Date(Date.now() - 120_000)),
    await newEvent(2, endpoint, new Date(Date.now() - 30_000)),
  ];
  nowMs = LOOK_EVERY_MS - 1;
  await round();
  expect([idsOf(deliveries), events.map(({ eventId }) => eventId)]).toEqual([[recent.deliveryId], [recentEvent]]);
  nowMs = LOOK_EVERY_MS;
  [events, deliveries] = [[], []];
  await round();
  expect(idsOf(deliveries)).toEqual([early.deliveryId, recent.deliveryId]);
  expect(events.map(({ eventId }) => eventId)).toEqual([earlyEvent]);
});
