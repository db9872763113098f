import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createDb, type Db } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import { cancelDeliveries, cancelDelivery } from './cancel.ts';
import { type ClaimedDelivery, claimDeliveries } from './claim.ts';
import { createPage } from './create.ts';
import { deferDeliveries } from './defer.ts';
import { deliveryIdFor } from './delivery-id.ts';
import { expireDeliveries } from './expire.ts';
import type { NextState } from './next-state.ts';
import { createReleaseEndedOrders, createWaitingFor, headsOf, releaseHeadless } from './ordering.ts';
import { retryDeliveries } from './retry-deliveries.ts';
import { retryDeliveryNow } from './retry-now.ts';
import { type AttemptRecord, settleDeliveries } from './settle.ts';
import { isBehindHead } from './waiting.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let endpoint: EndpointRow;
let number = 0;
beforeEach(async () => {
  endpoint = await fifoEndpoint();
});

async function fifoEndpoint(): Promise<EndpointRow> {
  const row = await insertEndpoint(db);
  await db.endpoint.update({ where: { id: row.endpointId }, data: { isFifo: true } });
  return row;
}

/** The id of an event at this time. */
const newUuid = (time: Date): string => deliveryIdFor(lowestKeyAt(time), randomUUID());

type Made = { deliveryId: string; orderingKey: string; endpointId: string };

/** Creates a delivery of a new event with this key, as fan-out does. */
async function create(orderingKey: string, { at = endpoint, time = new Date() } = {}): Promise<Made> {
  const id = newUuid(time);
  number += 1;
  await insert(db, { id, orderingKey, at, number });
  return { deliveryId: id, orderingKey, endpointId: at.endpointId };
}

type Row = { id: string; orderingKey: string; at: EndpointRow; number: number };

async function insert(on: Db, { id, orderingKey, at, number: position }: Row): Promise<void> {
  const { endpointId, workspaceId, environmentId } = at;
  await on.pendingFanOut.create({ data: { eventId: id, environmentId, orderingKey, orderingNumber: position } });
  const deliveries = [
    { deliveryId: id, eventId: id, endpointId, workspaceId, environmentId, eventType: 'order.created' },
  ];
  const event = { eventId: id, workspaceId };
  // An earlier event of the key may still wait.
  do await createPage(on, { deliveries, event, isLast: true, isUnmatched: false });
  while ((await on.pendingFanOut.count({ where: { eventId: id } })) > 0);
}

async function createMany(orderingKey: string, count: number, at = endpoint): Promise<Made[]> {
  const made: Made[] = [];
  for (let n = 0; n < count; n += 1) made.push(await create(orderingKey, { at }));
  return made;
}

async function statesOf(made: readonly Made[]): Promise<string[]> {
  const rows = await db.delivery.findMany({ where: { id: { in: made.map((one) => one.deliveryId) } } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return made.map(({ deliveryId }) => {
    const row = byId.get(deliveryId);
    if (row === undefined) return 'missing';
    return row.dueAt === null ? 'ended' : isBehindHead(row.dueAt) ? 'waits' : 'head';
  });
}

async function claim({ deliveryId, endpointId }: Made): Promise<ClaimedDelivery> {
  const request = { deliveryId, eventId: deliveryId, endpointId };
  const [claimed] = await claimDeliveries(db, [request], { defaultTimeoutSeconds: 15 });
  if (claimed?.kind !== 'claimed') throw new Error(`not claimed: ${claimed?.kind}`);
  return claimed;
}

const settleWith = async (made: Made, next: NextState) => {
  const { deliveryId, endpointId, leaseToken, orderingKey } = await claim(made);
  return settleDeliveries(db, [{ deliveryId, endpointId, leaseToken, orderingKey, attempt: null, next }]);
};

const first = <One>(list: readonly One[]): One => {
  const [one] = list;
  if (one === undefined) throw new Error('an empty list');
  return one;
};

test('docs/interface.md, Order: the first open delivery of an endpoint and a key is due; later ones wait; other keys and endpoints do not', async () => {
  const other = await fifoEndpoint();
  const [a, b] = [await createMany('a', 3), await createMany('b', 2)];
  const elsewhere = await createMany('a', 1, other);
  expect(await statesOf([...a, ...b, ...elsewhere])).toEqual(['head', 'waits', 'waits', 'head', 'waits', 'head']);
  expect((await headsOf(db, a)).map((head) => head.deliveryId)).toEqual([first(a).deliveryId]);
});

test('no claim takes a delivery that waits, and none defers it', async () => {
  const [, second] = await createMany('a', 2);
  const request = { deliveryId: second?.deliveryId ?? '', eventId: second?.deliveryId ?? '', ...endpoint };
  expect(await claimDeliveries(db, [request], { defaultTimeoutSeconds: 15 })).toEqual([{ kind: 'nothing' }]);
  expect(await deferDeliveries(db, [{ ...request, delaySeconds: 0 }])).toEqual([undefined]);
});

const retry: NextState = { status: 'scheduled_retry', delaySeconds: 60 };
const manual = { operationId: randomUUID(), trigger: 'manual', mostRetries: 100 } as const;

test('a head that is deferred, leased or to be retried still holds its key', async () => {
  const made = await createMany('a', 2);
  const { leaseToken } = await claim(first(made));
  expect(await statesOf(made)).toEqual(['head', 'waits']);
  await deferDeliveries(db, [{ deliveryId: first(made).deliveryId, leaseToken, delaySeconds: 0 }]);
  expect(await statesOf(made)).toEqual(['head', 'waits']);
  await settleWith(first(made), retry);
  expect(await statesOf(made)).toEqual(['head', 'waits']);
});

describe('the next one is released by the statement that ends the head', () => {
  const endings: [string, (made: Made) => Promise<unknown>][] = [
    ['delivered', (made) => settleWith(made, { status: 'delivered' })],
    ['out of retries', (made) => settleWith(made, { status: 'dead_letter', failureReason: 'retries_exhausted' })],
    ['failed for good', (made) => settleWith(made, { status: 'failed', failureReason: 'gone' })],
    ['cancelled', ({ deliveryId }) => cancelDelivery(db, deliveryId)],
    ['cancelled with others', ({ deliveryId }) => inTransaction(db, (tx) => cancelDeliveries(tx, [deliveryId]))],
    [
      'ended by the claim at an inactive endpoint',
      async ({ deliveryId, endpointId }) => {
        await db.endpoint.update({ where: { id: endpointId }, data: { isActive: false } });
        const request = { deliveryId, eventId: deliveryId, endpointId };
        const [claimed] = await claimDeliveries(db, [request], { defaultTimeoutSeconds: 15 });
        expect(claimed).toMatchObject({ kind: 'ended', orderingKey: 'a' });
      },
    ],
  ];
  test.each(endings)('%s', async (_, end) => {
    const made = await createMany('a', 3);
    await end(first(made));
    expect(await statesOf(made)).toEqual(['ended', 'head', 'waits']);
  });

  test('at the end of its retention', async () => {
    const young = new Date(Date.now() + 600_000);
    const made = [await create('a'), await create('a', { time: young }), await create('a', { time: young })];
    await expireDeliveries(db, 0);
    expect(await statesOf(made)).toEqual(['ended', 'head', 'waits']);
  });
});

test('a settle returns the delivery that it released, under its generation; without one, and without an order, none', async () => {
  const [head, next] = await createMany('a', 2);
  const plain = await insertDelivery(db, endpoint);
  const [settled] = await settleWith(head as Made, { status: 'delivered' });
  expect(settled).toMatchObject({
    follower: {
      deliveryId: next?.deliveryId,
      orderingKey: 'a',
      endpointId: endpoint.endpointId,
      releasedGeneration: 1,
    },
  });
  const others = [
    await settleWith(next as Made, retry),
    await settleWith({ ...plain, orderingKey: '' }, { status: 'delivered' }),
  ];
  expect(others.flat()).toEqual([
    { kind: 'settled', generation: 2, delayMs: 60_000, follower: undefined },
    { kind: 'settled', generation: 1, delayMs: null, follower: undefined },
  ]);
});

test('an end of a head that is settled again, because the reply was lost, returns the delivery that it released', async () => {
  const [head, next] = await createMany('a', 2);
  const { deliveryId, endpointId, leaseToken, orderingKey } = await claim(head as Made);
  const attempt: AttemptRecord = {
    ...{ id: randomUUID(), number: 1, trigger: 'schedule', succeeded: true, startedAt: new Date(), durationMs: 1 },
    ...{ timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null }, url: 'https://receiver.test/' },
    ...{
      requestHeaders: {},
      responseStatus: 200,
      responseHeadersSealed: null,
      responseBodySealed: null,
      responseTruncated: false,
    },
    ...{ errorCode: null, errorMessage: null, remoteAddress: null },
  };
  const same = { deliveryId, endpointId, leaseToken, orderingKey, attempt, next: { status: 'delivered' } as const };
  const released = { kind: 'settled', follower: { deliveryId: next?.deliveryId, releasedGeneration: 1 } };
  expect(await settleDeliveries(db, [same])).toMatchObject([released]);
  expect(await settleDeliveries(db, [same])).toMatchObject([released]);
});

test('a repeated creation of a delivery that has ended holds nothing up', async () => {
  const made = await create('a');
  await settleWith(made, { status: 'delivered' });
  await insert(db, { id: made.deliveryId, orderingKey: 'a', at: endpoint, number });
  const [head, next] = await createMany('a', 2);
  await insert(db, { id: made.deliveryId, orderingKey: 'a', at: endpoint, number: number - 2 });
  await settleWith(head as Made, { status: 'delivered' });
  expect(await statesOf([made, head, next] as Made[])).toEqual(['ended', 'ended', 'head']);
  await settleWith(next as Made, { status: 'delivered' });
  expect(await db.orderedDelivery.count({ where: { endpointId: endpoint.endpointId } })).toBe(0);
});

test('when what waits is cancelled, the head stays, and the one after it follows', async () => {
  const made = await createMany('a', 3);
  await cancelDelivery(db, made[1]?.deliveryId ?? '');
  expect(await statesOf(made)).toEqual(['head', 'ended', 'waits']);
  await settleWith(first(made), { status: 'delivered' });
  expect(await statesOf(made)).toEqual(['ended', 'ended', 'head']);
});

test('docs/interface.md, Order: a retried delivery is sent when it is its turn among what is open: by its acceptance, after the head', async () => {
  const made = await createMany('a', 4);
  await settleWith(first(made), { status: 'delivered' });
  await retryDeliveryNow(db, first(made).deliveryId, 100);
  expect(await statesOf(made)).toEqual(['waits', 'head', 'waits', 'waits']);
  await settleWith(made[1] as Made, { status: 'delivered' });
  expect(await statesOf(made)).toEqual(['head', 'ended', 'waits', 'waits']);
});

test('a retry of a delivery that waits does not send it, and one of an ended delivery without others does', async () => {
  const made = await createMany('a', 2);
  await retryDeliveryNow(db, made[1]?.deliveryId ?? '', 100);
  expect(await statesOf(made)).toEqual(['head', 'waits']);
  const alone = await create('b');
  await settleWith(alone, { status: 'delivered' });
  await retryDeliveryNow(db, alone.deliveryId, 100);
  expect(await statesOf([alone])).toEqual(['head']);
});

test('of many that an operation retries, one of each key is due: the first by acceptance, whatever their ids', async () => {
  // The ids of events of one millisecond have no order, and the clocks of two producers differ.
  const later = { time: new Date(Date.now() + 5) };
  const made = [await create('a', later), ...(await createMany('a', 2)), await create('b', later), await create('b')];
  const ids = made.map((one) => one.deliveryId);
  await inTransaction(db, (tx) => cancelDeliveries(tx, ids));
  expect(await statesOf(made)).toEqual(Array(5).fill('ended'));
  const retried = await inTransaction(db, (tx) =>
    retryDeliveries(tx, { ...manual, deliveryIds: ids, statuses: ['failed'] }),
  );
  expect(await statesOf(made)).toEqual(['head', 'waits', 'waits', 'head', 'waits']);
  const heads = [first(made), made[3] as Made];
  const due = retried.filter((one) => one.isDue);
  expect(due.map((one) => one.deliveryId).sort()).toEqual(heads.map((one) => one.deliveryId).sort());
  const rows = await db.delivery.findMany({ where: { id: { in: ids } }, select: { id: true, generation: true } });
  const generations = new Map(rows.map((row) => [row.id, row.generation]));
  expect(due.map((one) => one.generation)).toEqual(due.map((one) => generations.get(one.deliveryId)));
  expect(await db.orderedDelivery.count({ where: { endpointId: endpoint.endpointId } })).toBe(5);
});

test('of many that an operation retries beside a head that waits for its next attempt, the first by acceptance is due', async () => {
  const [one, other, head, last] = (await createMany('a', 4)) as [Made, Made, Made, Made];
  for (const delivered of [one, other]) await settleWith(delivered, { status: 'delivered' });
  await settleWith(head, retry);
  const ids = [one, other, head, last].map(({ deliveryId }) => deliveryId);
  const statuses = ['delivered', 'scheduled_retry', 'pending'];
  await inTransaction(db, (tx) => retryDeliveries(tx, { ...manual, deliveryIds: ids, statuses }));
  expect(await statesOf([one, other, head, last])).toEqual(['head', 'waits', 'waits', 'waits']);
  expect(await db.orderedDelivery.count({ where: { endpointId: endpoint.endpointId } })).toBe(4);
});

test('a retry of a delivery whose first attempt was deferred sends it now', async () => {
  const deferred = await insertDelivery(db, endpoint, { dueInSeconds: 600 });
  const given = { ...manual, statuses: ['pending'] };
  const retried = await inTransaction(db, (tx) =>
    retryDeliveries(tx, { deliveryIds: [deferred.deliveryId], ...given }),
  );
  expect(retried).toMatchObject([{ deliveryId: deferred.deliveryId, isDue: true }]);
  expect(await db.delivery.count({ where: { id: deferred.deliveryId, dueAt: { lte: new Date() } } })).toBe(1);
});

test('a delivery that waits tells which one it waits for', async () => {
  const made = await createMany('a', 3);
  const rows = await db.delivery.findMany({
    where: { endpointId: endpoint.endpointId },
    orderBy: { orderingNumber: 'asc' },
  });
  const waitingFor = await createWaitingFor(db, rows);
  expect(rows.map(waitingFor)).toEqual([null, first(made).deliveryId, first(made).deliveryId]);
});

const switchOff = ({ endpointId }: EndpointRow, at = new Date()) =>
  db.endpoint.update({ where: { id: endpointId }, data: { isFifo: false, orderEndedAt: at } });
const endedAt = async ({ endpointId }: EndpointRow) =>
  (await db.endpoint.findUniqueOrThrow({ where: { id: endpointId } })).orderEndedAt;
async function releaseAll(onReleased?: Parameters<typeof createReleaseEndedOrders>[1]) {
  const release = createReleaseEndedOrders(db, onReleased);
  while (await release());
}

test('docs/interface.md, Order: what waits at an endpoint that is no longer fifo is released, page by page', async () => {
  const made = [...(await createMany('a', 4)), ...(await createMany('b', 2))];
  await switchOff(endpoint);
  const released: unknown[] = [];
  await releaseAll((page) => released.push(...page));
  expect(await statesOf(made)).toEqual(Array(6).fill('head'));
  const { workspaceId, endpointId } = endpoint;
  const waited = made.filter((_, n) => n !== 0 && n !== 4);
  const told = waited.map(({ deliveryId }) => ({ deliveryId, workspaceId, endpointId }));
  expect(released).toHaveLength(4);
  expect(released).toEqual(expect.arrayContaining(told));
  await settleWith(made[3] as Made, { status: 'delivered' });
  await retryDeliveryNow(db, first(made).deliveryId, 100);
  expect(await statesOf(made)).toEqual(['head', 'head', 'head', 'ended', 'head', 'head']);
});

test('a page of what is released is read in the order of its keys, as the index has it', async () => {
  const { endpointId, workspaceId, environmentId } = endpoint;
  const ids = Array.from({ length: 1_004 }, (_, n) => newUuid(new Date(Date.now() - n)));
  await db.$executeRaw`
    insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, due_at, ordering_key,
      ordering_number)
    select id, id, ${endpointId}::uuid, ${workspaceId}::uuid, ${environmentId}::uuid, 'order.created', end_of_time(), 'a', n
    from unnest(${ids}::uuid[]) with ordinality as given(id, n)`;
  await switchOff(endpoint);
  expect(await createReleaseEndedOrders(db)()).toBe(true);
  const left = await db.delivery.findMany({
    where: { endpointId, orderingKey: 'a' },
    orderBy: { orderingNumber: 'asc' },
    select: { id: true },
  });
  expect(left.map(({ id }) => id)).toEqual([ids[0], ...ids.slice(1_001)]);
  await releaseAll();
});

test('what a fan-out that began before the switch adds after it is released, too', async () => {
  await switchOff(endpoint);
  await releaseAll();
  const made = await createMany('a', 2);
  await releaseAll();
  expect(await statesOf(made)).toEqual(['head', 'head']);
  expect(await endedAt(endpoint)).not.toBeNull();
  await switchOff(endpoint, new Date(Date.now() - 120_000));
  await releaseAll();
  expect(await endedAt(endpoint)).toBeNull();
});

test('an endpoint that is fifo again while it is released keeps the order of what comes', async () => {
  await switchOff(endpoint);
  const release = createReleaseEndedOrders(
    // The switch happens between reading the endpoints and releasing the deliveries.
    db.$extends({
      query: {
        endpoint: {
          async findMany({ args, query }) {
            const found = await query(args);
            await db.endpoint.update({
              where: { id: endpoint.endpointId },
              data: { isFifo: true, orderEndedAt: null },
            });
            await createMany('a', 2);
            return found;
          },
        },
      },
    }) as unknown as Db,
  );
  await release();
  const rows = await db.delivery.findMany({
    where: { endpointId: endpoint.endpointId },
    orderBy: { orderingNumber: 'asc' },
  });
  expect(rows.map(({ dueAt }) => isBehindHead(dueAt))).toEqual([false, true]);
});

test('an endpoint whose order has ended waits for at most one page of each other', async () => {
  const others = [];
  for (let n = 0; n < 11; n += 1) others.push(await fifoEndpoint());
  const made = [];
  for (const at of others) {
    made.push(...(await createMany('a', 2, at)));
    await switchOff(at);
  }
  const release = createReleaseEndedOrders(db);
  const ended = await db.endpoint.count({ where: { orderEndedAt: { not: null } } });
  for (let round = 0; round < Math.ceil(ended / 10); round += 1) await release();
  expect(await statesOf(made)).toEqual(Array(22).fill('head'));
});

describe('the locks of several orders are taken in one order, before a row is locked', () => {
  /** Two heads, created in the opposite order of their locks. */
  const createOpposed = async () => {
    const keys = await db.$queryRaw<{ key: string; lock: bigint }[]>`
      select key, ordering_lock(${endpoint.endpointId}::uuid, key) as lock from unnest(array['a', 'b']) as given(key)
      order by lock desc`;
    const made: Made[] = [];
    for (const [n, { key }] of keys.entries()) {
      made.push(await create(key, { time: new Date(Date.now() - 1_000 + n) }));
    }
    return { deliveryIds: made.map((one) => one.deliveryId), higher: keys[0]?.lock, lower: keys[1]?.lock };
  };
  const isWaiting = async () =>
    (
      await db.$queryRaw<unknown[]>`select 1 from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    ).length > 0;
  const statements: [string, (deliveryIds: string[]) => Promise<unknown>][] = [
    ['cancel', (deliveryIds) => inTransaction(db, (tx) => cancelDeliveries(tx, deliveryIds))],
    [
      'claim at an inactive endpoint',
      async (deliveryIds) => {
        await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isActive: false } });
        const requests = deliveryIds.map((id) => ({ deliveryId: id, eventId: id, endpointId: endpoint.endpointId }));
        const claims = await claimDeliveries(db, requests, { defaultTimeoutSeconds: 15 });
        expect(claims.map(({ kind }) => kind)).toEqual(['ended', 'ended']);
      },
    ],
    ['expiry', () => expireDeliveries(db, 0)],
    [
      'retry',
      (deliveryIds) =>
        inTransaction(db, (tx) => retryDeliveries(tx, { ...manual, deliveryIds, statuses: ['pending'] })),
    ],
  ];
  test.each(statements)('%s', async (_, run) => {
    const { deliveryIds, higher, lower } = await createOpposed();
    let running: Promise<unknown> = Promise.resolve();
    await inTransaction(db, async (tx) => {
      await tx.$queryRaw`select from (select pg_advisory_xact_lock(${lower}::bigint)) l`;
      running = run(deliveryIds);
      await waitFor(isWaiting, { what: 'the statement to wait for the lower lock' });
      const free = await tx.$queryRaw`select pg_try_advisory_xact_lock(${higher}::bigint) as free`;
      expect(free).toEqual([{ free: true }]);
      const unlocked = await tx.$queryRaw<unknown[]>`
        select id from delivery where id = any(${deliveryIds}::uuid[]) for update skip locked`;
      expect(unlocked).toHaveLength(2);
    });
    await running;
  });
});

/** The differences between the open deliveries with a key and the rows of `ordered_delivery`. */
async function misplaced(): Promise<unknown[]> {
  return db.$queryRaw`
    select coalesce(d.id, o.delivery_id) as id, d.place as expected, o.position as found from (
      select id, case when due_at < end_of_time() then 0 else ordering_number end as place from delivery
      where endpoint_id = ${endpoint.endpointId}::uuid and due_at is not null and ordering_key is not null) d
    full join (select delivery_id, position from ordered_delivery where endpoint_id = ${endpoint.endpointId}::uuid) o
      on o.delivery_id = d.id where o.position is distinct from d.place`;
}

test('the end of a head reads no more where many wait, in its own order or in another', async () => {
  const head = await create('full');
  const beside = await create('beside');
  await createMany('beside', 3);
  const wait = async (count: number) => {
    const { endpointId, workspaceId, environmentId } = endpoint;
    const ids = Array.from({ length: count }, () => newUuid(new Date()));
    number += count;
    await db.$executeRaw`
      insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, due_at, ordering_key,
        ordering_number)
      select id, id, ${endpointId}::uuid, ${workspaceId}::uuid, ${environmentId}::uuid, 'order.created', now(), 'full', n
      from unnest(${ids}::uuid[]) with ordinality as given(id, n)`;
  };
  const blocksRead = async ({ deliveryId, endpointId, orderingKey }: Made): Promise<number> => {
    const undone = new Error('undone');
    let blocks = 0;
    const end = inTransaction(db, async (tx) => {
      const [row] = await tx.$queryRaw<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }[]>`
        explain (analyze, buffers, format json) select * from leave_orders(
          array[${endpointId}::uuid], array[${orderingKey}], array[${deliveryId}::uuid])`;
      const { Plan: plan = {} } = row?.['QUERY PLAN'][0] ?? {};
      blocks = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
      throw undone;
    });
    await expect(end).rejects.toBe(undone);
    return blocks;
  };
  const measured = async () => {
    for (const one of [head, beside]) await blocksRead(one); // Run once, so that plans and the catalogue are cached.
    return [await blocksRead(head), await blocksRead(beside)];
  };
  await wait(5);
  const few = await measured();
  await wait(5_000);
  // Reading all waiting deliveries would take about 5,000 blocks.
  for (const [index, blocks] of (await measured()).entries()) expect(blocks).toBeLessThan((few[index] ?? 0) + 500);
});

test('a delivery that waits without a head is found and released, in any number of orders', async () => {
  const made = [...(await createMany('a', 2)), ...(await createMany('b', 2))];
  await db.$executeRaw`alter table delivery disable trigger delivery_head_changed`;
  await db.$executeRaw`update delivery set due_at = end_of_time() where endpoint_id = ${endpoint.endpointId}::uuid`;
  await db.$executeRaw`alter table delivery enable trigger delivery_head_changed`;
  expect(await statesOf(made)).toEqual(['waits', 'waits', 'waits', 'waits']);
  await releaseHeadless(db);
  expect(await statesOf(made)).toEqual(['head', 'waits', 'head', 'waits']);
});

test('a head that is lost with its partition is found, and the next one is released', async () => {
  const made = await createMany('a', 2);
  await db.delivery.delete({ where: { id: first(made).deliveryId } });
  expect(await releaseHeadless(db)).toEqual({ released: 1 });
  expect(await statesOf(made)).toEqual(['missing', 'head']);
});

test('whatever happens at the same time, each key with open deliveries has one head', async () => {
  const others = await Promise.all(
    Array.from({ length: 4 }, async () =>
      createDb({ databaseUrl: database.databaseUrl, maxConnections: 3, onIdleError: () => {} }),
    ),
  );
  try {
    const keys = ['a', 'b', 'c'];
    const made: Made[] = [];
    const pick = <One>(list: readonly One[]): One | undefined => list[Math.floor(Math.random() * list.length)];
    const attemptHeads = async (on: Db) => {
      const orders = keys.map((orderingKey) => ({ endpointId: endpoint.endpointId, orderingKey }));
      const claims = await claimDeliveries(on, await headsOf(on, orders), { defaultTimeoutSeconds: 15 });
      const next = { status: 'delivered' as const };
      const settlements = claims.flatMap((one) => (one.kind === 'claimed' ? [{ ...one, attempt: null, next }] : []));
      await settleDeliveries(on, settlements);
    };
    const createSome = async (on: Db) => {
      for (let n = 0; n < 3; n += 1) {
        const id = newUuid(new Date());
        const orderingKey = pick(keys) ?? 'a';
        number += 1;
        await insert(on, { id, orderingKey, at: endpoint, number });
        made.push({ deliveryId: id, orderingKey, endpointId: endpoint.endpointId });
      }
    };
    const actions = [
      attemptHeads,
      createSome,
      attemptHeads,
      async (on: Db) => void (await cancelDelivery(on, pick(made)?.deliveryId ?? randomUUID())),
      async (on: Db) => void (await retryDeliveryNow(on, pick(made)?.deliveryId ?? randomUUID(), 100)),
    ];
    for (let round = 0; round < 15; round += 1) {
      const actTwice = async (on: Db) => {
        await pick(actions)?.(on);
        await pick(actions)?.(on);
      };
      await Promise.all(others.map(actTwice));
      const [{ bad } = { bad: [] }] = await db.$queryRaw<{ bad: unknown[] }[]>`
        select coalesce(json_agg(o), '[]') as bad from (
          select ordering_key, count(*) filter (where due_at < end_of_time()) as heads from delivery
          where endpoint_id = ${endpoint.endpointId}::uuid and due_at is not null and ordering_key is not null
          group by ordering_key) o where heads <> 1`;
      expect(bad).toEqual([]);
      expect(await misplaced()).toEqual([]);
    }
    for (let round = 0; round < 500; round += 1) {
      if ((await db.delivery.count({ where: { endpointId: endpoint.endpointId, dueAt: { not: null } } })) === 0) break;
      await attemptHeads(db);
    }
    expect((await statesOf(made)).every((state) => state === 'ended')).toBe(true);
  } finally {
    await Promise.all(others.map((on) => on.$disconnect()));
  }
});
