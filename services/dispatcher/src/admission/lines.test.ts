/** @queues redis postgres */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sealContext } from '@posthorn/crypto/contexts';
import { parseSealingKeys, seal } from '@posthorn/crypto/seal';
import { newSigningSecret } from '@posthorn/crypto/signing-secret';
import type { Db } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { cancelDeliveries } from '@posthorn/ledger/cancel';
import { claimDeliveries } from '@posthorn/ledger/claim';
import { deferDeliveries } from '@posthorn/ledger/defer';
import { readDueWork } from '@posthorn/ledger/due-work';
import { TURNS_AT_ONCE, takeLineTurns } from '@posthorn/ledger/line';
import { settleDeliveries } from '@posthorn/ledger/settle';
import { isInLine } from '@posthorn/ledger/waiting';
import { createEndpointCache } from '@posthorn/messages/endpoint-cache';
import type { DeliverRequest } from '@posthorn/queue/jobs';
import { openQueues } from '@posthorn/queue/open-queues';
import type { Queues } from '@posthorn/queue/queues';
import type { RateLimit, Throttle } from '@posthorn/queue/throttle';
import { type Clock, systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase, type TestDatabase, testQueue } from '@posthorn/testkit/database';
import { type DeliveryRow, type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import { startWatch, type Watch } from '../watch.ts';
import type { Admitted } from './admit.ts';
import { createIsolation, type Isolation } from './isolation.ts';
import { type Lines, startLines } from './lines.ts';
import { createSlots } from './slots.ts';

const keys = parseSealingKeys(`test:${randomBytes(32).toString('base64')}`);
const HOURLY = { rateLimit: { limit: 1, periodSeconds: 3_600 } };

let database: TestDatabase;
let db: Db;
let queues: Queues;
let throttle: Throttle;
let endpoint: EndpointRow;
let watch: Watch;
let stopWatch: () => Promise<void> | void;
let lines: Lines[];
let sent: { deliveryId: string; atMs: number }[];
let enqueued: DeliverRequest[];
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  const onStop = (_part: string, stop: typeof stopWatch) => {
    stopWatch = stop;
  };
  watch = startWatch({
    look: () => readDueWork(db),
    clock: systemClock,
    everyMs: 250,
    lifecycle: { onStop },
    quiet: { warn: () => {} },
  });
  const { redisUrl, prefix } = testQueue('redis');
  queues = await openQueues(
    {
      ...{ REDIS_URL: redisUrl || undefined, QUEUE_PREFIX: prefix, DELIVER_QUEUE_SHARDS: 1 },
      ...{ DATABASE_URL: database.databaseUrl, SEALING_KEYS: keys },
    },
    { db, role: 'dispatcher', monotonicMs: systemClock.monotonicMs, onError: () => {} },
  );
  throttle = queues.openThrottle();
  await waitFor(() => throttle.takeTime(randomUUID(), { limit: 100, periodSeconds: 1 }), { what: 'the queues' });
});
afterAll(async () => {
  throttle.close();
  await queues.close();
  await stopWatch();
  await database.drop();
});
beforeEach(async () => {
  [lines, sent, enqueued] = [[], [], []];
  endpoint = await newEndpoint();
});
afterEach(async () => {
  await Promise.all(lines.map((one) => one.stop()));
  await db.endpointLine.deleteMany();
});

async function newEndpoint(): Promise<EndpointRow> {
  const made = await insertEndpoint(db);
  const id = randomUUID();
  const sealed = new Uint8Array(seal(keys, Buffer.from(newSigningSecret()), sealContext.signingSecret(id)));
  await db.signingSecret.create({ data: { id, endpointId: made.endpointId, sealed } });
  return made;
}

const setConfig = (config: { rateLimit?: RateLimit; maxConcurrency?: number }) =>
  db.endpoint.update({ where: { id: endpoint.endpointId }, data: { config, version: { increment: 1 } } });

/** A dispatcher whose attempts end at once with a success. */
function startDispatcher(
  duringAttempt = async () => {},
  clock: Clock = systemClock,
  isolated: Isolation = createIsolation(10, (workspaceId) => workspaceId),
) {
  const options = { defaultTimeoutSeconds: 15 };
  const attempt = async (job: DeliverRequest | DeliveryRow, { admitted }: { admitted: Pick<Admitted, 'time'> }) => {
    sent.push({ deliveryId: job.deliveryId, atMs: admitted.time?.atMs ?? systemClock.monotonicMs() });
    await duringAttempt();
  };
  const mine = startLines({
    db,
    throttle,
    clock,
    slots: createSlots({ slots: 1_000, clock: systemClock, random: () => 0.5 }),
    endpoints: createEndpointCache(db, keys, systemClock),
    hurryLine: (endpointId) => mine.hurry(endpointId),
    deliver: {
      async takeTurn(job, { admitted, onClaimed }) {
        const request = { ...job, fromLine: true, isolated: job.mode === 'isolated' };
        const [claim] = await claimDeliveries(db, [request], options);
        onClaimed();
        if (claim?.kind !== 'claimed') return undefined;
        await attempt({ ...job, generation: 0, delayMs: 0 }, { admitted });
        await settleDeliveries(db, [{ ...claim, attempt: null, next: { status: 'delivered' } }]);
        return { succeeded: true, durationMs: 1 };
      },
      isolated,
    },
    enqueue: (deliveries) => void enqueued.push(...deliveries),
    catchUp: { learn() {} },
    shutdown: { draining: false },
    watch,
    logger: { warn: () => {} },
    ...options,
  });
  lines.push(mine);
  return mine;
}

/** Makes deliveries enter the line, one after the other. */
async function enter(count: number, given: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { deliveryId } = await insertDelivery(db, endpoint, given);
    const [entered] = await deferDeliveries(db, [{ deliveryId, delaySeconds: 0, entersLine: true }]);
    expect(entered).toBeDefined();
    ids.push(deliveryId);
  }
  return ids;
}

/** The sent ids by request time. Of two deliveries that are claimed in one turn, either may be first in `sent`. */
const sentIds = () => [...sent].sort((a, b) => a.atMs - b.atMs).map(({ deliveryId }) => deliveryId);
const allSent = (ids: string[]) =>
  waitFor(() => sent.length === ids.length, { what: 'all deliveries', timeoutMs: 30_000 });
const dueAt = async (id: string) => (await db.delivery.findUniqueOrThrow({ where: { id } })).dueAt;

test('a line is sent in its order by several dispatchers, at the rate and never above it, and then it ends', async () => {
  await setConfig({ rateLimit: { limit: 20, periodSeconds: 1 } });
  const ids = await enter(60);
  for (let n = 0; n < 3; n += 1) startDispatcher();
  await allSent(ids);
  const times = sent.map(({ atMs }) => atMs).sort((a, b) => a - b);
  expect(sentIds()).toEqual(ids);
  for (const [n, time] of times.entries())
    expect((times[n + 20] ?? Number.POSITIVE_INFINITY) - time).toBeGreaterThan(990);
  await waitFor(async () => (await db.endpointLine.count()) === 0, { what: 'the end of the line' });
});

test('a raised limit takes hold at once: nobody waits for a time under the earlier one', async () => {
  await setConfig(HOURLY);
  const ids = await enter(5);
  startDispatcher();
  await waitFor(() => sent.length === 1, { what: 'the only one of this hour' });
  await setConfig({ rateLimit: { limit: 1_000, periodSeconds: 1 } });
  await allSent(ids);
});

test.each([
  ['a limit that is removed', () => setConfig({})],
  [
    'a deactivation, after which claims end them',
    () =>
      db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isActive: false, version: { increment: 1 } } }),
  ],
])('%s makes the line due, and enqueues it', async (_case, change) => {
  await setConfig(HOURLY);
  const ids = await enter(4);
  startDispatcher();
  await waitFor(() => sent.length === 1, { what: 'the only one of this hour' });
  await change();
  await waitFor(() => enqueued.length === 3, { what: 'the jobs' });
  expect(enqueued.map(({ deliveryId }) => deliveryId).sort()).toEqual(ids.slice(1).sort());
  expect((await dueAt(ids[3] ?? ''))?.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
});

test('a delivery that enters a line when its limit has just been lifted does not wait for the time that the limit named', async () => {
  await setConfig({});
  const { deliveryId } = await insertDelivery(db, endpoint);
  await deferDeliveries(db, [{ deliveryId, delaySeconds: 3_600, entersLine: true }]);
  startDispatcher();
  await waitFor(() => enqueued.length === 1, { what: 'the job' });
  expect(enqueued).toMatchObject([{ deliveryId }]);
});

test('deliveries that are cancelled leave no gap: the one behind them has the next time', async () => {
  await setConfig({ rateLimit: { limit: 2, periodSeconds: 1 } });
  const ids = await enter(200);
  const last = ids.at(-1) ?? '';
  await inTransaction(db, (transaction) => cancelDeliveries(transaction, ids.slice(0, -1)));
  startDispatcher();
  await waitFor(() => sentIds().includes(last), { what: 'the last one' });
  expect(sentIds()).toEqual([last]);
});

test('a new delivery passes those of a recovery with which the line began at an earlier turn', async () => {
  await setConfig({ maxConcurrency: 1 });
  const [first = '', last = ''] = await enter(2, { operationId: randomUUID(), nextTrigger: 'recovery' });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  startDispatcher(() => released);
  await waitFor(() => sent.length === 1, { what: 'the first delivery' });
  const [between = ''] = await enter(1);
  release();
  await allSent([first, between, last]);
  expect(sentIds()).toEqual([first, between, last]);
});

test('of a recovery, deliveries let new ones pass, but not a head behind which a new one of its key waits', async () => {
  await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isFifo: true } });
  await setConfig({ rateLimit: { limit: 10, periodSeconds: 1 } });
  const recovered = { operationId: randomUUID(), nextTrigger: 'recovery' as const };
  const [alone = ''] = await enter(1, recovered);
  const [head = ''] = await enter(1, { ...recovered, orderingKey: 'a', orderingNumber: 1n });
  const { deliveryId: follower } = await insertDelivery(db, endpoint);
  await db.$executeRaw`
    insert into ordered_delivery (endpoint_id, ordering_key, position, delivery_id, event_id, workspace_id)
    values (${endpoint.endpointId}::uuid, 'a', 2, ${follower}::uuid, ${follower}::uuid, ${endpoint.workspaceId}::uuid)`;
  const [fresh = ''] = await enter(1);
  startDispatcher();
  await waitFor(() => sent.length === 3, { what: 'all three' });
  expect(sentIds()).toEqual([head, fresh, alone]);
});

test('a head behind which a new one waits is found behind heads of a recovery that let new ones pass', async () => {
  await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { isFifo: true } });
  await setConfig(HOURLY);
  const recovered = { operationId: randomUUID(), nextTrigger: 'recovery' as const };
  await enter(20, recovered);
  const [head = ''] = await enter(1, { ...recovered, orderingKey: 'a', orderingNumber: 1n });
  const { deliveryId: follower } = await insertDelivery(db, endpoint);
  await db.$executeRaw`
    insert into ordered_delivery (endpoint_id, ordering_key, position, delivery_id, event_id, workspace_id)
    values (${endpoint.endpointId}::uuid, 'a', 2, ${follower}::uuid, ${follower}::uuid, ${endpoint.workspaceId}::uuid)`;
  await enter(1);
  startDispatcher();
  await waitFor(() => sent.length === 1, { what: 'the only one of this hour' });
  expect(sentIds()).toEqual([head]);
});

test('while the breaker is open nothing is sent; when it is closed, the line goes on at once', async () => {
  await setConfig({ rateLimit: { limit: 100, periodSeconds: 1 } });
  const openUntil = new Date(Date.now() + 3_600_000);
  const { endpointId } = endpoint;
  await db.endpointHealth.create({ data: { endpointId, consecutiveFailures: 10, openUntil } });
  const ids = await enter(3);
  startDispatcher();
  const hasWaited = async () =>
    (await db.endpointLine.findUniqueOrThrow({ where: { endpointId } })).nextAt >= openUntil;
  await waitFor(hasWaited, { what: 'a turn that finds the breaker open' });
  expect(sent).toEqual([]);
  await db.endpointHealth.delete({ where: { endpointId } });
  await allSent(ids);
});

test('a line of an endpoint with maxConcurrency never has more under way, and goes on as they end', async () => {
  await setConfig({ maxConcurrency: 2 });
  const ids = await enter(30);
  let [now, most] = [0, 0];
  const during = async () => {
    now += 1;
    most = Math.max(most, now);
    await db.$queryRaw`select pg_sleep(0.01)::text`;
    now -= 1;
  };
  for (let n = 0; n < 2; n += 1) startDispatcher(during);
  await allSent(ids);
  expect(most).toBeLessThanOrEqual(2);
});

test('a line whose rate has no time left has no turns meanwhile, also with maxConcurrency', async () => {
  const taken: string[] = [];
  const real = throttle;
  const takeSlot: Throttle['takeSlot'] = (endpointId, slot) => {
    taken.push(endpointId);
    return real.takeSlot(endpointId, slot);
  };
  throttle = { ...real, takeSlot };
  startDispatcher();
  throttle = real;
  const { endpointId } = endpoint;
  await setConfig({ ...HOURLY, maxConcurrency: 1 });
  await enter(2);
  await waitFor(() => sent.length === 1, { what: 'the only one of this hour' });
  // Another line, whose deliveries take a second.
  endpoint = await newEndpoint();
  await setConfig({ rateLimit: { limit: 10, periodSeconds: 1 } });
  await enter(10);
  await waitFor(() => sent.length === 11, { what: 'the deliveries of the other line' });
  expect(taken.filter((one) => one === endpointId).length).toBeLessThan(5);
});

test('the next turn comes at its time, however long a turn takes after it has reserved its times', async () => {
  let laterMs = 0;
  const real = throttle;
  const markLine: Throttle['markLine'] = (endpointId, forMs) => {
    laterMs += 3_600_000;
    real.markLine(endpointId, forMs);
  };
  throttle = { ...real, markLine };
  startDispatcher(async () => {}, { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + laterMs });
  throttle = real;
  await setConfig(HOURLY);
  await enter(2);
  const { endpointId } = endpoint;
  const nextInMs = async () =>
    (await db.endpointLine.findUniqueOrThrow({ where: { endpointId } })).nextAt.getTime() - Date.now();
  // During a turn, the next one is two seconds ahead.
  await waitFor(async () => (await nextInMs()) > 10_000, { what: 'the end of the turn' });
  expect(await nextInMs()).toBeLessThan(120_000);
});

test('a line that is paused sends nothing until the pause is over; another line goes on', async () => {
  let nowMs = 0;
  const mine = startDispatcher(async () => {}, { ...systemClock, monotonicMs: () => nowMs });
  mine.pause(endpoint.endpointId, 30_000);
  await setConfig({ maxConcurrency: 1 });
  const [paused = ''] = await enter(1);
  endpoint = await newEndpoint();
  await setConfig({ maxConcurrency: 1 });
  const [other = ''] = await enter(1);
  await allSent([other]);
  expect(sentIds()).toEqual([other]);
  nowMs = 30_000;
  await allSent([other, paused]);
  expect(sentIds()).toEqual([other, paused]);
});

/** Claims the first delivery of the line as another dispatcher would, and returns how to give it back to its place. */
async function claimFirst(deliveryId: string): Promise<() => Promise<void>> {
  const [at] = await db.$queryRaw<
    { place: string }[]
  >`select due_at::text as place from delivery where id = ${deliveryId}::uuid`;
  const { endpointId } = endpoint;
  const request = { deliveryId, eventId: deliveryId, endpointId, fromLine: true };
  const [claimed] = await claimDeliveries(db, [request], { defaultTimeoutSeconds: 15 });
  if (claimed?.kind !== 'claimed') throw new Error(`not claimed: ${claimed?.kind}`);
  const { leaseToken } = claimed;
  return async () => {
    await deferDeliveries(db, [{ deliveryId, leaseToken, delaySeconds: 0, entersLine: true, ...at }]);
  };
}

test('a delivery that is not sent in its turn keeps its place', async () => {
  const [first = '', second = ''] = await enter(2);
  const giveBack = await claimFirst(first);
  await giveBack();
  const [a, b] = [await dueAt(first), await dueAt(second)];
  expect([isInLine(a), a !== null && b !== null && a < b]).toEqual([true, true]);
});

test('a delivery that has lost two leases is claimed in isolation, and does not stop the line', async () => {
  await setConfig({ maxConcurrency: 1 });
  const ids = [...(await enter(1, { status: 'delivering', lostLeases: 1, dueInSeconds: -1 })), ...(await enter(2))];
  startDispatcher();
  await allSent(ids);
  expect(sentIds()).toEqual(ids);
});

/** Isolated turns that do not begin until `begin` is called. */
function heldTurns() {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const isolated: Isolation = (_workspaceId, work) => begun.then(() => work(async () => {}));
  return { begin, isolated };
}

const suspects = (count: number) => enter(count, { status: 'delivering', lostLeases: 1, dueInSeconds: -1 });

test('deliveries that wait for their isolated turn in every dispatcher take no slot; those behind them are sent', async () => {
  await setConfig({ maxConcurrency: 1 });
  const waiting = await suspects(2);
  const ids = await enter(3);
  const { begin, isolated } = heldTurns();
  for (let n = 0; n < 2; n += 1) startDispatcher(async () => {}, systemClock, isolated);
  await allSent(ids);
  expect(sentIds()).toEqual(ids);
  begin();
  await allSent([...ids, ...waiting]);
  expect(sentIds().slice(3).sort()).toEqual(waiting.sort());
});

test('suspects are attempted one at a time, even in several lines', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    endpoint = await newEndpoint();
    await setConfig({ maxConcurrency: 2 });
    ids.push(...(await suspects(2)));
  }
  let [now, most] = [0, 0];
  startDispatcher(async () => {
    now += 1;
    most = Math.max(most, now);
    await db.$queryRaw`select pg_sleep(0.01)::text`;
    now -= 1;
  });
  await allSent(ids);
  expect(most).toBe(1);
});

test('a delivery that waits for its isolated turn is not the probe: the one behind it is', async () => {
  await setConfig({ rateLimit: { limit: 100, periodSeconds: 1 } });
  const { endpointId } = endpoint;
  await db.endpointHealth.create({ data: { endpointId, consecutiveFailures: 10, openUntil: new Date() } });
  await suspects(1);
  const [probe = ''] = await enter(2);
  startDispatcher(async () => {}, systemClock, heldTurns().isolated);
  await waitFor(() => sent.length > 0, { what: 'the probe' });
  expect(sentIds()[0]).toBe(probe);
});

test.each([
  ['uses no time of the rate', HOURLY],
  ['leaves the only slot to the one behind it', { maxConcurrency: 1 }],
])('a delivery whose isolated turn never comes, because too many wait, %s', async (_what, limits) => {
  await setConfig(limits);
  await suspects(1);
  const [next = ''] = await enter(1);
  startDispatcher(
    async () => {},
    systemClock,
    async () => {},
  );
  await allSent([next]);
  expect(sentIds()).toEqual([next]);
});

test('a delivery that returns to its place has a turn, although the line was read from a later one', async () => {
  await setConfig({ maxConcurrency: 1 });
  const ids = await enter(2);
  const giveBack = await claimFirst(ids[0] ?? '');
  // Time stands still, so the line is not read from its start by itself.
  const clock = { ...systemClock, monotonicMs: () => 0 };
  let isBack: Promise<void> | undefined;
  startDispatcher(() => (isBack ??= giveBack()), clock);
  await allSent(ids);
  expect(sent.map(({ deliveryId }) => deliveryId)).toEqual([...ids].reverse());
});

/** The line of an endpoint that has been due for this long. */
const lineOf = (workspaceId: string, agoMs: number) => ({
  endpointId: randomUUID(),
  workspaceId,
  nextAt: new Date(Date.now() - agoMs),
});
const linesOf = (count: number, workspaceId: string) =>
  Array.from({ length: count }, () => lineOf(workspaceId, 60_000));

test('workspaces take turns: the line of one has its turn although another has more due lines than fit at once', async () => {
  const [greedy, other] = [randomUUID(), randomUUID()];
  await db.endpointLine.createMany({ data: [...linesOf(TURNS_AT_ONCE + 10, greedy), lineOf(other, 1_000)] });
  const turns = await takeLineTurns(db, { aheadSeconds: 0, hurried: [] });
  expect(turns).toHaveLength(TURNS_AT_ONCE);
  expect(turns.filter(({ workspaceId }) => workspaceId === other)).toHaveLength(1);
  // Lines that have had their turn are not due, so the next turns go to the others.
  expect(await takeLineTurns(db, { aheadSeconds: 0, hurried: [] })).toHaveLength(11);
});

test('a line has its turn beside any number of lines of another owner, in any number of workspaces, that are due for longer', async () => {
  const createdBy = randomUUID();
  const greedy: string[] = [];
  for (let n = 0; n < TURNS_AT_ONCE + 5; n += 1) {
    const { workspaceId } = await insertEndpoint(db);
    await db.workspace.update({ where: { id: workspaceId }, data: { createdBy } });
    greedy.push(workspaceId);
  }
  const many = greedy.flatMap((workspaceId) => linesOf(30, workspaceId));
  await db.endpointLine.createMany({ data: [...many, lineOf(endpoint.workspaceId, 1_000)] });
  const turns = await takeLineTurns(db, { aheadSeconds: 0, hurried: [] });
  expect(turns).toHaveLength(TURNS_AT_ONCE);
  expect(turns.filter(({ workspaceId }) => workspaceId === endpoint.workspaceId)).toHaveLength(1);
});
