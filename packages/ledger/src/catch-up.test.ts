import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { withConnection } from '@posthorn/db/connection';
import { Prisma } from '@posthorn/db/generated/client';
import { ensurePartitions } from '@posthorn/db/partitions';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { endCatchUp, findGap, pacesOf, readGap } from './catch-up.ts';
import { createAndClaim } from './create.ts';
import { deferDeliveries } from './defer.ts';
import { deliveryIdFor } from './delivery-id.ts';
import { BEFORE_ALL, enterKept, type KeptPlace } from './enter-kept.ts';
import { OFFER_SECONDS } from './lease.ts';
import { firstOfLines, takeLineTurns } from './line.ts';
import { takeDueEvents } from './scheduled-events.ts';
import { unmoved } from './waiting.ts';

const database = await createTestDatabase();
const { db } = database;
const DAY_MS = 86_400_000;
afterAll(() => database.drop());

let endpoint: EndpointRow;
beforeEach(async () => {
  await db.$executeRaw`truncate catch_up, catch_up_endpoint, delivery, attempt, pending_fan_out, scheduled_event, endpoint_line, stat, event`;
  endpoint = await insertEndpoint(db);
});

/** An attempt that was stored this many seconds ago. */
async function attemptedBefore(seconds: number) {
  const { deliveryId } = await insertDelivery(db, endpoint, { status: 'delivered', dueInSeconds: null });
  await db.$executeRaw`
    insert into attempt (delivery_id, id, number, trigger, succeeded, started_at, duration_ms, url, request_headers, settled_at)
    values (${deliveryId}::uuid, gen_random_uuid(), 1, 'schedule', true, now(), 1, 'https://receiver.test/', '{}',
      now() - make_interval(secs => ${seconds}::int))`;
}

const due = (secondsAgo: number, given: object = {}) =>
  insertDelivery(db, endpoint, { dueInSeconds: -secondsAgo, ...given });
const secondsBetween = (from: Date | undefined, to: Date | undefined) =>
  Math.round(((to?.getTime() ?? 0) - (from?.getTime() ?? 0)) / 1_000);

test('an outage began with the last attempt, or with the offer of the first delivery that was due in it', async () => {
  await attemptedBefore(100);
  await due(70);
  const first = await findGap(db);
  expect(secondsBetween(first?.since, first?.until)).toBe(70 + OFFER_SECONDS);
  await endCatchUp(db);
  await due(300);
  const second = await findGap(db);
  expect(secondsBetween(second?.since, second?.until)).toBe(100);
});

test.each<[string, () => Promise<unknown>]>([
  [
    'an event that waits for its fan-out',
    () => db.$executeRaw`
    insert into pending_fan_out (event_id, enqueued_at) values (gen_random_uuid(), now() - interval '60 seconds')`,
  ],
  ['a lease that ended', () => due(60, { status: 'delivering' })],
])('%s counts as due', async (_name, given) => {
  await given();
  await db.$executeRaw`update delivery set leased_until = due_at`;
  const gap = await findGap(db);
  expect(secondsBetween(gap?.since, gap?.until)).toBe(60 + OFFER_SECONDS);
});

test.each<[string, () => Promise<unknown>]>([
  ['nothing was due', () => attemptedBefore(3_600)],
  ['deliveries were due for less than 30 s', () => due(20)],
  [
    'old deliveries are due, and another was attempted meanwhile: they fail, or are slow',
    async () => {
      await attemptedBefore(10);
      await due(600);
    },
  ],
  [
    'deliveries wait in a line: for a limit, or an open breaker',
    async () => {
      const { deliveryId } = await due(600);
      await deferDeliveries(db, [{ deliveryId, delaySeconds: 0, entersLine: true }]);
    },
  ],
  [
    'a delivery is under way',
    async () => {
      const { deliveryId } = await due(600, { status: 'delivering' });
      await db.$executeRaw`update delivery set leased_until = now() + interval '5 seconds' where id = ${deliveryId}::uuid`;
    },
  ],
])('there was no outage when %s', async (_name, given) => {
  await given();
  expect(await findGap(db)).toBeUndefined();
});

test('dispatchers that look together find one outage, and a second outage moves its end', async () => {
  await due(60);
  const found = await Promise.all(Array.from({ length: 5 }, () => findGap(db)));
  expect(new Set(found.map((gap) => gap?.since.toISOString())).size).toBe(1);
  expect(await db.$queryRaw`select count(*)::int as open from catch_up`).toEqual([{ open: 1 }]);
  await db.$executeRaw`update catch_up set until = until - interval '40 seconds', since = since - interval '40 seconds'`;
  const [before] = await db.$queryRaw<{ since: Date; until: Date }[]>`select since, until from catch_up`;
  const later = await findGap(db);
  expect(later?.since).toEqual(before?.since);
  expect(secondsBetween(before?.until, later?.until)).toBe(40);
});

const isKept = (dueAt: Date | null | undefined) => (dueAt?.getUTCFullYear() ?? 0) >= 7_400;

test('only what was due or accepted before the end of the outage has a place among what it has kept', async () => {
  await due(60);
  await findGap(db);
  const accepted = (msAgo: number) => lowestKeyAt(new Date(Date.now() - msAgo)).replace(/0$/, '7');
  const inOutage = await due(0, { key: accepted(30_000) });
  const dueInOutage = await due(50, { key: accepted(600_000) });
  // Offered before anything was due, and released now.
  const offered = await due(0, { key: accepted(62_000) });
  const ofOrder = await due(50, { key: accepted(30_001), orderingKey: 'a', orderingNumber: 1n });
  // By this process's clock, which may be ahead of Postgres' clock.
  const fresh = await due(0, { key: accepted(-60_000) });
  const onTime = await due(0, { key: accepted(700_000) });
  const all = [inOutage, dueInOutage, offered, ofOrder, fresh, onTime];
  await deferDeliveries(
    db,
    all.map(({ deliveryId }) => ({ deliveryId, delaySeconds: 0, entersLine: true })),
  );
  const places = await db.delivery.findMany({ where: { id: { in: all.map(({ deliveryId }) => deliveryId) } } });
  const dueAtOf = ({ deliveryId }: { deliveryId: string }) => places.find(({ id }) => id === deliveryId)?.dueAt;
  expect(all.map((one) => isKept(dueAtOf(one)))).toEqual([true, true, true, false, false, false]);
  for (const { dueAt } of places)
    expect(Math.abs(Date.now() - unmoved(dueAt ?? new Date(0)).getTime())).toBeLessThan(60_000);
});

test('what an outage has kept enters the lines in pages, in its order; what was due later, waits for its order, or is not paced stays', async () => {
  const hasty = await insertEndpoint(db);
  await db.$executeRaw`update endpoint set config = '{"catchUp":"at-once"}' where id = ${hasty.endpointId}::uuid`;
  const kept = [await due(60), await due(50), await due(40)];
  const others = [
    await due(45, { orderingKey: 'a', orderingNumber: 1n }),
    await due(45, { status: 'delivering' }),
    await insertDelivery(db, hasty, { dueInSeconds: -45 }),
  ];
  await findGap(db);
  others.push(await due(-30));
  let pages = 0;
  for (let after: KeptPlace | undefined = BEFORE_ALL; after !== undefined; pages += 1)
    after = await enterKept(db, after);
  expect(pages).toBe(1);
  const first = await firstOfLines(db, [{ endpointId: endpoint.endpointId, most: 10, after: '-infinity' }]);
  expect(first.map(({ deliveryId }) => deliveryId)).toEqual(kept.map(({ deliveryId }) => deliveryId));
  const rows = await db.delivery.findMany({ where: { id: { in: others.map(({ deliveryId }) => deliveryId) } } });
  expect(rows.map(({ dueAt }) => isKept(dueAt))).toEqual([false, false, false, false]);
  const [turn] = await takeLineTurns(db, { aheadSeconds: 0, hurried: [] });
  expect(turn).toMatchObject({ endpointId: endpoint.endpointId });
});

test('without an outage, nothing enters the lines', async () => {
  await due(60);
  expect(await enterKept(db, BEFORE_ALL)).toBeUndefined();
  expect(await db.delivery.count({ where: { dueAt: { gt: new Date('3000-01-01') } } })).toBe(0);
});

test('a delivery that is created in a line has its place by the time at which its event began to wait', async () => {
  await due(60);
  await findGap(db);
  const { environmentId, endpointId, workspaceId } = endpoint;
  const { routingRevision } = await db.environment.findUniqueOrThrow({ where: { id: environmentId } });
  const create = async (waits: Prisma.Sql) => {
    const eventId = lowestKeyAt(new Date(Date.now() + Math.floor(Math.random() * 1e6))).replace(/0$/, '7');
    await db.event.create({ data: { id: eventId, workspaceId, environmentId, payloadSize: 1, published: true } });
    await db.$executeRaw`insert into pending_fan_out (event_id, enqueued_at) values (${eventId}::uuid, ${waits})`;
    const ids = { deliveryId: deliveryIdFor(eventId, endpointId), eventId, endpointId, workspaceId, environmentId };
    await createAndClaim(db, {
      deliveries: [{ ...ids, eventType: 'order.created', isClaimed: false, entersLine: true }],
      events: [ids],
      routingRevisions: new Map([[environmentId, routingRevision]]),
      defaultTimeoutSeconds: 15,
    });
    const { dueAt } = await db.delivery.findUniqueOrThrow({ where: { id: ids.deliveryId } });
    return isKept(dueAt);
  };
  expect(await create(Prisma.sql`now() - interval '10 seconds'`)).toBe(true);
  expect(await create(Prisma.sql`now()`)).toBe(false);
});

test('a scheduled event that fell due in the outage keeps it open, and its delivery has a place among what it has kept', async () => {
  const { environmentId, endpointId, workspaceId } = endpoint;
  const { routingRevision } = await db.environment.findUniqueOrThrow({ where: { id: environmentId } });
  // An event that was accepted long before the outage.
  const eventId = lowestKeyAt(new Date(Date.now() - 3_600_000)).replace(/0$/, '7');
  await db.event.create({ data: { id: eventId, workspaceId, environmentId, payloadSize: 1, published: true } });
  const deliverAt = new Date(Date.now() - 60_000);
  await db.scheduledEvent.create({ data: { eventId, environmentId, deliverAt } });
  await findGap(db);
  expect(await readGap(db)).toBeDefined();
  expect((await takeDueEvents(db, { limit: 10 })).events).toMatchObject([{ eventId }]);
  expect(await readGap(db)).toBeDefined();
  const ids = { deliveryId: deliveryIdFor(eventId, endpointId), eventId, endpointId, workspaceId, environmentId };
  await createAndClaim(db, {
    deliveries: [{ ...ids, eventType: 'order.created', isClaimed: false }],
    events: [ids],
    routingRevisions: new Map([[environmentId, routingRevision]]),
    defaultTimeoutSeconds: 15,
  });
  expect(await readGap(db)).toBeDefined();
  await deferDeliveries(db, [{ deliveryId: ids.deliveryId, delaySeconds: 0, entersLine: true }]);
  const { dueAt } = await db.delivery.findUniqueOrThrow({ where: { id: ids.deliveryId } });
  expect(isKept(dueAt)).toBe(true);
});

test('new deliveries get four of five turns, each side what the other leaves, and recoveries the rest', async () => {
  await due(60);
  await findGap(db);
  const enter = async (given: object, count: number) => {
    for (let n = 0; n < count; n += 1) {
      const { deliveryId } = await insertDelivery(db, endpoint, given);
      await deferDeliveries(db, [{ deliveryId, delaySeconds: 0, entersLine: true }]);
    }
  };
  await enter({ dueInSeconds: -40 }, 20);
  const first = async (most: number) => {
    const rows = await firstOfLines(db, [{ endpointId: endpoint.endpointId, most, after: '-infinity' }]);
    return rows.map(({ place }) => (place >= '7400' ? 'kept' : 'new'));
  };
  expect(await first(5)).toEqual(Array(5).fill('kept'));
  await enter({}, 20);
  const counted = (await first(10)).filter((one) => one === 'new').length;
  expect([7, 8, 9]).toContain(counted);
  let ofOne = 0;
  for (let n = 0; n < 200; n += 1) ofOne += (await first(1))[0] === 'new' ? 1 : 0;
  // On average four of five. The bounds are exceeded by chance once in a million runs.
  expect(ofOne).toBeGreaterThan(130);
  expect(ofOne).toBeLessThan(190);
});

test('an outage stays open until nothing waits that it has kept', async () => {
  const { deliveryId } = await due(60);
  expect(await readGap(db)).toBeUndefined();
  const gap = await findGap(db);
  expect(await readGap(db)).toEqual(gap);
  await deferDeliveries(db, [{ deliveryId, delaySeconds: 0, entersLine: true }]);
  expect(await readGap(db)).toEqual(gap);
  await db.$executeRaw`update delivery set due_at = null, status = 'delivered'`;
  expect(await readGap(db)).toBeUndefined();
});

test.each<[string, () => Promise<unknown>]>([
  [
    'for an open breaker',
    () => db.$executeRaw`
    insert into endpoint_health (endpoint_id, consecutive_failures, open_until)
        values (${endpoint.endpointId}::uuid, 10, now() + interval '1 minute')`,
  ],
  [
    'for a lower limit of its own',
    async () => {
      await pacesOf(db, [endpoint.endpointId], 2);
      await db.endpoint.update({
        where: { id: endpoint.endpointId },
        data: { config: { rateLimit: { limit: 60, periodSeconds: 60 } } },
      });
    },
  ],
])('a line that waits %s does not keep an outage open', async (_name, given) => {
  const { deliveryId } = await due(60);
  await findGap(db);
  await deferDeliveries(db, [{ deliveryId, delaySeconds: 0, entersLine: true }]);
  await given();
  expect(await readGap(db)).toBeUndefined();
});

test('what cannot be fanned out keeps an outage open for ten minutes at most', async () => {
  await db.$executeRaw`insert into pending_fan_out (event_id, enqueued_at) values (gen_random_uuid(), now() - interval '60 seconds')`;
  await findGap(db);
  expect(await readGap(db)).toBeDefined();
  await db.$executeRaw`update catch_up set since = since - interval '11 minutes', until = until - interval '11 minutes'`;
  await db.$executeRaw`update pending_fan_out set enqueued_at = enqueued_at - interval '11 minutes'`;
  expect(await readGap(db)).toBeUndefined();
});

test('a pace is twice the usual rate, at least 5 a second; usual counts minutes with attempts of the day before, and no outage', async () => {
  const count = (minutesAgo: number, attempts: number, eventType = 'a') => db.$executeRaw`
    insert into stat (subject_id, is_hour, at, event_type, environment_id, attempts)
    values (${endpoint.endpointId}::uuid, false, date_trunc('minute', now()) - make_interval(mins => ${minutesAgo}::int),
      ${eventType}, ${endpoint.environmentId}::uuid, ${attempts}::int)`;
  // In the first hour of a day, 25 hours ago is before the first partition.
  await withConnection(database.databaseUrl, (connection) =>
    ensurePartitions(connection, new Date(Date.now() - 2 * DAY_MS)),
  );
  for (let minute = 10; minute < 110; minute += 1) await count(minute, 300);
  await count(10, 300, 'b');
  await count(20, 900, 'b');
  await count(25 * 60, 90_000);
  await count(500, 90_000);
  const other = await insertEndpoint(db);
  await due(60);
  // In the ten hours before, an earlier outage was caught up with.
  await db.$executeRaw`insert into catch_up (since, until, ended_at)
    values (now() - interval '520 minutes', now() - interval '510 minutes', now() - interval '490 minutes')`;
  expect(await pacesOf(db, [endpoint.endpointId], 2)).toEqual(new Map());
  await findGap(db);
  const ids = [endpoint.endpointId, other.endpointId];
  const paces = new Map([
    [endpoint.endpointId, 20],
    [other.endpointId, 5],
  ]);
  expect(await pacesOf(db, ids, 2)).toEqual(paces);
  // The paces are computed only once in an outage.
  await db.$executeRaw`delete from stat`;
  expect(await pacesOf(db, ids, 7)).toEqual(paces);
  await endCatchUp(db);
  await findGap(db);
  expect((await pacesOf(db, ids, 7)).get(endpoint.endpointId)).toBe(5);
});

test('an operator ends an outage, once', async () => {
  expect(await endCatchUp(db)).toBe(false);
  await due(60);
  await findGap(db);
  expect([await endCatchUp(db), await endCatchUp(db), await readGap(db)]).toEqual([true, false, undefined]);
});
