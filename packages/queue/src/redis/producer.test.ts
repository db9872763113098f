import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { testRedis } from '@posthorn/testkit/database';
import { startTcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { Consumer } from '../consumer.ts';
import { DELIVER_QUEUE, type DeliverJob, type DeliverRequest, type FanOutJob } from '../jobs.ts';
import type { Depths, Producer } from '../producer.ts';
import { consumeDeliver, consumeFanOut } from './consumer.ts';
import { createProducer, deliverJobId } from './producer.ts';
import { FAN_OUT_ROOM } from './room.ts';

let place: { redisUrl: string; prefix: string };
let producer: Producer;
let consumers: Consumer[] = [];
beforeEach(() => {
  place = testRedis();
  producer = createProducer({ ...place, onError: () => {}, monotonicMs: () => performance.now() });
});
afterEach(async () => {
  await Promise.all(consumers.map((consumer) => consumer.close()));
  consumers = [];
  await producer.close();
});

const delivery = (n: number, given: object = {}) => ({
  deliveryId: `0193c5a1-7f00-7000-8000-${String(n).padStart(12, '0')}`,
  eventId: `0193c5a1-7f00-7000-8001-${String(n).padStart(12, '0')}`,
  endpointId: `0193c5a1-7f00-7000-8000-0000000000e${n % 10}`,
  workspaceId: '0193c5a1-7f00-7000-8000-0000000000f0',
  generation: 0,
  delayMs: 0,
  ...given,
});

const none = { waiting: 0, delayed: 0 };

/** The bytes that Redis takes for a job apart from its data, with a margin. */
const REDIS_BYTES_OF_JOB = 2_000;

const group = { workspaceId: 'w', environmentId: 'n', eventType: 'order.created', applicationId: null };
const event = (eventId: string, workspaceId = 'w') => ({ ...group, eventId, workspaceId });
const eventIdsOf = (jobs: readonly FanOutJob[]) => jobs.map(({ groups }) => groups.flatMap(({ eventIds }) => eventIds));

/** The producer connects in the background. */
const connected = () => waitFor(() => isThere(producer), { what: 'the producer to be connected' });
const isThere = (asked: Producer) =>
  asked.ping().then(
    () => true,
    () => false,
  );

function consume(handle: (job: DeliverJob) => Promise<void>, given: { concurrency?: number; errors?: Error[] } = {}) {
  const consumer = consumeDeliver({
    ...place,
    concurrency: given.concurrency ?? 10,
    handle,
    onJobError: (error) => given.errors?.push(error),
    onError: () => {},
  });
  consumers.push(consumer);
  return consumer;
}

describe('jobs', () => {
  beforeEach(connected);

  test('hold ids only, and their mode', async () => {
    const jobs: DeliverJob[] = [];
    await producer.enqueueDeliveries([delivery(1, { generation: 3 }), delivery(2, { mode: 'isolated' })]);
    consume(async (job) => {
      jobs.push(job);
    });
    await waitFor(() => jobs.length === 2, { what: 'two jobs' });
    const idsOf = ({ generation: _, delayMs: __, ...ids }: DeliverRequest) => ids;
    expect(jobs).toEqual([idsOf(delivery(1)), { ...idsOf(delivery(2)), mode: 'isolated' }]);
  });

  test('that are live are not added twice; those of another generation or round are added', async () => {
    await producer.enqueueDeliveries([delivery(1), delivery(1), delivery(2, { delayMs: 60_000 })]);
    await producer.enqueueDeliveries([delivery(1), delivery(2)]);
    expect(await producer.depths()).toEqual({ fanOut: none, deliver: { waiting: 1, delayed: 1 } });
    await producer.enqueueDeliveries([delivery(1, { generation: 1 }), delivery(1, { round: 7 })]);
    expect(await producer.depths()).toMatchObject({ deliver: { waiting: 3, delayed: 1 } });
  });

  test('are removed once they are processed, even after an error: the same id can be enqueued again', async () => {
    const seen: string[] = [];
    const errors: Error[] = [];
    consume(
      async ({ deliveryId }) => {
        seen.push(deliveryId);
        if (seen.length === 1) throw new Error('away');
      },
      { errors },
    );
    for (const count of [1, 2, 3]) {
      await producer.enqueueDeliveries([delivery(1)]);
      await waitFor(() => seen.length === count, { what: `job ${count}` });
      await waitFor(async () => (await keys()).every((key) => !key.includes(deliverJobId(delivery(1)))), {
        what: 'the job to be gone',
      });
    }
    expect(errors.map((error) => error.message)).toEqual(['away']);
  });

  test('that are delayed run when they are due', async () => {
    const seen: number[] = [];
    const beganMs = performance.now();
    consume(async () => {
      seen.push(performance.now() - beganMs);
    });
    await producer.enqueueDeliveries([delivery(1, { delayMs: 300 })]);
    await waitFor(() => seen.length === 1, { what: 'the delayed job' });
    expect(seen[0]).toBeGreaterThanOrEqual(290);
  });

  test('whose data Redis has lost are dropped: they fail nothing that is handled beside them', async () => {
    const redis = new Redis(place.redisUrl);
    const [lost, kept] = [delivery(1), delivery(2)];
    await producer.enqueueDeliveries([lost, kept]);
    expect(await redis.del(`${place.prefix}:${DELIVER_QUEUE}:${deliverJobId(lost)}`)).toBe(1);
    const seen: string[] = [];
    const errors: Error[] = [];
    consume(async ({ deliveryId }) => void seen.push(deliveryId), { errors });
    await waitFor(async () => (await producer.depths()).deliver.waiting === 0 && seen.length > 0, { what: 'the job' });
    expect([seen, errors]).toEqual([[kept.deliveryId], []]);
    redis.disconnect();
  });

  test('wait while an operator has paused their queue, and the pause can be read', async () => {
    const redis = new Redis(place.redisUrl);
    const queue = new Queue(DELIVER_QUEUE, { connection: redis, prefix: place.prefix });
    await queue.pause();
    expect([await producer.isPaused('deliver'), await producer.isPaused('fanOut')]).toEqual([true, false]);
    await producer.enqueueDeliveries([delivery(1)]);
    expect(await producer.depths()).toMatchObject({ deliver: { waiting: 1 } });
    await queue.resume();
    expect(await producer.isPaused('deliver')).toBe(false);
    await queue.close();
    redis.disconnect();
  });

  test('are not added for an empty list', async () => {
    await producer.enqueueDeliveries([]);
    await producer.enqueueFanOut([]);
    expect(await producer.enqueueOverdue([])).toBe(0);
    expect(await producer.depths()).toEqual({ fanOut: none, deliver: none });
  });

  test('of a flood run after a single job of another workspace that was enqueued later, except the first ten', async () => {
    const flood = Array.from({ length: 300 }, (_, n) => delivery(n, { endpointId: 'flooded' }));
    await producer.enqueueDeliveries(flood);
    await producer.enqueueDeliveries([delivery(1_000, { workspaceId: 'other' })]);
    expect(await producer.depths()).toMatchObject({ deliver: { waiting: 301 } });
    const seen: string[] = [];
    consume(async ({ deliveryId }) => void seen.push(deliveryId), { concurrency: 1 });
    await waitFor(() => seen.length === 301, { what: 'all jobs' });
    // Jobs within their share are processed in the order in which they were added.
    expect(seen.indexOf(delivery(1_000).deliveryId)).toBe(10);
    expect(new Set(seen).size).toBe(301);
  });

  test('for an expired lease run before all waiting jobs', async () => {
    await producer.enqueueDeliveries(Array.from({ length: 50 }, (_, n) => delivery(n)));
    await producer.enqueueDeliveries([delivery(1_000, { mode: 'expired_lease' })]);
    const seen: string[] = [];
    consume(async ({ deliveryId }) => void seen.push(deliveryId), { concurrency: 1 });
    await waitFor(() => seen.length === 51, { what: 'all jobs' });
    expect(seen[0]).toBe(delivery(1_000).deliveryId);
  });
});

describe('overdue deliveries', () => {
  beforeEach(connected);

  const overdue = (n: number, given: object = {}) => ({ ...delivery(n), round: 1, ...given });
  const deliverJobs = async () => {
    const all = await keys();
    return all.flatMap((key) => /:deliver:(0193c5a1-.*)$/.exec(key)?.[1] ?? []).sort();
  };
  const jobsOf = async (n: number) => {
    const { deliveryId } = delivery(n);
    const jobs = await deliverJobs();
    return jobs.flatMap((id) => (id.startsWith(deliveryId) ? [id.slice(deliveryId.length + 1)] : []));
  };
  /** Adds enough waiting jobs that an overdue delivery may have one among them. */
  const keepBusy = () => fill('deliver', 'prioritized', 100);

  test('without a job are enqueued, and their number is returned', async () => {
    expect(await producer.enqueueOverdue([overdue(1), overdue(2, { generation: 3 })])).toBe(2);
    expect(await producer.depths()).toMatchObject({ deliver: { waiting: 2 } });
    await keepBusy();
    expect(await producer.enqueueOverdue([overdue(3), overdue(4, { generation: 3 })])).toBe(2);
    expect([await jobsOf(3), await jobsOf(4)]).toEqual([['0'], ['3']]);
  });

  test('with a live job are not enqueued while 100 jobs wait; those of another generation are', async () => {
    await keepBusy();
    await producer.enqueueDeliveries([delivery(1), delivery(2, { delayMs: 3_000 })]);
    expect(await producer.enqueueOverdue([overdue(1), overdue(2), overdue(1, { generation: 1 })])).toBe(1);
    expect([await jobsOf(1), await jobsOf(2)]).toEqual([['0', '1'], ['0']]);
    expect(await producer.enqueueOverdue([overdue(1), overdue(2), overdue(1, { generation: 1 })])).toBe(0);
  });

  test('with a job that is delayed by more than 5 s are enqueued once under round 0', async () => {
    await keepBusy();
    await producer.enqueueDeliveries([delivery(1, { delayMs: 3_600_000 }), delivery(2, { delayMs: 4_000 })]);
    await producer.enqueueOverdue([overdue(1, { round: 5 }), overdue(2, { round: 5 })]);
    await producer.enqueueOverdue([overdue(1, { round: 6 }), overdue(2, { round: 6 })]);
    expect([await jobsOf(1), await jobsOf(2)]).toEqual([['0', '0-0'], ['0']]);
    expect(await producer.depths()).toMatchObject({ deliver: { waiting: 101, delayed: 2 } });
  });

  test('are enqueued once for each round while fewer than 100 jobs wait: an earlier job was lost', async () => {
    await fill('deliver', 'prioritized', 98);
    await producer.enqueueDeliveries([delivery(1)]);
    expect(await producer.enqueueOverdue([overdue(1, { round: 5 })])).toBe(1);
    await empty('deliver', 'prioritized');
    expect(await producer.enqueueOverdue([overdue(1, { round: 5 })])).toBe(0);
    expect(await producer.enqueueOverdue([overdue(1, { round: 6 })])).toBe(1);
    expect(await jobsOf(1)).toEqual(['0', '0-5', '0-6']);
  });

  test('keep their mode', async () => {
    const jobs: DeliverJob[] = [];
    await producer.enqueueOverdue([overdue(1, { mode: 'isolated' }), overdue(2, { mode: 'expired_lease' })]);
    consume(async (job) => void jobs.push(job), { concurrency: 1 });
    await waitFor(() => jobs.length === 2, { what: 'two jobs' });
    expect(jobs.map(({ mode }) => mode)).toEqual(['expired_lease', 'isolated']);
  });
});

describe('fan-out jobs', () => {
  beforeEach(connected);

  function consumeEvents() {
    const jobs: FanOutJob[] = [];
    const handle = async (job: FanOutJob) => void jobs.push(job);
    consumers.push(consumeFanOut({ ...place, concurrency: 1, handle, onJobError: () => {}, onError: () => {} }));
    return jobs;
  }

  test('hold the ids of their events, grouped by the endpoints they match', async () => {
    const other = [{ eventType: 'order.deleted' }, { environmentId: 'm' }, { applicationId: 'p' }];
    const others = other.map((given, n) => ({ ...event(`other-${n}`), ...given }));
    await producer.enqueueFanOut([event('a'), ...others, event('b')]);
    const jobs = consumeEvents();
    await waitFor(() => jobs.length === 1, { what: 'the fan-out job' });
    const groups = other.map((given, n) => ({ ...group, ...given, eventIds: [`other-${n}`] }));
    expect(jobs).toEqual([{ groups: [{ ...group, eventIds: ['a', 'b'] }, ...groups] }]);
  });

  test('hold the events of a workspace over its share separately, after all others', async () => {
    const flood = Array.from({ length: 250 }, (_, n) => event(`flood-${n}`, 'flooding'));
    await producer.enqueueFanOut([...flood, event('single', 'other')]);
    const jobs = consumeEvents();
    await waitFor(() => eventIdsOf(jobs).flat().length === 251, { what: 'all events' });
    expect(eventIdsOf(jobs).map((eventIds) => eventIds.length)).toEqual([101, 100, 50]);
    expect(eventIdsOf(jobs)[0]).toContain('single');
    expect(jobs.map(({ isOfFlood }) => isOfFlood)).toEqual([undefined, true, true]);
  });

  test('of many types are so small that a full queue takes less than 60 MiB of Redis', async () => {
    const others = Array.from({ length: 100 }, (_, n) => ({
      ...event(randomUUID()),
      workspaceId: randomUUID(),
      environmentId: randomUUID(),
      applicationId: randomUUID(),
      eventType: `${'t'.repeat(100)}${n}`,
      isOrdered: true as const,
    }));
    await producer.enqueueFanOut(others);
    const jobs = consumeEvents();
    await waitFor(() => eventIdsOf(jobs).flat().length === 100, { what: 'all events' });
    expect(eventIdsOf(jobs).flat()).toEqual(others.map(({ eventId }) => eventId));
    const largest = Math.max(...jobs.map((job) => JSON.stringify(job).length));
    expect(FAN_OUT_ROOM.waiting * (largest + REDIS_BYTES_OF_JOB)).toBeLessThan(60 * 1_024 ** 2);
  });

  test('of suspects hold no other events', async () => {
    const suspects = ['x', 'y'].map((eventId) => ({ ...event(eventId), mode: 'suspect' as const }));
    await producer.enqueueFanOut([...suspects, event('a')]);
    const jobs = consumeEvents();
    await waitFor(() => jobs.length === 2, { what: 'both jobs' });
    expect(jobs.map(({ mode }) => mode).sort()).toEqual(['suspect', undefined]);
    expect(jobs.find(({ mode }) => mode === 'suspect')?.groups[0]?.eventIds).toEqual(['x', 'y']);
  });

  test('of isolated events hold one event each, once for each event, and run last', async () => {
    const isolated = ['x', 'y'].map((eventId) => ({ ...event(eventId), mode: 'isolated' as const }));
    await producer.enqueueFanOut([...isolated, event('a')]);
    await producer.enqueueFanOut([...isolated, event('b')]);
    expect(await producer.depths()).toMatchObject({ fanOut: { waiting: 4 } });
    const jobs = consumeEvents();
    await waitFor(() => jobs.length === 4, { what: 'all jobs' });
    expect(eventIdsOf(jobs)).toEqual([['a'], ['b'], ['x'], ['y']]);
    expect(jobs.map(({ mode }) => mode)).toEqual([undefined, undefined, 'isolated', 'isolated']);
  });
});

test('a hand-over job that is sent again after a cut connection is there once', async () => {
  const { generation: _generation, delayMs: _delayMs, ...ids } = delivery(1);
  const leaseToken = randomUUID();
  let state: 'before' | 'sent' | 'cut' = 'before';
  const target = new URL(place.redisUrl);
  const gate = await startTcpGate(place.redisUrl, {
    inspect: () => ({
      toTarget(chunk) {
        if (state === 'before' && chunk.includes(ids.deliveryId)) state = 'sent';
        return true;
      },
      // The job has been added, but its producer does not hear of it.
      fromTarget() {
        if (state !== 'sent') return true;
        state = 'cut';
        return false;
      },
    }),
  });
  target.host = new URL(gate.url).host;
  const own = createProducer({
    ...place,
    redisUrl: target.href,
    onError: () => {},
    monotonicMs: () => performance.now(),
  });
  await waitFor(() => isThere(own), { what: 'the producer to be connected' });
  await own.handOver([{ workspaceId: 'w', eventType: 'order.created', deliveries: [ids] }], leaseToken);
  expect(state).toBe('cut');
  expect(await producer.waiting('handOver')).toBe(1);
  await own.close();
  await gate.close();
});

describe('the room of a queue', () => {
  beforeEach(connected);

  const added = async (queue: 'deliver' | 'fanOut', before: Depths) => {
    const { waiting, delayed } = (await producer.depths())[queue];
    return { waiting: waiting - before.waiting, delayed: delayed - before.delayed };
  };

  test('reserves its last fifth for jobs within their share; delayed jobs are counted separately', async () => {
    await fill('deliver', 'prioritized', 40_000);
    const flood = Array.from({ length: 150 }, (_, n) => delivery(n, { endpointId: 'flooded' }));
    await producer.enqueueDeliveries([...flood, delivery(500, { delayMs: 60_000 }), delivery(501)]);
    expect(await added('deliver', { waiting: 40_000, delayed: 0 })).toEqual({ waiting: 11, delayed: 1 });
  });

  test('accepts no job once it is full: the job waits in Postgres; freed room is noticed', async () => {
    await fill('deliver', 'prioritized', 50_000);
    await producer.enqueueDeliveries([delivery(1)]);
    expect(await added('deliver', { waiting: 50_000, delayed: 0 })).toEqual(none);
    await empty('deliver', 'prioritized');
    await waitFor(
      async () => {
        await producer.enqueueDeliveries([delivery(1)]);
        return (await producer.depths()).deliver.waiting === 1;
      },
      { what: 'room to be noticed' },
    );
  });

  test('holds retries of hours ahead as delayed jobs', async () => {
    await producer.enqueueDeliveries([delivery(1, { delayMs: 86_400_000 })]);
    expect(await producer.depths()).toMatchObject({ deliver: { waiting: 0, delayed: 1 } });
  });

  test('refuses retries of hours ahead at 10,000 delayed jobs, and accepts those of minutes', async () => {
    await fill('deliver', 'delayed', 10_000);
    await producer.enqueueDeliveries([delivery(1, { delayMs: 3_600_000 }), delivery(2, { delayMs: 300_000 })]);
    expect(await added('deliver', { waiting: 0, delayed: 10_000 })).toEqual({ waiting: 0, delayed: 1 });
  });

  test('refuses all delayed jobs at 20,000, and accepts jobs that are due now', async () => {
    await fill('deliver', 'delayed', 20_000);
    await producer.enqueueDeliveries([delivery(500, { delayMs: 60_000 }), delivery(501)]);
    expect(await added('deliver', { waiting: 0, delayed: 20_000 })).toEqual({ waiting: 1, delayed: 0 });
  });

  test('refuses fan-out jobs of a flood at 4,000', async () => {
    await fill('fan-out', 'prioritized', 4_000);
    const flood = Array.from({ length: 150 }, (_, n) => event(`flood-${n}`, 'flooding'));
    await producer.enqueueFanOut([...flood, event('single', 'other')]);
    expect(await added('fanOut', { waiting: 4_000, delayed: 0 })).toEqual({ waiting: 1, delayed: 0 });
  });

  test('refuses all fan-out jobs at 5,000', async () => {
    await fill('fan-out', 'prioritized', 5_000);
    await producer.enqueueFanOut([event('single')]);
    expect(await added('fanOut', { waiting: 5_000, delayed: 0 })).toEqual(none);
  });
});

test('one producer of all gets the reconciler’s turn, until it ends or is shortened', async () => {
  const other = createProducer({ ...place, onError: () => {}, monotonicMs: () => performance.now() });
  await connected();
  await waitFor(() => isThere(other), { what: 'the other one to be connected' });
  const take = (forMs: number) => Promise.all([producer.takeReconcilerTurn(forMs), other.takeReconcilerTurn(forMs)]);
  expect((await take(60_000)).sort()).toEqual([false, true]);
  expect(await take(60_000)).toEqual([false, false]);
  await other.shortenReconcilerTurn(1);
  await waitFor(() => other.takeReconcilerTurn(50), { what: 'the shortened turn to be over' });
  await waitFor(() => producer.takeReconcilerTurn(60_000), { what: 'the turn to be over' });
  expect(await take(60_000)).toEqual([false, false]);
  // A turn that lasts longer than any other is from before Redis' clock was set back.
  expect((await take(30_000)).sort()).toEqual([false, true]);
  await other.close();
});

describe('while Redis is away', () => {
  test('a producer’s calls reject at once', async () => {
    const away = createProducer({
      redisUrl: 'redis://127.0.0.1:9',
      prefix: 'p',
      onError: () => {},
      monotonicMs: () => performance.now(),
    });
    await expect(away.enqueueDeliveries([delivery(1)])).rejects.toThrow();
    await expect(away.enqueueFanOut([event('a')])).rejects.toThrow();
    await expect(away.depths()).rejects.toThrow();
    await expect(away.ping()).rejects.toThrow();
    await away.close();
  });

  test('a producer that was created while Redis was away, and loses Redis again, enqueues whenever Redis is there', async () => {
    const gate = await startTcpGate(place.redisUrl);
    await gate.shut();
    const own = createProducer({
      redisUrl: gate.url,
      prefix: place.prefix,
      onError: () => {},
      monotonicMs: () => performance.now(),
    });
    let told = 0;
    own.onReachable(() => {
      told += 1;
    });
    for (const round of [1, 2]) {
      await expect(own.enqueueDeliveries([delivery(round)])).rejects.toThrow();
      expect(told).toBe(round - 1);
      await gate.open();
      await waitFor(() => isThere(own), { what: 'Redis to be back' });
      expect(told).toBe(round);
      await own.enqueueDeliveries([delivery(round)]);
      expect(await own.depths()).toMatchObject({ deliver: { waiting: round } });
      await gate.shut();
      await waitFor(async () => !(await isThere(own)), { what: 'Redis to be away' });
    }
    await own.close();
    await gate.close();
  });

  test('a Redis that answers reads but refuses writes fails the ping', async () => {
    const admin = new Redis(place.redisUrl);
    const [user, password] = [`reader-${place.prefix}`, 'read'];
    await admin.call('ACL', 'SETUSER', user, 'on', `>${password}`, '~*', '&*', '+@all', '-@write');
    const redisUrl = Object.assign(new URL(place.redisUrl), { username: user, password }).href;
    const own = createProducer({ ...place, redisUrl, onError: () => {}, monotonicMs: () => performance.now() });
    await waitFor(() => own.depths(), { what: 'it to be connected' });
    await expect(own.ping()).rejects.toThrow(/NOPERM/);
    await admin.call('ACL', 'SETUSER', user, '+@write');
    await own.ping();
    await own.close();
    await admin.call('ACL', 'DELUSER', user);
    admin.disconnect();
  });
});

async function keys(): Promise<string[]> {
  const redis = new Redis(place.redisUrl);
  const found = await redis.keys(`${place.prefix}:*`);
  redis.disconnect();
  return found;
}

const setOf = (queue: 'deliver' | 'fan-out', state: 'prioritized' | 'delayed') => `${place.prefix}:${queue}:${state}`;

/** Adds entries that count as jobs. */
async function fill(queue: 'deliver' | 'fan-out', state: 'prioritized' | 'delayed', count: number): Promise<void> {
  const redis = new Redis(place.redisUrl);
  const fillers = Array.from({ length: count }, (_, n) => [n, `filler-${n}`]).flat();
  for (let start = 0; start < fillers.length; start += 20_000) {
    await redis.zadd(setOf(queue, state), ...fillers.slice(start, start + 20_000));
  }
  redis.disconnect();
}

async function empty(queue: 'deliver' | 'fan-out', state: 'prioritized' | 'delayed'): Promise<void> {
  const redis = new Redis(place.redisUrl);
  await redis.del(setOf(queue, state));
  redis.disconnect();
}
