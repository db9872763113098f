import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { parseSealingKeys } from '@posthorn/crypto/seal';
import { withConnection } from '@posthorn/db/connection';
import { openQueues } from '@posthorn/queue/open-queues';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase } from '@posthorn/testkit/database';
import { insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import { forgetGauges, readGauges, startGauges } from './gauges.ts';
import { createMetrics } from './metrics.ts';

const database = await createTestDatabase();
const { db } = database;
const endpoint = await insertEndpoint(db);
afterAll(() => database.drop());
beforeEach(async () => {
  await db.delivery.deleteMany();
  await db.pendingFanOut.deleteMany();
  await db.scheduledEvent.deleteMany();
});

const depths = async () => ({ fanOut: { waiting: 1, delayed: 0 }, deliver: { waiting: 2, delayed: 3 } });

async function figures() {
  const metrics = createMetrics();
  await readGauges({ db, metrics, producer: { depths } });
  const oldest = (await metrics.oldestDueSeconds.get()).values[0]?.value ?? Number.NaN;
  return { oldest, depths: (await metrics.queueDepth.get()).values };
}

/** Tolerates an hour, because the machine may be slow. */
const about = (seconds: number) => ({ atLeast: seconds, below: seconds + 3_600 });

test('the oldest due is the oldest delivery that is due and not leased', async () => {
  await insertDelivery(db, endpoint, { dueInSeconds: 10_000 });
  expect((await figures()).oldest).toBe(0);
  const held = await insertDelivery(db, endpoint, { status: 'delivering', dueInSeconds: 10_000 });
  await db.$executeRaw`update delivery set due_at = now() - interval '20 hours' where id = ${held.deliveryId}::uuid`;
  expect((await figures()).oldest).toBe(0);
  await insertDelivery(db, endpoint, { status: 'scheduled_retry', dueInSeconds: -10_000 });
  expectAbout((await figures()).oldest, about(10_000));
  await db.$executeRaw`update delivery set leased_until = now() where id = ${held.deliveryId}::uuid`;
  expectAbout((await figures()).oldest, about(72_000));
});

test('a session that listens and does not read shows in the use of the queue of notifications', async () => {
  await withConnection(database.databaseUrl, async (listener) => {
    await listener.query('listen gauges_test');
    // Inside a transaction, no notification is read before its end.
    await listener.query('begin');
    await listener.query('select 1');
    await db.$executeRaw`select pg_notify('gauges_test', repeat('x', 7900) || n) from generate_series(1, 20) n`;
    const metrics = createMetrics();
    await readGauges({ db, metrics, producer: { depths } });
    expect((await metrics.busQueueUsage.get()).values[0]?.value).toBeGreaterThan(0);
  });
});

test('what no consumer has fetched is counted apart, with the age of the oldest that is due', async () => {
  const pulled = await insertEndpoint(db);
  await db.endpoint.update({ where: { id: pulled.endpointId }, data: { isPulled: true } });
  const metrics = createMetrics();
  const read = async () => {
    await readGauges({ db, metrics, producer: { depths } });
    const [waiting, age] = await Promise.all([metrics.pullWaiting.get(), metrics.oldestPullSeconds.get()]);
    return { waiting: waiting.values[0]?.value, age: age.values[0]?.value ?? Number.NaN };
  };
  expect(await read()).toEqual({ waiting: 0, age: 0 });
  for (const [dueInSeconds, status] of [
    [-20_000, 'pending'],
    [40_000, 'scheduled_retry'],
    [-30_000, 'delivering'],
  ] as const) {
    const { deliveryId } = await insertDelivery(db, pulled, { status, dueInSeconds });
    await db.$executeRaw`update delivery set is_pulled = true,
      due_at = due_of(now() + make_interval(secs => ${dueInSeconds}::int), true) where id = ${deliveryId}::uuid`;
  }
  const { waiting, age } = await read();
  expect(waiting).toBe(2);
  expectAbout(age, about(20_000));
  await db.endpoint.update({ where: { id: pulled.endpointId }, data: { isActive: false } });
  expect(await read()).toEqual({ waiting: 0, age: 0 });
});

test('the age of an event that is not fanned out counts from its acceptance', async () => {
  const first = newUuid(new Date());
  await db.$executeRaw`
    insert into pending_fan_out (event_id, enqueued_at) values
      (${first}::uuid, now() - interval '50000 seconds'), (${newUuid(new Date())}::uuid, now())`;
  expectAbout((await figures()).oldest, about(50_000));
  await insertDelivery(db, endpoint, { dueInSeconds: -90_000 });
  expectAbout((await figures()).oldest, about(90_000));
});

test('an event that was scheduled counts from its time, and hides no event that waits longer', async () => {
  const [scheduled, plain] = [newUuid(new Date(Date.now() - 80_000_000)), newUuid(new Date())];
  await db.$executeRaw`
    insert into pending_fan_out (event_id, enqueued_at) values
      (${scheduled}::uuid, now()), (${plain}::uuid, now() - interval '50000 seconds')`;
  expectAbout((await figures()).oldest, about(50_000));
  const at = (secondsAgo: number) => ({
    ...{ eventId: newUuid(new Date()), environmentId: endpoint.environmentId },
    deliverAt: new Date(Date.now() - secondsAgo * 1_000),
  });
  await db.scheduledEvent.createMany({ data: [at(70_000), at(-10_000)] });
  expectAbout((await figures()).oldest, about(70_000));
});

test('an open breaker is counted as long as its endpoint is active', async () => {
  const metrics = createMetrics();
  const [active, inactive] = [await insertEndpoint(db), await insertEndpoint(db, { isActive: false })];
  const deleted = await insertEndpoint(db, { deletedAt: new Date() });
  for (const { endpointId } of [active, inactive, deleted]) {
    const openUntil = new Date(Date.now() + 60_000);
    await db.endpointHealth.create({ data: { endpointId, consecutiveFailures: 10, openUntil } });
  }
  await readGauges({ db, metrics, producer: { depths } });
  expect((await metrics.breakers.get()).values).toEqual([
    { labels: { state: 'open' }, value: 1 },
    { labels: { state: 'probe_due' }, value: 0 },
  ]);
});

test('subscriptions of agents are counted while they live, when they are suspended, and in the hour after their end', async () => {
  const metrics = createMetrics();
  for (const [lives, isSuspended] of [
    [true, false],
    [true, true],
    [false, false],
    [false, true],
  ]) {
    const { endpointId, workspaceId, environmentId } = await insertEndpoint(db);
    await db.endpoint.update({ where: { id: endpointId }, data: { isTemporary: true } });
    await db.agentSubscription.create({
      data: {
        ...{ endpointId, workspaceId, environmentId, identity: `mcs_${endpointId}`, principal: 'key:one' },
        ...{ eventTypeId: newUuid(new Date()), eventType: 'order.created', arguments: {}, url: 'https://agent.test/' },
        ...{ dialect: 'sep', expiresAt: new Date(Date.now() + (lives ? 600_000 : -600_000)) },
      },
    });
    const openUntil = new Date(Date.now() + 60_000);
    if (lives && isSuspended) {
      await db.endpointHealth.create({ data: { endpointId, consecutiveFailures: 10, openUntil } });
    }
    const endedAt = new Date(Date.now() - (isSuspended ? 7_200_000 : 60_000));
    if (!lives) await db.agentSubscription.update({ where: { endpointId }, data: { endedAt, endReason: 'expired' } });
  }
  await readGauges({ db, metrics, producer: { depths } });
  expect((await metrics.agentSubscriptions.get()).values).toEqual([
    { labels: { state: 'live' }, value: 2 },
    { labels: { state: 'suspended' }, value: 1 },
  ]);
  // The other subscription ended more than an hour ago.
  expect((await metrics.agentEnds.get()).values).toEqual([{ labels: { reason: 'expired' }, value: 1 }]);
  await db.endpointHealth.deleteMany();
});

test('waiting jobs and delayed jobs are counted separately', async () => {
  expect((await figures()).depths).toEqual([
    { labels: { queue: 'fan-out', state: 'waiting' }, value: 1 },
    { labels: { queue: 'deliver', state: 'waiting' }, value: 2 },
    { labels: { queue: 'deliver', state: 'delayed' }, value: 3 },
  ]);
});

test('a leased delivery without an end of its lease counts from the time when it was due', async () => {
  const { deliveryId } = await insertDelivery(db, endpoint, { status: 'delivering' });
  await db.$executeRaw`
    update delivery set due_at = now() - interval '20 hours', leased_until = null where id = ${deliveryId}::uuid`;
  expectAbout((await figures()).oldest, about(72_000));
});

test('the oldest snapshot belongs to the session that has held one for the longest time; lines are counted', async () => {
  const metrics = createMetrics();
  await withConnection(database.databaseUrl, async (session) => {
    await session.query('begin isolation level repeatable read');
    await session.query('select 1 from endpoint');
    await db.endpointLine.create({ data: { ...endpointKeys(), nextAt: new Date() } });
    const [row] = await db.$queryRaw<{ age: number }[]>`
      select max(extract(epoch from now() - xact_start))::float8 as age from pg_stat_activity
      where state = 'idle in transaction' and datname = current_database()`;
    await readGauges({ db, metrics, producer: { depths } });
    expect((await metrics.oldestSnapshotSeconds.get()).values[0]?.value).toBeGreaterThanOrEqual(row?.age ?? Number.NaN);
  });
  expect((await metrics.lines.get()).values[0]?.value).toBe(1);
});

const endpointKeys = () => ({ endpointId: endpoint.endpointId, workspaceId: endpoint.workspaceId });

test('forgotten gauges have no value: another dispatcher shows its own', async () => {
  const metrics = createMetrics();
  await insertDelivery(db, endpoint, { dueInSeconds: -10_000 });
  await readGauges({ db, metrics, producer: { depths } });
  forgetGauges(metrics);
  expect((await metrics.queueDepth.get()).values).toEqual([]);
  expect((await metrics.breakers.get()).values).toEqual([]);
  expect((await metrics.oldestDueSeconds.get()).values[0]?.value ?? 0).toBe(0);
  await readGauges({ db, metrics, producer: { depths } });
  expect((await metrics.queueDepth.get()).values).toHaveLength(3);
});

/** A dispatcher without Redis, with the turns that it asked for. */
async function keepsGauges(intervalMs: number, readsFrom = db) {
  const SEALING_KEYS = parseSealingKeys(`test:${Buffer.alloc(32, 7).toString('base64')}`);
  const settings = {
    QUEUE_PREFIX: 'gauges',
    DELIVER_QUEUE_SHARDS: 1,
    DATABASE_URL: database.databaseUrl,
    SEALING_KEYS,
  };
  const { monotonicMs } = systemClock;
  const queues = await openQueues(settings, { db, role: 'dispatcher', monotonicMs, onError: () => {} });
  const producer = queues.openProducer();
  const turns: { forMs: number; taken: boolean }[] = [];
  const metrics = createMetrics();
  const takeReconcilerTurn = async (forMs: number) => {
    const taken = await producer.takeReconcilerTurn(forMs);
    turns.push({ forMs, taken });
    return taken;
  };
  let stop = async () => {};
  startGauges({
    ...{ db: readsFrom, metrics, clock: systemClock, intervalMs, quiet: { warn: () => {} } },
    producer: { ...producer, takeReconcilerTurn },
    lifecycle: {
      onStop(_part, stopGauges) {
        stop = async () => {
          await stopGauges();
          await queues.close();
        };
      },
    },
  });
  return { turns, producer, metrics, stop };
}

test('a dispatcher that cannot read the gauges leaves them to another, and shows none', async () => {
  const failing = new Proxy(db, {
    get(target, name) {
      return name === 'operation' ? { groupBy: () => Promise.reject(new Error('away')) } : Reflect.get(target, name);
    },
  });
  const first = await keepsGauges(600_000, failing);
  await waitFor(() => first.turns.length === 1, { what: 'the turn that fails' });
  const second = await keepsGauges(10);
  await waitFor(() => second.turns.some(({ taken }) => taken), { what: 'the turn of the other one' });
  expect((await first.metrics.breakers.get()).values).toEqual([]);
  await first.stop();
  await second.stop();
});

test('one dispatcher keeps the gauges until it stops, and then another takes them over', async () => {
  const everyMs = 600_000;
  const first = await keepsGauges(everyMs);
  await waitFor(() => first.turns.length === 1, { what: 'the first turn' });
  const second = await keepsGauges(10);
  await waitFor(() => second.turns.length >= 5, { what: 'refused turns' });
  expect(second.turns.some(({ taken }) => taken)).toBe(false);
  // Its turn lasts until its next round, which prolongs it.
  expect(first.turns).toEqual([{ forMs: expect.any(Number), taken: true }]);
  expect(first.turns[0]?.forMs).toBeGreaterThan(everyMs);
  expect(await first.producer.takeReconcilerTurn(everyMs)).toBe(true);
  await first.stop();
  await waitFor(() => second.turns.some(({ taken }) => taken), { what: 'the turn of the other one' });
  await second.stop();
});

test('without Redis the age is read, and the depths have no value', async () => {
  const metrics = createMetrics();
  await readGauges({ db, metrics, producer: { depths } });
  await insertDelivery(db, endpoint, { dueInSeconds: -10_000 });
  const producer = { depths: () => Promise.reject(new Error('Redis is away')) };
  await expect(readGauges({ db, metrics, producer })).rejects.toThrow('Redis is away');
  expectAbout((await metrics.oldestDueSeconds.get()).values[0]?.value ?? Number.NaN, about(10_000));
  expect((await metrics.queueDepth.get()).values).toEqual([]);
});

function expectAbout(seconds: number, { atLeast, below }: ReturnType<typeof about>): void {
  expect(seconds).toBeGreaterThanOrEqual(atLeast);
  expect(seconds).toBeLessThan(below);
}
