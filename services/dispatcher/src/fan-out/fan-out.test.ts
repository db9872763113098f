import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { parseSealingKeys } from '@posthorn/crypto/seal';
import { createDb } from '@posthorn/db/client';
import { withConnection } from '@posthorn/db/connection';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import type { DeliverRequest, FanOutJob, FanOutRequest } from '@posthorn/queue/jobs';
import { createRoutes } from '@posthorn/routing/routes';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import { fanOutDeps } from '../../test/fan-out-deps.ts';
import { createFanOut } from './fan-out.ts';
import type { FanOutDeps } from './write-deliveries.ts';

const keys = parseSealingKeys(`test:${randomBytes(32).toString('base64')}`);

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let enqueued: DeliverRequest[];
let created: string[];
let left: FanOutRequest[];
let warnings: string[];
let nowMs: number;
let first: EndpointRow;
let typeId: string;
beforeEach(async () => {
  [enqueued, created, left, warnings, nowMs] = [[], [], [], [], 0];
  first = await insertEndpoint(db);
  typeId = await newType('order.created');
  await subscribe(first.endpointId);
});

const { immediate: enoughRoom } = fanOutDeps(db, keys);

const fanOutWith = (given: Partial<FanOutDeps> = {}) =>
  createFanOut({
    ...fanOutDeps(db, keys),
    enqueue: async (deliveries) => void enqueued.push(...deliveries),
    enqueueFanOut: async (events) => void left.push(...events),
    clock: { ...systemClock, monotonicMs: () => nowMs },
    logger: { warn: (message) => warnings.push(message) },
    onCreated: (deliveries) => created.push(...deliveries.map(({ deliveryId }) => deliveryId)),
    ...given,
  });
const fanOut = async (eventIds: string[]) => fanOutWith()(await jobOf(eventIds));

/** The job for these events, in this order. */
async function jobOf(eventIds: string[]): Promise<FanOutJob> {
  const rows = await db.event.findMany({ where: { id: { in: eventIds } } });
  const groups = eventIds.map((eventId) => {
    const row = rows.find(({ id }) => id === eventId);
    const { workspaceId, environmentId } = row ?? first;
    const [eventType, applicationId] = [row?.eventType ?? '', row?.applicationId ?? null];
    return { workspaceId, environmentId, eventType, applicationId, eventIds: [eventId] };
  });
  return { groups };
}

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
  id = newUuid(new Date()),
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

  test('of an event for one application reaches only that application’s endpoints', async () => {
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

  test('of an event whose type is no longer published makes no delivery, and ends its waiting', async () => {
    await db.publishedEventType.deleteMany({ where: { eventTypeId: typeId } });
    const eventId = await newEvent();
    await fanOut([eventId]);
    expect([await endpointsOf(eventId), await isWaiting(eventId), enqueued]).toEqual([[], false, []]);
  });

  test('that is repeated, or run by ten dispatchers at once, inserts and enqueues nothing twice', async () => {
    for (let n = 0; n < 5; n += 1) await subscribe(await another());
    const eventIds = await Promise.all(Array.from({ length: 20 }, () => newEvent()));
    await Promise.all(Array.from({ length: 10 }, (_, n) => fanOut(n % 2 ? eventIds : [...eventIds].reverse())));
    await fanOut(eventIds);
    expect(await db.delivery.count({ where: { workspaceId: first.workspaceId } })).toBe(120);
    expect(new Set(enqueued.map(({ deliveryId }) => deliveryId)).size).toBe(120);
    expect(enqueued).toHaveLength(120);
  });

  test('does not repeat a delivery that has already ended, even if the event still waits', async () => {
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

/** Subscribes more endpoints to the type. Inserts them directly, because the API would take too long. */
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
  test('is fanned out in pages; its waiting ends only with the last page', async () => {
    await subscribeMany(2_499);
    const eventId = await newEvent();
    const pages: { size: number; waits: boolean; made: number }[] = [];
    const enqueue = async (deliveries: DeliverRequest[]) => {
      enqueued.push(...deliveries);
      pages.push({ size: deliveries.length, waits: await isWaiting(eventId), made: await countOf(eventId) });
    };
    await fanOutWith({ enqueue })(await jobOf([eventId]));
    await waitFor(() => pages.length === 2, { what: 'both pages to be enqueued' });
    expect(pages.map(({ size }) => size)).toEqual([2_000, 500]);
    expect(pages.at(-1)).toEqual({ size: 500, waits: false, made: 2_500 });
    expect(new Set(enqueued.map(({ deliveryId }) => deliveryId)).size).toBe(2_500);
  });

  test('is continued after its dispatcher died after the first page, and makes nothing twice', async () => {
    await subscribeMany(2_499);
    const eventId = await newEvent();
    const unavailable = Object.assign(new Error('the dispatcher died'), { code: 'P1001' });
    const job = await jobOf([eventId]);
    let statements = 0;
    const dying = new Proxy(db, {
      get(target, key) {
        if (key !== '$queryRaw' && key !== '$queryRawUnsafe') return Reflect.get(target, key);
        return (...given: [never, ...unknown[]]) => {
          statements += 1;
          // The reads of the route and the first page, and the insert of that page, succeed. Every later call fails.
          return statements > 3 ? Promise.reject(unavailable) : target[key](...given);
        };
      },
    });
    await expect(fanOutWith({ db: dying, routes: createRoutes(dying) })(job)).rejects.toThrow('the dispatcher died');
    expect([await countOf(eventId), await isWaiting(eventId)]).toEqual([2_000, true]);
    await fanOut([eventId]);
    expect([await countOf(eventId), await isWaiting(eventId), enqueued.length]).toEqual([2_500, false, 2_500]);
  });

  test.each([
    ['first', 1],
    ['last', 2],
  ])('that is cancelled before its %s page gets no delivery of that page', async (_name, page) => {
    await subscribeMany(2_499);
    const eventId = await newEvent();
    const job = await jobOf([eventId]);
    let inserts = 0;
    const cancelled = new Proxy(db, {
      get(target, key) {
        if (key !== '$queryRawUnsafe') return Reflect.get(target, key);
        return async (text: string, ...values: unknown[]) => {
          inserts += text.includes('with waiting as') ? 1 : 0;
          if (inserts === page) await db.pendingFanOut.deleteMany({ where: { eventId } });
          return target[key](text, ...values);
        };
      },
    });
    await fanOutWith({ db: cancelled, routes: createRoutes(cancelled) })(job);
    expect([inserts, await countOf(eventId)]).toEqual([2, (page - 1) * 2_000]);
  });

  test('that is already fanned out is not delivered to endpoints that are subscribed later', async () => {
    await subscribeMany(299);
    const eventId = await newEvent();
    await fanOut([eventId]);
    await subscribeMany(1);
    await fanOut([eventId]);
    expect([await countOf(eventId), enqueued.length]).toEqual([300, 300]);
  });

  test('whose endpoints fill exactly one page ends its waiting', async () => {
    await subscribeMany(1_999);
    const eventId = await newEvent();
    await fanOut([eventId]);
    expect([await countOf(eventId), await isWaiting(eventId)]).toEqual([2_000, false]);
  });

  test('is fanned out after the events to few endpoints', async () => {
    await subscribeMany(299);
    const narrowType = await newType('order.deleted');
    await subscribe(first.endpointId, narrowType);
    const [wide, narrow] = [await newEvent(), await newEvent({ eventType: 'order.deleted' })];
    await fanOut([wide, narrow]);
    expect([enqueued.length, enqueued[0]?.eventId, enqueued[1]?.eventId]).toEqual([301, narrow, wide]);
  });

  test('returns to the queue when the batch’s time is over, except for one; the reconciler leaves it to its new job for ten seconds', async () => {
    await subscribeMany(299);
    const eventIds = await Promise.all([1, 2, 3].map(() => newEvent()));
    const enqueue = async (deliveries: DeliverRequest[]) => {
      enqueued.push(...deliveries);
      nowMs += 1_001;
    };
    const limited = fanOutWith({ enqueue });
    await limited(await jobOf(eventIds));
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
    await limited(await jobOf(others));
    await limited(await jobOf(others));
    expect(await db.delivery.count({ where: { eventId: { in: eventIds } } })).toBe(900);
    expect(await db.pendingFanOut.count({ where: { eventId: { in: eventIds } } })).toBe(0);
  });
});

test('an event for one application reads only that application’s endpoints, however many others are subscribed', async () => {
  const { workspaceId } = first;
  const applicationId = randomUUID();
  await db.application.create({ data: { id: applicationId, workspaceId, name: 'Customer' } });
  await subscribeMany(3, applicationId);
  await subscribeMany(5_000);
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
  // Make the other connections report their reads during the set-up now, instead of up to 10 s later.
  await Promise.all(Array.from({ length: 5 }, () => db.$queryRaw`select pg_stat_force_next_flush()::text`));
  const before = await rowsRead();
  await fanOutWith({ db: one, routes: createRoutes(one) })(await jobOf([eventId]));
  expect(await countOf(eventId)).toBe(3);
  expect((await rowsRead()) - before).toBeLessThan(100);
  await one.$disconnect();
});

/**
 * An event of a day without a partition for deliveries, as when a dispatcher's clock is wrong or a partition was
 * dropped early.
 */
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

describe('an event that cannot be inserted', () => {
  test('keeps waiting, and its neighbours in the job are fanned out', async () => {
    const [before, after] = [await newEvent(), await newEvent()];
    const bad = await newEventOfMissingDay();
    await fanOut([before, bad, after]);
    expect([await endpointsOf(before), await endpointsOf(after)]).toEqual([[first.endpointId], [first.endpointId]]);
    expect(await Promise.all([before, bad, after].map(isWaiting))).toEqual([false, true, false]);
    expect(enqueued.map(({ eventId }) => eventId).sort()).toEqual([before, after].sort());
    expect(warnings).toEqual(['an event could not be fanned out']);
  });

  test('because of a conflict that outlasts the tries keeps waiting, and does not fail the others of its batch', async () => {
    const [good, conflicting] = [await newEvent(), await newEvent({ contentType: 'text/conflict' })];
    await db.$executeRaw`
      create function refuse_delivery() returns trigger language plpgsql as $$
      begin
        if exists (select from event where id = new.event_id and content_type = 'text/conflict') then
          raise exception 'deadlock detected' using errcode = '40P01';
        end if;
        return new;
      end $$`;
    await db.$executeRaw`
      create trigger refuse_delivery before insert on delivery for each row execute function refuse_delivery()`;
    try {
      await fanOut([conflicting, good]);
    } finally {
      await db.$executeRaw`drop function refuse_delivery cascade`;
    }
    expect([await isWaiting(good), await isWaiting(conflicting)]).toEqual([false, true]);
    expect(await endpointsOf(good)).toEqual([first.endpointId]);
    expect(warnings).toEqual(['an event could not be fanned out']);
  });

  test('to many endpoints does not fail the other events of its batch', async () => {
    await subscribeMany(2_499);
    const good = await newEvent();
    const bad = await newEventOfMissingDay();
    await fanOut([bad, good]);
    expect([await countOf(good), await countOf(bad)]).toEqual([2_500, 0]);
    expect([await isWaiting(good), await isWaiting(bad)]).toEqual([false, true]);
  });
});

test('isolated jobs run one at a time; jobs beyond those that may wait are left to the reconciler', async () => {
  const eventIds = await Promise.all(Array.from({ length: 12 }, () => newEvent()));
  let [open, most] = [0, 0];
  const reserve: FanOutDeps['immediate']['reserve'] = async () => {
    open += 1;
    most = Math.max(most, open);
    return {
      has: () => false,
      delaySeconds: () => 0,
      entersLine: () => false,
      claim: () => {},
      release: () => {},
      begin: () => {
        open -= 1;
      },
    };
  };
  const run = fanOutWith({ immediate: { ...enoughRoom, reserve } });
  const jobs = await Promise.all(eventIds.map((eventId) => jobOf([eventId])));
  await Promise.all(jobs.map((job) => run({ ...job, mode: 'isolated' })));
  const done = await Promise.all(eventIds.map(async (eventId) => !(await isWaiting(eventId))));
  expect(done).toEqual([...Array<boolean>(10).fill(true), false, false]);
  expect(most).toBe(1);
});

test('an isolated event of a workspace does not wait for all those of another one', async () => {
  const eventIds = await Promise.all(Array.from({ length: 12 }, () => newEvent()));
  const mine = first;
  first = await insertEndpoint(db);
  const other = await newEvent();
  const otherJob = await jobOf([other]);
  first = mine;
  const run = fanOutWith();
  const jobs = [...(await Promise.all(eventIds.map((eventId) => jobOf([eventId])))), otherJob];
  const ended: FanOutJob[] = [];
  await Promise.all(jobs.map((job) => run({ ...job, mode: 'isolated' }).then(() => ended.push(job))));
  expect(await isWaiting(other)).toBe(false);
  // Three jobs have no room, and two are fanned out before this one.
  expect(ended.indexOf(otherJob)).toBeLessThanOrEqual(5);
});

test('of suspects, those whose fan-out ends the process or fails are known as begun', async () => {
  const eventIds = [await newEvent(), await newEvent()];
  const notEnded = fanOutWith({
    routes: {
      ...createRoutes(db),
      of: async () => {
        throw new Error('the process ends');
      },
    },
  });
  const job = await jobOf(eventIds);
  const begun = () => db.pendingFanOut.count({ where: { eventId: { in: eventIds }, hasBegun: true } });
  await expect(notEnded(job)).rejects.toThrow('the process ends');
  expect(await begun()).toBe(0);
  await expect(notEnded({ ...job, mode: 'suspect' })).rejects.toThrow('the process ends');
  expect(await begun()).toBe(2);
});

describe('deliveries that have a slot in this process', () => {
  /** Gives a slot to the first `count` deliveries, and records the attempts that begin. */
  function createSlotsFor(count: number) {
    const [begun, reserved]: [ClaimedDelivery[], string[]] = [[], []];
    const reserve: FanOutDeps['immediate']['reserve'] = async (deliveries) => {
      const ids = deliveries.slice(0, count).map(({ deliveryId }) => deliveryId);
      reserved.push(...ids);
      return {
        has: (deliveryId) => ids.includes(deliveryId),
        delaySeconds: () => 0,
        entersLine: () => false,
        claim: () => {},
        release: () => {},
        begin: (claimed) => void begun.push(...claimed),
      };
    };
    return { immediate: { ...enoughRoom, reserve }, begun, reserved };
  }

  test('are leased to it and attempted immediately; the others are enqueued', async () => {
    await subscribeMany(2);
    const eventId = await newEvent({ contentType: 'text/plain', payload: Buffer.from('sealed') });
    const { immediate, begun, reserved } = createSlotsFor(2);
    await fanOutWith({ immediate })(await jobOf([eventId]));
    const rows = await deliveriesOf(eventId);
    expect(created.sort()).toEqual(rows.map(({ id }) => id).sort());
    const leased = rows.filter(({ status }) => status === 'delivering');
    expect(leased.map(({ id }) => id).sort()).toEqual(reserved.sort());
    expect(begun.map(({ deliveryId }) => deliveryId).sort()).toEqual(reserved.sort());
    const event = { eventType: 'order.created', idempotencyKey: null, orderingKey: null, contentType: 'text/plain' };
    for (const claim of begun) {
      const { leaseToken } = leased.find(({ id }) => id === claim.deliveryId) ?? {};
      expect(claim).toMatchObject({
        eventId,
        leaseToken,
        attemptNumber: 1,
        trigger: 'schedule',
        endpointRevision: expect.any(String),
      });
      expect(claim.event).toEqual({
        ...event,
        deliverAt: null,
        isErased: false,
        hasOneAttempt: false,
        payload: new Uint8Array(Buffer.from('sealed')),
        leftOutBytes: null,
      });
    }
    expect(enqueued.map(({ deliveryId }) => deliveryId)).toEqual(
      rows.filter(({ status }) => status === 'pending').map(({ id }) => id),
    );
  });

  test('are not attempted again when their event is fanned out again', async () => {
    const eventId = await newEvent();
    const { immediate, begun } = createSlotsFor(1);
    const run = fanOutWith({ immediate });
    const job = await jobOf([eventId]);
    await run(job);
    await run(job);
    expect([begun.length, created.length, enqueued]).toEqual([1, 1, []]);
  });

  test('of an endpoint whose breaker is open are enqueued, so that the claim defers them', async () => {
    await db.endpointHealth.create({
      data: { endpointId: first.endpointId, consecutiveFailures: 10, openUntil: new Date() },
    });
    const eventId = await newEvent();
    const { immediate, begun } = createSlotsFor(1);
    await fanOutWith({ immediate })(await jobOf([eventId]));
    expect([begun, enqueued.length]).toEqual([[], 1]);
    expect(await deliveriesOf(eventId)).toMatchObject([{ status: 'pending', leaseToken: null }]);
  });

  test('of a slow endpoint without a free slot are due, and enqueued, after the delay of its refusal', async () => {
    const eventId = await newEvent();
    const reserve: FanOutDeps['immediate']['reserve'] = async () => ({
      has: () => false,
      delaySeconds: () => 90,
      entersLine: () => false,
      claim: () => {},
      release: () => {},
      begin: () => {},
    });
    await fanOutWith({ immediate: { ...enoughRoom, reserve } })(await jobOf([eventId]));
    const [row] = await deliveriesOf(eventId);
    expect(row).toMatchObject({ status: 'pending', leaseToken: null });
    expect(enqueued).toMatchObject([{ deliveryId: row?.id, delayMs: 90_000 }]);
    const [due] = await db.$queryRaw<{ seconds: number }[]>`
      select extract(epoch from due_at - clock_timestamp())::float8 as seconds from delivery where id = ${row?.id}::uuid`;
    expect(due?.seconds).toBeGreaterThan(30);
  });

  test('that could not be inserted release their slots', async () => {
    const eventId = await newEventOfMissingDay();
    let ended = 0;
    const reserve: FanOutDeps['immediate']['reserve'] = async () => ({
      has: () => true,
      delaySeconds: () => 0,
      entersLine: () => false,
      claim: () => {},
      release: () => {
        ended += 1;
      },
      begin: (claimed) => expect(claimed).toEqual([]),
    });
    await fanOutWith({ immediate: { ...enoughRoom, reserve } })(await jobOf([eventId]));
    expect([ended, await isWaiting(eventId)]).toEqual([1, true]);
  });
});

test('an event is attempted once, although another event of its batch cannot be inserted', async () => {
  const good = await newEvent();
  const bad = await newEventOfMissingDay();
  const begun: ClaimedDelivery[] = [];
  const reserve: FanOutDeps['immediate']['reserve'] = async () => ({
    has: () => true,
    delaySeconds: () => 0,
    entersLine: () => false,
    claim: () => {},
    release: () => {},
    begin: (claimed) => void begun.push(...claimed),
  });
  await fanOutWith({ immediate: { ...enoughRoom, reserve } })(await jobOf([good, bad]));
  expect(begun.map(({ eventId }) => eventId)).toEqual([good]);
});

describe('while few slots are free', () => {
  /** Each wait takes the same time and frees the same number of slots. */
  const scarce = (room: number, waitMs: number) => {
    const reserved: number[] = [];
    const immediate: FanOutDeps['immediate'] = {
      ...enoughRoom,
      room: () => room,
      awaitRoom: async () => {
        nowMs += waitMs;
      },
      reserve: async (deliveries) => {
        reserved.push(deliveries.length);
        return {
          has: () => false,
          delaySeconds: () => 0,
          entersLine: () => false,
          claim: () => {},
          release: () => {},
          begin: () => {},
        };
      },
    };
    return { immediate, reserved };
  };

  test('a chunk has as many deliveries as can be attempted immediately', async () => {
    const eventIds = await Promise.all(Array.from({ length: 7 }, () => newEvent()));
    const { immediate, reserved } = scarce(3, 10);
    await fanOutWith({ immediate })(await jobOf(eventIds));
    expect(reserved).toEqual([3, 3, 1]);
  });

  test('a batch waits for 250 ms in total, then the rest of its deliveries is inserted together and enqueued', async () => {
    const eventIds = await Promise.all(Array.from({ length: 7 }, () => newEvent()));
    const { immediate, reserved } = scarce(1, 100);
    await fanOutWith({ immediate })(await jobOf(eventIds));
    expect(reserved).toEqual([1, 1, 5]);
    expect(enqueued).toHaveLength(7);
  });

  test('where there is no room and nothing to wait for, as at shutdown, deliveries are made together and enqueued', async () => {
    const eventIds = await Promise.all(Array.from({ length: 7 }, () => newEvent()));
    const { immediate, reserved } = scarce(0, 0);
    await fanOutWith({ immediate })(await jobOf(eventIds));
    expect(reserved).toEqual([7]);
    expect(enqueued).toHaveLength(7);
  });
});

test('an event is fanned out while the jobs of a flood that came before it wait for slots', async () => {
  const [inFlood, single] = [await newEvent(), await newEvent()];
  let free = () => {};
  const room = new Promise<void>((resolve) => {
    free = resolve;
  });
  let asked = 0;
  const awaitRoom = async () => {
    asked += 1;
    if (asked === 1) await room;
  };
  const reserve = async () => ({
    has: () => false,
    delaySeconds: () => 0,
    entersLine: () => false,
    claim: () => {},
    release: () => {},
    begin: () => {},
  });
  const run = fanOutWith({ immediate: { ...enoughRoom, awaitRoom, reserve } });
  const flood = run({ ...(await jobOf([inFlood])), isOfFlood: true });
  await waitFor(() => asked === 1, { what: 'the flood to wait' });
  await run(await jobOf([single]));
  expect([await isWaiting(inFlood), await isWaiting(single)]).toEqual([true, false]);
  free();
  await flood;
  expect(await isWaiting(inFlood)).toBe(false);
});

/** Whether the note of an event says that it has one attempt, by the retention of its type. */
const NOTES = { workspace: undefined, until_ended: false, none: true };

describe('a route that is cached', () => {
  const routed = async (change: () => Promise<unknown>) => {
    const run = fanOutWith({ routes: createRoutes(db) });
    await run(await jobOf([await newEvent()]));
    await change();
    const eventId = await newEvent();
    await run(await jobOf([eventId]));
    expect(await isWaiting(eventId)).toBe(false);
    return endpointsOf(eventId);
  };

  test.each<[string, () => Promise<unknown>]>([
    ['is deactivated', () => db.endpoint.update({ where: { id: first.endpointId }, data: { isActive: false } })],
    ['is deleted', () => db.endpoint.update({ where: { id: first.endpointId }, data: { deletedAt: new Date() } })],
    ['is no longer subscribed', () => db.subscription.deleteMany({ where: { endpointId: first.endpointId } })],
    ['’s type is no longer published', () => db.publishedEventType.deleteMany({ where: { eventTypeId: typeId } })],
  ])('sends nothing to an endpoint that %s before the event is accepted', async (_case, change) => {
    expect(await routed(change)).toEqual([]);
  });

  test('sends the event to an endpoint that is subscribed before the event is accepted', async () => {
    const second = await another();
    expect(await routed(() => subscribe(second))).toEqual([first.endpointId, second].sort());
  });

  test('does not delay the events of another environment in the same job', async () => {
    const environmentId = randomUUID();
    const { workspaceId } = first;
    await db.environment.create({ data: { id: environmentId, workspaceId, name: 'Staging', slug: 'staging' } });
    await db.publishedEventType.create({ data: { environmentId, eventTypeId: typeId } });
    const staging = await another({ environmentId });
    await subscribe(staging);
    const run = fanOutWith({ routes: createRoutes(db) });
    await run(await jobOf([await newEvent(), await newEvent({ environmentId })]));
    const second = await another();
    await subscribe(second);
    const [changed, unchanged] = [await newEvent(), await newEvent({ environmentId })];
    await run(await jobOf([changed, unchanged]));
    expect(await endpointsOf(changed)).toEqual([first.endpointId, second].sort());
    expect(await endpointsOf(unchanged)).toEqual([staging]);
  });

  /** Changes the environment's routing between each match and its insert. */
  const changing = () => {
    const { environmentId: id } = first;
    const reserve = async () => {
      await db.environment.update({ where: { id }, data: { routingRevision: randomUUID() } });
      return {
        has: () => false,
        delaySeconds: () => 0,
        entersLine: () => false,
        claim: () => {},
        release: () => {},
        begin: () => {},
      };
    };
    return fanOutWith({ immediate: { ...enoughRoom, reserve } });
  };

  test.each(['isolated', undefined] as const)(
    'that is never up to date delays no event without end (mode: %s)',
    async (mode) => {
      const eventId = await newEvent();
      const job = await jobOf([eventId]);
      await changing()({ ...job, ...(mode && { mode }) });
      expect([await endpointsOf(eventId), await isWaiting(eventId)]).toEqual([[first.endpointId], false]);
      expect(enqueued).toHaveLength(1);
    },
  );

  test('that is never up to date sends an event for one application to no endpoint of another', async () => {
    const applicationId = randomUUID();
    await db.application.create({ data: { id: applicationId, workspaceId: first.workspaceId, name: 'Customer' } });
    const own = await another({ applicationId });
    await subscribe(own);
    const eventId = await newEvent({ applicationId });
    await changing()(await jobOf([eventId]));
    expect([await endpointsOf(eventId), await isWaiting(eventId)]).toEqual([[own], false]);
  });

  test('that a failover lost is not obeyed, although later changes count as far', async () => {
    const { environmentId: id } = first;
    const run = fanOutWith({ routes: createRoutes(db) });
    const before = await db.environment.findUniqueOrThrow({ where: { id } });
    const lost = await another();
    await subscribe(lost);
    await run(await jobOf([await newEvent()]));
    // Restore the rows as a failover would. The next change then yields the same version number again.
    await db.subscription.deleteMany({ where: { endpointId: lost } });
    const { routingVersion, routingRevision } = before;
    await db.environment.update({ where: { id }, data: { routingVersion, routingRevision } });
    await subscribe(await another(), await newType('another.type'));
    await db.environment.update({ where: { id }, data: { routingVersion: routingVersion + 1 } });
    const eventId = await newEvent();
    await run(await jobOf([eventId]));
    expect(await endpointsOf(eventId)).toEqual([first.endpointId]);
  });

  test('that has become wide is read in pages', async () => {
    expect((await routed(() => subscribeMany(299))).length).toBe(300);
  });

  test.each([
    ['few', 0],
    ['many', 300],
  ])('of a type with %s endpoints keeps payloads as the type says now', async (_few, endpoints) => {
    await subscribeMany(endpoints);
    const run = fanOutWith({ routes: createRoutes(db) });
    const noteAfter = async (payloadRetention: 'workspace' | 'until_ended' | 'none') => {
      await db.eventType.update({ where: { id: typeId }, data: { payloadRetention } });
      const eventId = await newEvent();
      await run(await jobOf([eventId]));
      expect(await isWaiting(eventId)).toBe(false);
      return (await db.shortPayload.findUnique({ where: { eventId } }))?.hasOneAttempt;
    };
    for (const retention of ['workspace', 'none', 'workspace', 'until_ended', 'none', 'workspace'] as const)
      expect([retention, await noteAfter(retention)]).toEqual([retention, NOTES[retention]]);
  });
});
