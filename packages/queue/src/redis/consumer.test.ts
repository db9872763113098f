import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { testRedis } from '@posthorn/testkit/database';
import { startTcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { Consumer } from '../consumer.ts';
import { DELIVER_QUEUE, type DeliverJob, FAN_OUT_QUEUE } from '../jobs.ts';
import type { Producer } from '../producer.ts';
import { consumeDeliver, consumeFanOut } from './consumer.ts';
import { createProducer } from './producer.ts';

let place: { redisUrl: string; prefix: string };
let producer: Producer;
let consumers: Consumer[] = [];
beforeEach(async () => {
  place = testRedis();
  producer = createProducer({ ...place, onError: () => {}, monotonicMs: () => performance.now() });
  await waitFor(() => producer.ping().then(() => true), { what: 'the producer to be connected' });
});
afterEach(async () => {
  await Promise.all(consumers.map((consumer) => consumer.close()));
  consumers = [];
  await producer.close();
});

const delivery = (n: number) => ({
  deliveryId: `0193c5a1-7f00-7000-8000-${String(n).padStart(12, '0')}`,
  eventId: `0193c5a1-7f00-7000-8001-${String(n).padStart(12, '0')}`,
  endpointId: `0193c5a1-7f00-7000-8000-0000000000e${n % 10}`,
  workspaceId: '0193c5a1-7f00-7000-8000-0000000000f0',
  generation: 0,
  delayMs: 0,
});

const enqueue = (count: number) => producer.enqueueDeliveries(Array.from({ length: count }, (_, n) => delivery(n)));

function consume(handle: (job: DeliverJob) => Promise<void>, { concurrency = 10, redisUrl = place.redisUrl } = {}) {
  const { prefix } = place;
  const consumer = consumeDeliver({
    redisUrl,
    prefix,
    concurrency,
    handle,
    onJobError: () => {},
    onError: () => {},
  });
  consumers.push(consumer);
  return consumer;
}

/** Jobs that end when the test says so. */
function createHeldJobs() {
  const ends: (() => void)[] = [];
  return {
    ends,
    hold: () => new Promise<void>((resolve) => ends.push(resolve)),
    endAll: () => {
      for (const end of ends) end();
    },
  };
}

describe('a consumer', () => {
  test('processes as many jobs at once as its limit allows, while others wait', async () => {
    const held = createHeldJobs();
    let elsewhere = 0;
    consume(held.hold, { concurrency: 3 });
    await enqueue(50);
    await waitFor(() => held.ends.length === 3, { what: 'three jobs under way' });
    // The other consumer takes all jobs that the first one leaves. If the first had taken a fourth job, it would be
    // missing here.
    consume(async () => void elsewhere++);
    await waitFor(() => elsewhere === 47, { what: 'the other jobs' });
    expect(held.ends).toHaveLength(3);
    held.endAll();
  });

  test('starts its first job before it has fetched up to its limit, and then holds as many as its limit allows', async () => {
    const active = `${place.prefix}:${DELIVER_QUEUE}:active`;
    const held = createHeldJobs();
    const fetched: Promise<number>[] = [];
    // Connect first, so that Redis gets the question at the first job.
    const redis = new Redis(place.redisUrl);
    await redis.ping();
    await enqueue(200);
    consume(
      () => {
        if (fetched.length === 0) fetched.push(redis.llen(active));
        return held.hold();
      },
      { concurrency: 100 },
    );
    await waitFor(() => held.ends.length === 100, { what: 'as many jobs under way as may be' });
    held.endAll();
    expect(await fetched[0]).toBeLessThan(50);
    redis.disconnect();
  });

  test('that drains takes no more jobs, and resolves once its running jobs have ended', async () => {
    const held = createHeldJobs();
    const consumer = consume(held.hold, { concurrency: 2 });
    await enqueue(4);
    await waitFor(() => held.ends.length === 2, { what: 'two jobs under way' });
    let drained = false;
    const draining = consumer.drain().then(() => {
      drained = true;
    });
    held.ends[0]?.();
    await producer.depths();
    expect(drained).toBe(false);
    held.ends[1]?.();
    await draining;
    expect(held.ends).toHaveLength(2);
    expect(await producer.depths()).toMatchObject({ deliver: { waiting: 2 } });
  });
});

test('a fan-out job whose worker died is run again once; one whose worker died twice is dropped', async () => {
  const group = { workspaceId: 'w', environmentId: 'n', eventType: 'order.created', applicationId: null };
  const event = (eventId: string) => ({ ...group, eventId });
  const redis = new Redis(place.redisUrl, { maxRetriesPerRequest: null });
  const jobKey = (id: string | undefined) => `${place.prefix}:${FAN_OUT_QUEUE}:${id}`;
  // Behaves like a worker that died: takes both jobs and never renews their locks.
  const dead = new Worker(FAN_OUT_QUEUE, null, { connection: redis, prefix: place.prefix, lockDuration: 1 });
  const taken: (string | undefined)[] = [];
  for (const eventId of ['died-once', 'died-twice']) {
    await producer.enqueueFanOut([event(eventId)]);
    taken.push((await dead.getNextJob('its-token'))?.id);
  }
  await redis.hset(jobKey(taken[1]), 'stc', 1);
  const seen: string[][] = [];
  const errors: string[] = [];
  consumers.push(
    consumeFanOut({
      ...place,
      concurrency: 1,
      handle: async ({ groups }) => void seen.push(groups.flatMap(({ eventIds }) => eventIds)),
      onJobError: ({ message }) => errors.push(message),
      onError: () => {},
      takeOver: { lockMs: 10_000, everyMs: 250 },
    }),
  );
  await waitFor(() => seen.length > 0 && errors.length > 0, { what: 'both jobs', timeoutMs: 25_000 });
  expect([seen, errors]).toEqual([[['died-once']], [expect.stringMatching(/stalled/)]]);
  await waitFor(async () => (await redis.exists(jobKey(taken[1]))) === 0, { what: 'the dropped job to be gone' });
  await dead.close();
  redis.disconnect();
}, 40_000);

describe('while Redis is away', () => {
  /** A consumer behind its own gate that has processed one job, and the jobs that it received. */
  async function consumeThroughGate() {
    const gate = await startTcpGate(place.redisUrl);
    const seen: string[] = [];
    const handle = async ({ deliveryId }: DeliverJob) => void seen.push(deliveryId);
    const consumer = consume(handle, { concurrency: 1, redisUrl: gate.url });
    await producer.enqueueDeliveries([delivery(1)]);
    await waitFor(() => seen.length === 1, { what: 'the first job' });
    return { gate, seen, consumer };
  }

  test('a consumer with half-open connections recovers by itself within 30 s', async () => {
    const { gate, seen, consumer } = await consumeThroughGate();
    gate.freeze('existing');
    await producer.enqueueDeliveries([delivery(2)]);
    await waitFor(() => seen.includes(delivery(2).deliveryId), { what: 'the second job', timeoutMs: 30_000 });
    await consumer.close();
    await gate.close();
  }, 40_000);

  test('a consumer can be closed; if it is not closed, it continues by itself once Redis is back', async () => {
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
