import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { testRedis } from '@posthorn/testkit/database';
import { askRedis } from '@posthorn/testkit/redis-place';
import { startTcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { type Consumer, consumeDeliver, consumeFanOut } from './consumer.ts';
import { DELIVER_QUEUE, type DeliverJob, type DeliverRequest, deliverJobId } from './jobs.ts';
import { createProducer, type Producer } from './producer.ts';

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

const event = (eventId: string, workspaceId = 'w') => ({ eventId, eventType: 'order.created', workspaceId });

/** The producer's own connection is made in the background. */
const connected = () => waitFor(() => isThere(producer), { what: 'the producer to be connected' });
const isThere = (ringer: Producer) =>
  ringer.ping().then(
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

/** A consumer behind a gate of its own, that has looked at one job, and what it looks at. */
async function consumeThroughGate() {
  const gate = await startTcpGate(place.redisUrl);
  const seen: string[] = [];
  const consumer = consumeDeliver({
    redisUrl: gate.url,
    prefix: place.prefix,
    concurrency: 1,
    handle: async ({ deliveryId }) => void seen.push(deliveryId),
    onJobError: () => {},
    onError: () => {},
  });
  await connected();
  await producer.enqueueDeliveries([delivery(1)]);
  await waitFor(() => seen.length === 1, { what: 'the first job' });
  return { gate, seen, consumer };
}

describe('deliverys', () => {
  beforeEach(connected);

  test('hold ids only', async () => {
    const jobs: DeliverJob[] = [];
    await producer.enqueueDeliveries([delivery(1, { generation: 3 }), delivery(2, { mode: 'isolated' })]);
    consume(async (job) => {
      jobs.push(job);
    });
    await waitFor(() => jobs.length === 2, { what: 'two jobs' });
    const idsOf = ({ generation: _, delayMs: __, ...ids }: DeliverRequest) => ids;
    expect(jobs).toEqual([idsOf(delivery(1)), { ...idsOf(delivery(2)), mode: 'isolated' }]);
  });

  test('one that lives is not added twice; one of another generation is', async () => {
    await producer.enqueueDeliveries([delivery(1), delivery(1), delivery(2, { delayMs: 60_000 })]);
    await producer.enqueueDeliveries([delivery(1), delivery(2)]);
    expect(await producer.depths()).toEqual({ fanOut: 0, deliver: 2, deliverWaiting: 1 });
    await producer.enqueueDeliveries([delivery(1, { generation: 1 })]);
    expect(await producer.depths()).toMatchObject({ deliver: 3, deliverWaiting: 2 });
  });

  test('of which none lives are rung again, those that live are not', async () => {
    await producer.enqueueDeliveries([delivery(1), delivery(2, { delayMs: 60_000 })]);
    const asked = [delivery(1), delivery(2), delivery(3), delivery(1, { generation: 1 })];
    expect(await producer.enqueueOverdue(asked)).toBe(2);
    expect(await producer.depths()).toMatchObject({ deliver: 4, deliverWaiting: 3 });
    expect(await producer.enqueueOverdue(asked)).toBe(0);
    expect(await producer.enqueueOverdue([])).toBe(0);
  });

  test('leave nothing behind when they have been looked at, also after a fault: the same id can be rung again', async () => {
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
      await waitFor(() => seen.length === count, { what: `look ${count}` });
      await waitFor(async () => (await keys()).every((key) => !key.includes(deliverJobId(delivery(1)))), {
        what: 'the job to be gone',
      });
    }
    expect(errors.map((error) => error.message)).toEqual(['away']);
  });

  test('that are put off come when they are due', async () => {
    const seen: number[] = [];
    const beganMs = performance.now();
    consume(async () => {
      seen.push(performance.now() - beganMs);
    });
    await producer.enqueueDeliveries([delivery(1, { delayMs: 300 })]);
    await waitFor(() => seen.length === 1, { what: 'the put-off job' });
    expect(seen[0]).toBeGreaterThanOrEqual(290);
  });

  test('wait while an operator has paused their queue, which can be asked', async () => {
    const redis = new Redis(place.redisUrl);
    const queue = new Queue(DELIVER_QUEUE, { connection: redis, prefix: place.prefix });
    await queue.pause();
    expect([await producer.isPaused('deliver'), await producer.isPaused('fanOut')]).toEqual([true, false]);
    await producer.enqueueDeliveries([delivery(1)]);
    expect(await producer.depths()).toMatchObject({ deliverWaiting: 1 });
    await queue.resume();
    expect(await producer.isPaused('deliver')).toBe(false);
    await queue.close();
    redis.disconnect();
  });

  test('nothing is rung for an empty list', async () => {
    await producer.enqueueDeliveries([]);
    await producer.enqueueFanOut([]);
    expect(await producer.depths()).toEqual({ fanOut: 0, deliver: 0, deliverWaiting: 0 });
  });

  test('of fan-out carry the events’ ids', async () => {
    const jobs: unknown[] = [];
    consumers.push(
      consumeFanOut({
        ...place,
        concurrency: 1,
        handle: async (job) => void jobs.push(job),
        onJobError: () => {},
        onError: () => {},
      }),
    );
    await producer.enqueueFanOut([event('a'), event('b')]);
    await waitFor(() => jobs.length === 1, { what: 'the fan-out job' });
    expect(jobs).toEqual([{ eventIds: ['a', 'b'] }]);
  });

  test('of a flood come after all others, whoever rang first', async () => {
    const flood = Array.from({ length: 300 }, (_, n) => delivery(n, { endpointId: 'flooded' }));
    await producer.enqueueDeliveries(flood);
    await producer.enqueueDeliveries([delivery(1_000, { workspaceId: 'other' })]);
    expect(await producer.depths()).toMatchObject({ deliver: 301, deliverWaiting: 301 });
    const seen: string[] = [];
    consume(async ({ deliveryId }) => void seen.push(deliveryId), { concurrency: 1 });
    await waitFor(() => seen.length === 301, { what: 'all jobs' });
    expect(seen.indexOf(delivery(1_000).deliveryId)).toBeLessThanOrEqual(100);
    expect(new Set(seen).size).toBe(301);
  });

  test('whose turn was long ago go before all that waits', async () => {
    await producer.enqueueDeliveries(Array.from({ length: 50 }, (_, n) => delivery(n)));
    await producer.enqueueDeliveries([delivery(1_000, { mode: 'expired_lease' })]);
    const seen: string[] = [];
    consume(async ({ deliveryId }) => void seen.push(deliveryId), { concurrency: 1 });
    await waitFor(() => seen.length === 51, { what: 'all jobs' });
    expect(seen[0]).toBe(delivery(1_000).deliveryId);
  });

  test('of fan-out: what a workspace sends over its share goes in jobs of its own, after all others', async () => {
    const flood = Array.from({ length: 250 }, (_, n) => event(`flood-${n}`, 'flooding'));
    await producer.enqueueFanOut([...flood, event('single', 'other')]);
    const jobs: string[][] = [];
    consumers.push(
      consumeFanOut({
        ...place,
        concurrency: 1,
        handle: async ({ eventIds }) => void jobs.push(eventIds),
        onJobError: () => {},
        onError: () => {},
      }),
    );
    await waitFor(() => jobs.flat().length === 251, { what: 'all events' });
    expect(jobs.map((job) => job.length)).toEqual([101, 100, 50]);
    expect(jobs[0]).toContain('single');
  });

  test('that were given a time keep it', async () => {
    const jobs: DeliverJob[] = [];
    await producer.enqueueDeliveries([delivery(1, { reservedAtMs: 1_800_000_000_000 })]);
    consume(async (job) => void jobs.push(job));
    await waitFor(() => jobs.length === 1, { what: 'the job' });
    expect(jobs[0]).toMatchObject({ reservedAtMs: 1_800_000_000_000 });
  });

  test('of a flood leave the last fifth of a full queue to those that are within their share; later ones are counted apart', async () => {
    const redis = new Redis(place.redisUrl);
    const queue = new Queue(DELIVER_QUEUE, { connection: redis, prefix: place.prefix });
    const fillers = Array.from({ length: 40_000 }, (_, n) => [n, `filler-${n}`]).flat();
    for (let start = 0; start < fillers.length; start += 20_000) {
      await redis.zadd(queue.toKey('prioritized'), ...fillers.slice(start, start + 20_000));
    }
    const flood = Array.from({ length: 150 }, (_, n) => delivery(n, { endpointId: 'flooded' }));
    await producer.enqueueDeliveries([...flood, delivery(500, { delayMs: 60_000 }), delivery(501)]);
    expect(await producer.depths()).toMatchObject({ deliver: 40_012, deliverWaiting: 40_011 });
    await queue.close();
    redis.disconnect();
  });

  test('for later times fill the queue only so far, and what is due now always finds its room', async () => {
    const redis = new Redis(place.redisUrl);
    const queue = new Queue(DELIVER_QUEUE, { connection: redis, prefix: place.prefix });
    const fillers = Array.from({ length: 20_000 }, (_, n) => [n, `filler-${n}`]).flat();
    for (let start = 0; start < fillers.length; start += 20_000) {
      await redis.zadd(queue.toKey('delayed'), ...fillers.slice(start, start + 20_000));
    }
    await producer.enqueueDeliveries([delivery(500, { delayMs: 60_000 }), delivery(501)]);
    expect(await producer.depths()).toMatchObject({ deliver: 20_001, deliverWaiting: 1 });
    await queue.close();
    redis.disconnect();
  });

  test('are rung no further into a full queue: what is not rung waits in Postgres', async () => {
    const redis = new Redis(place.redisUrl);
    const queue = new Queue(DELIVER_QUEUE, { connection: redis, prefix: place.prefix });
    const fillers = Array.from({ length: 50_000 }, (_, n) => [n, `filler-${n}`]).flat();
    for (let start = 0; start < fillers.length; start += 20_000) {
      await redis.zadd(queue.toKey('prioritized'), ...fillers.slice(start, start + 20_000));
    }
    await producer.enqueueDeliveries([delivery(1)]);
    expect(await producer.depths()).toMatchObject({ deliver: 50_000 });
    await redis.del(queue.toKey('prioritized'));
    await waitFor(
      async () => {
        await producer.enqueueDeliveries([delivery(1)]);
        return (await producer.depths()).deliver === 1;
      },
      { what: 'room to be noticed' },
    );
    await queue.close();
    redis.disconnect();
  });
});

describe('a consumer', () => {
  beforeEach(connected);

  test('looks at no more jobs at once than it may', async () => {
    let inFlight = 0;
    let most = 0;
    let done = 0;
    consume(
      async () => {
        inFlight += 1;
        most = Math.max(most, inFlight);
        await new Promise((resolve) => setImmediate(resolve));
        inFlight -= 1;
        done += 1;
      },
      { concurrency: 3 },
    );
    await producer.enqueueDeliveries(Array.from({ length: 50 }, (_, n) => delivery(n)));
    await waitFor(() => done === 50, { what: '50 jobs' });
    expect(most).toBeLessThanOrEqual(3);
  });

  test('begins its first job before it has fetched all that it may hold, and then holds as many as it may', async () => {
    const active = `${place.prefix}:${DELIVER_QUEUE}:active`;
    const letGo: (() => void)[] = [];
    const fetched: Promise<unknown>[] = [];
    await producer.enqueueDeliveries(Array.from({ length: 200 }, (_, n) => delivery(n)));
    consume(
      () => {
        if (fetched.length === 0) fetched.push(askRedis(place.redisUrl, 'LLEN', active));
        return new Promise((resolve) => letGo.push(resolve));
      },
      { concurrency: 100 },
    );
    await waitFor(() => letGo.length === 100, { what: 'as many jobs under way as may be' });
    for (const go of letGo) go();
    expect(await fetched[0]).toBeLessThan(50);
  });

  test('that drains takes no more jobs, and resolves once those under way have ended', async () => {
    const letGo: (() => void)[] = [];
    const consumer = consume(() => new Promise((resolve) => letGo.push(resolve)), { concurrency: 2 });
    await producer.enqueueDeliveries([1, 2, 3, 4].map((n) => delivery(n)));
    await waitFor(() => letGo.length === 2, { what: 'two jobs under way' });
    let drained = false;
    const draining = consumer.drain().then(() => {
      drained = true;
    });
    letGo[0]?.();
    await producer.depths();
    expect(drained).toBe(false);
    letGo[1]?.();
    await draining;
    expect(letGo).toHaveLength(2);
    expect(await producer.depths()).toMatchObject({ deliverWaiting: 2 });
  });
});

test('the turn to sweep is one ringer’s of all, until it is over or ended', async () => {
  const other = createProducer({ ...place, onError: () => {}, monotonicMs: () => performance.now() });
  await waitFor(() => isThere(other), { what: 'it to be connected' });
  const take = (forMs: number) => Promise.all([producer.takeReconcilerTurn(forMs), other.takeReconcilerTurn(forMs)]);
  expect((await take(60_000)).sort()).toEqual([false, true]);
  expect(await take(60_000)).toEqual([false, false]);
  await other.endReconcilerTurn();
  expect((await take(50)).sort()).toEqual([false, true]);
  await waitFor(() => other.takeReconcilerTurn(60_000), { what: 'the turn to be over' });
  await other.close();
});

describe('without Redis', () => {
  test('a producer fails at once, and says that it is away', async () => {
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

  test('a producer that was made while it was away, and lost it again, rings whenever it is there', async () => {
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
      expect(await own.depths()).toMatchObject({ deliver: round });
      await gate.shut();
      await waitFor(async () => !(await isThere(own)), { what: 'Redis to be away' });
    }
    await own.close();
    await gate.close();
  });

  test('one that answers but takes no writes is not taken for one that can be worked with', async () => {
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

  test('a consumer whose connections are half open goes on by itself within 30 s', async () => {
    const { gate, seen, consumer } = await consumeThroughGate();
    gate.freeze('existing');
    await producer.enqueueDeliveries([delivery(2)]);
    await waitFor(() => seen.includes(delivery(2).deliveryId), { what: 'the second job', timeoutMs: 30_000 });
    await consumer.close();
    await gate.close();
  }, 40_000);

  test('a consumer goes on by itself once it is back, and can be closed while it is away', async () => {
    const { gate, seen, consumer } = await consumeThroughGate();
    await gate.shut();
    await producer.enqueueDeliveries([delivery(2)]);
    await gate.open();
    await waitFor(() => seen.length === 2, { what: 'the second job' });
    await gate.shut();
    await consumer.close();
    await gate.close();
  });
});

async function keys(): Promise<string[]> {
  const redis = new Redis(place.redisUrl);
  const found = await redis.keys(`${place.prefix}:*`);
  redis.disconnect();
  return found;
}
