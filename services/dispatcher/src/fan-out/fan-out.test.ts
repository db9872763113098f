import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { createDb, type Db } from '@posthorn/db/client';
import { lowestKeyAt, withConnection } from '@posthorn/db/partitions';
import type { DeliverRequest, FanOutRequest } from '@posthorn/queue/jobs';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createMetrics } from '../metrics.ts';
import { createFanOut, type FanOutDeps } from './fan-out.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());

let enqueued: DeliverRequest[];
let left: FanOutRequest[];
let warnings: string[];
let nowMs: number;
let first: EndpointRow;
let typeId: string;
beforeEach(async () => {
  [enqueued, left, warnings, nowMs] = [[], [], [], 0];
  first = await insertEndpoint(db);
  typeId = await newType('order.created');
  await subscribe(first.endpointId);
});

const fanOutWith = (given: Partial<FanOutDeps> = {}) =>
  createFanOut({
    db,
    metrics: createMetrics(),
    enqueue: async (deliveries) => void enqueued.push(...deliveries),
    enqueueFanOut: async (events) => void left.push(...events),
    clock: { monotonicMs: () => nowMs },
    logger: { warn: (message) => warnings.push(message) },
    ...given,
  });
const fanOut = (eventIds: string[]) => fanOutWith()({ eventIds });

async function newType(name: string): Promise<string> {
  const id = randomUUID();
  await db.eventType.create({ data: { id, workspaceId: first.workspaceId, name } });
  await db.publishedEventType.create({ data: { environmentId: first.environmentId, eventTypeId: id } });
  return id;
}

const subscribe = (endpointId: string, eventTypeId = typeId) =>
  db.subscription.create({ data: { id: randomUUID(), endpointId, eventTypeId } });

async function another(given: object = {}): Promise<string> {
  const { workspaceId, environmentId } = first;
  const id = randomUUID();
  await db.endpoint.create({ data: { id, workspaceId, environmentId, url: 'https://receiver.test/', ...given } });
  return id;
}

async function newEvent({
  id = newUuid(),
  ...given
}: {
  id?: string;
  [column: string]: unknown;
} = {}): Promise<string> {
  const { workspaceId, environmentId } = first;
  const event = { workspaceId, environmentId, eventType: 'order.created', payloadSize: 0, published: true };
  await db.event.create({ data: { ...event, id, ...given } });
  await db.pendingFanOut.create({ data: { eventId: id } });
  return id;
}

const deliveriesOf = (eventId: string) => db.delivery.findMany({ where: { eventId } });
const endpointsOf = async (eventId: string) => (await deliveriesOf(eventId)).map((row) => row.endpointId).sort();
const isWaiting = async (eventId: string) => (await db.pendingFanOut.count({ where: { eventId } })) === 1;

describe('fan-out', () => {
  test('makes a pending delivery, due now, for every endpoint that matches, and enqueues each', async () => {
    const second = await another();
    await subscribe(second);
    const eventId = await newEvent();
    await fanOut([eventId]);
    const made = await deliveriesOf(eventId);
    expect(await endpointsOf(eventId)).toEqual([first.endpointId, second].sort());
    for (const row of made) {
      const { workspaceId, environmentId } = first;
      expect(row).toMatchObject({ status: 'pending', workspaceId, environmentId, eventType: 'order.created' });
      expect(row.dueAt?.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
    }
    expect(enqueued.map(({ deliveryId }) => deliveryId).sort()).toEqual(made.map((row) => row.id).sort());
    for (const request of enqueued) {
      expect(request).toMatchObject({ eventId, workspaceId: first.workspaceId, generation: 0, delayMs: 0 });
    }
    expect(enqueued.map(({ endpointId }) => endpointId).sort()).toEqual([first.endpointId, second].sort());
    expect(await isWaiting(eventId)).toBe(false);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['an inactive endpoint', async () => subscribe(await another({ isActive: false }))],
    ['a deleted endpoint', async () => subscribe(await another({ deletedAt: new Date() }))],
    ['an endpoint of another type', async () => subscribe(await another(), await newType('order.deleted'))],
    ['an endpoint without a subscription', () => another()],
    [
      'an endpoint of another environment',
      async () => {
        const { workspaceId } = first;
        const environmentId = randomUUID();
        await db.environment.create({ data: { id: environmentId, workspaceId, name: 'Staging', slug: 'staging' } });
        await db.publishedEventType.create({ data: { environmentId, eventTypeId: typeId } });
        await subscribe(await another({ environmentId }));
      },
    ],
  ])('passes over %s', async (_case, arrange) => {
    await arrange();
    const eventId = await newEvent();
    await fanOut([eventId]);
    expect(await endpointsOf(eventId)).toEqual([first.endpointId]);
  });

  test('of an event for one application reaches that application’s endpoints only', async () => {
    const { workspaceId } = first;
    const [ours, theirs] = [randomUUID(), randomUUID()];
    for (const id of [ours, theirs]) await db.application.create({ data: { id, workspaceId, name: 'Customer' } });
    const own = await another({ applicationId: ours });
    for (const id of [own, await another({ applicationId: theirs })]) await subscribe(id);
    const [forOne, forAll] = [await newEvent({ applicationId: ours }), await newEvent()];
    await fanOut([forOne, forAll]);
    expect(await endpointsOf(forOne)).toEqual([own]);
    expect(await endpointsOf(forAll)).toHaveLength(3);
  });

  test('of an event whose type is no longer published makes nothing, and is done', async () => {
    await db.publishedEventType.deleteMany({ where: { eventTypeId: typeId } });
    const eventId = await newEvent();
    await fanOut([eventId]);
    expect([await endpointsOf(eventId), await isWaiting(eventId), enqueued]).toEqual([[], false, []]);
  });

  test('of an event that retention has taken makes nothing, and is done', async () => {
    const eventId = newUuid();
    await db.pendingFanOut.create({ data: { eventId } });
    await fanOut([eventId]);
    expect([await endpointsOf(eventId), await isWaiting(eventId)]).toEqual([[], false]);
  });

  test('that is run again, or by ten dispatchers at once, inserts and enqueues nothing twice', async () => {
    for (let n = 0; n < 5; n += 1) await subscribe(await another());
    const eventIds = await Promise.all(Array.from({ length: 20 }, () => newEvent()));
    await Promise.all(Array.from({ length: 10 }, (_, n) => fanOut(n % 2 ? eventIds : [...eventIds].reverse())));
    await fanOut(eventIds);
    expect(await db.delivery.count({ where: { workspaceId: first.workspaceId } })).toBe(120);
    expect(new Set(enqueued.map(({ deliveryId }) => deliveryId)).size).toBe(120);
    expect(enqueued).toHaveLength(120);
  });

  test('makes no delivery again that has ended meanwhile, where the event still waits', async () => {
    const eventId = await newEvent();
    await fanOut([eventId]);
    await db.delivery.updateMany({ where: { eventId }, data: { status: 'delivered', dueAt: null } });
    await db.pendingFanOut.create({ data: { eventId } });
    enqueued = [];
    await fanOut([eventId]);
    expect(await deliveriesOf(eventId)).toMatchObject([{ status: 'delivered' }]);
    expect([enqueued, await isWaiting(eventId)]).toEqual([[], false]);
  });
});

/** Endpoints that are subscribed to the type, beside the first one; only inserting is quick enough. */
async function subscribeMany(count: number, applicationId: string | null = null): Promise<void> {
  const { workspaceId, environmentId } = first;
  await db.$executeRaw`
    with made as (
      insert into endpoint (id, workspace_id, environment_id, application_id, url, updated_at)
      select gen_random_uuid(), ${workspaceId}::uuid, ${environmentId}::uuid, ${applicationId}::uuid,
        'https://receiver.test/', now() from generate_series(1, ${count}::int)
      returning id
    )
    insert into subscription (id, endpoint_id, event_type_id) select gen_random_uuid(), id, ${typeId}::uuid from made`;
}

const countOf = (eventId: string) => db.delivery.count({ where: { eventId } });

describe('an event to more endpoints than are read at once', () => {
  test('is made in pages; its waiting ends only with the last one', async () => {
    await subscribeMany(2_499);
    const eventId = await newEvent();
    const pages: { size: number; waits: boolean; made: number }[] = [];
    const enqueue = async (deliveries: DeliverRequest[]) => {
      enqueued.push(...deliveries);
      pages.push({ size: deliveries.length, waits: await isWaiting(eventId), made: await countOf(eventId) });
    };
    await fanOutWith({ enqueue })({ eventIds: [eventId] });
    await waitFor(() => pages.length === 2, { what: 'both pages to be enqueued' });
    expect(pages.map(({ size }) => size)).toEqual([2_000, 500]);
    expect(pages.at(-1)).toEqual({ size: 500, waits: false, made: 2_500 });
    expect(new Set(enqueued.map(({ deliveryId }) => deliveryId)).size).toBe(2_500);
  });

  test('goes on where its dispatcher died after the first page, and makes nothing twice', async () => {
    await subscribeMany(2_499);
    const eventId = await newEvent();
    const unavailable = Object.assign(new Error('the dispatcher died'), { code: 'P1001' });
    let statements = 0;
    const dying = new Proxy(db, {
      get(target, key) {
        if (key !== '$queryRaw') return Reflect.get(target, key);
        return (...given: Parameters<Db['$queryRaw']>) => {
          statements += 1;
          // The waiting events, the first page, its deliveries; then no more.
          return statements > 3 ? Promise.reject(unavailable) : target.$queryRaw(...given);
        };
      },
    });
    await expect(fanOutWith({ db: dying })({ eventIds: [eventId] })).rejects.toThrow('the dispatcher died');
    expect([await countOf(eventId), await isWaiting(eventId)]).toEqual([2_000, true]);
    await fanOut([eventId]);
    expect([await countOf(eventId), await isWaiting(eventId), enqueued.length]).toEqual([2_500, false, 2_500]);
  });

  test('of a page that is exactly full is done all the same', async () => {
    await subscribeMany(1_999);
    const eventId = await newEvent();
    await fanOut([eventId]);
    expect([await countOf(eventId), await isWaiting(eventId)]).toEqual([2_000, false]);
  });

  test('lets the events to few endpoints go first', async () => {
    await subscribeMany(299);
    const narrowType = await newType('order.deleted');
    await subscribe(first.endpointId, narrowType);
    const [wide, narrow] = [await newEvent(), await newEvent({ eventType: 'order.deleted' })];
    await fanOut([wide, narrow]);
    expect([enqueued.length, enqueued[0]?.eventId, enqueued[1]?.eventId]).toEqual([301, narrow, wide]);
  });

  test('goes back to the queue where the turn’s time is over, but for one; it is left to that job for ten seconds', async () => {
    await subscribeMany(299);
    const eventIds = await Promise.all([1, 2, 3].map(() => newEvent()));
    const enqueue = async (deliveries: DeliverRequest[]) => {
      enqueued.push(...deliveries);
      nowMs += 1_001;
    };
    const inTurn = fanOutWith({ enqueue });
    await inTurn({ eventIds });
    const done = [...new Set(enqueued.map(({ eventId }) => eventId))];
    expect(done).toHaveLength(1);
    const others = eventIds.filter((eventId) => !done.includes(eventId));
    expect(left.map(({ eventId }) => eventId).sort()).toEqual(others.sort());
    expect(left[0]).toMatchObject({ eventType: 'order.created', workspaceId: first.workspaceId });
    const waits = await db.$queryRaw<{ seconds: number }[]>`
      select extract(epoch from due_at - now())::float8 as seconds from pending_fan_out
      where event_id = any(${others}::uuid[])`;
    expect(waits).toHaveLength(2);
    for (const { seconds } of waits) expect(seconds).toBeGreaterThan(0);
    for (const { seconds } of waits) expect(seconds).toBeLessThanOrEqual(10);
    await inTurn({ eventIds: others });
    await inTurn({ eventIds: others });
    expect(await db.delivery.count({ where: { eventId: { in: eventIds } } })).toBe(900);
    expect(await db.pendingFanOut.count({ where: { eventId: { in: eventIds } } })).toBe(0);
  });
});

test('an event for one application reads that application’s endpoints only, however many others are subscribed', async () => {
  const { workspaceId } = first;
  const applicationId = randomUUID();
  await db.application.create({ data: { id: applicationId, workspaceId, name: 'Customer' } });
  await subscribeMany(3, applicationId);
  await subscribeMany(20_000);
  await db.$executeRaw`analyze endpoint, subscription`;
  const eventId = await newEvent({ applicationId });
  const one = createDb({ databaseUrl: database.databaseUrl, maxConnections: 1, onIdleError: () => {} });
  const rowsRead = async () => {
    await one.$queryRaw`select pg_stat_force_next_flush()::text`;
    const [row] = await one.$queryRaw<{ read: number }[]>`
      select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_user_tables
      where relname in ('endpoint', 'subscription')`;
    return row?.read ?? 0;
  };
  const before = await rowsRead();
  await fanOutWith({ db: one })({ eventIds: [eventId] });
  expect(await countOf(eventId)).toBe(3);
  expect((await rowsRead()) - before).toBeLessThan(100);
  await one.$disconnect();
});

describe('an event that cannot be inserted', () => {
  /** Its day has no partition for deliveries, as where a dispatcher's clock is wrong or a day was dropped early. */
  async function newEventOfMissingDay(): Promise<string> {
    const daysAgo = new Date(Date.now() - 60 * 86_400_000);
    const id = lowestKeyAt(daysAgo).replace(/0{12}$/, randomUUID().slice(-12));
    const day = lowestKeyAt(new Date(daysAgo.getTime() - (daysAgo.getTime() % 86_400_000)));
    const nextDay = lowestKeyAt(new Date(daysAgo.getTime() - (daysAgo.getTime() % 86_400_000) + 86_400_000));
    await withConnection(database.databaseUrl, (connection) =>
      connection.query(
        `create table if not exists event_old partition of event for values from ('${day}') to ('${nextDay}')`,
      ),
    );
    return newEvent({ id });
  }

  test('goes on waiting, and its neighbours in the job are made', async () => {
    const [before, after] = [await newEvent(), await newEvent()];
    const bad = await newEventOfMissingDay();
    await fanOut([before, bad, after]);
    expect([await endpointsOf(before), await endpointsOf(after)]).toEqual([[first.endpointId], [first.endpointId]]);
    expect(await Promise.all([before, bad, after].map(isWaiting))).toEqual([false, true, false]);
    expect(enqueued.map(({ eventId }) => eventId).sort()).toEqual([before, after].sort());
    expect(warnings).toEqual(['an event could not be fanned out']);
  });

  test('of many endpoints takes no other event of its turn along', async () => {
    await subscribeMany(2_499);
    const good = await newEvent();
    const bad = await newEventOfMissingDay();
    await fanOut([bad, good]);
    expect([await countOf(good), await countOf(bad)]).toEqual([2_500, 0]);
    expect([await isWaiting(good), await isWaiting(bad)]).toEqual([false, true]);
  });
});

test('isolated jobs run one at a time; jobs that find the line full are left to the reconciler', async () => {
  const eventIds = await Promise.all(Array.from({ length: 7 }, () => newEvent()));
  let [open, most] = [0, 0];
  const enqueue = async () => {
    open += 1;
    most = Math.max(most, open);
    await new Promise((resolve) => setImmediate(resolve));
    open -= 1;
  };
  const run = fanOutWith({ enqueue });
  await Promise.all(eventIds.map((eventId) => run({ eventIds: [eventId], mode: 'isolated' })));
  const done = await Promise.all(eventIds.map(async (eventId) => !(await isWaiting(eventId))));
  expect(done).toEqual([true, true, true, true, true, false, false]);
  expect(most).toBe(1);
});
