import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Consumer } from '@posthorn/queue/consumer';
import type { Producer } from '@posthorn/queue/producer';
import { consumeDeliver } from '@posthorn/queue/redis/consumer';
import { createProducer } from '@posthorn/queue/redis/producer';
import { testRedis } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createReplaceableConsumer, type ReplaceableConsumer, stopConsumers } from './replaceable-consumer.ts';

describe('a consumer that is replaced', () => {
  let producer: Producer;
  let consumer: ReplaceableConsumer;
  let underWay: { deliveryId: string; end: () => void }[];
  beforeEach(async () => {
    underWay = [];
    const place = { ...testRedis(), onError: () => {} };
    producer = createProducer({ ...place, monotonicMs: () => performance.now() });
    consumer = createReplaceableConsumer(() =>
      consumeDeliver({
        ...place,
        concurrency: 1,
        handle: ({ deliveryId }) => new Promise((resolve) => underWay.push({ deliveryId, end: resolve })),
        onJobError: () => {},
      }),
    );
    await waitFor(() => producer.ping().then(() => true), { what: 'Redis' });
  });
  afterEach(async () => {
    for (const { end } of underWay) end();
    await consumer.close();
    await producer.close();
  });

  const enqueue = (deliveryId: string) =>
    producer.enqueueDeliveries([
      { deliveryId, eventId: 'e', endpointId: 'p', workspaceId: 'w', generation: 0, delayMs: 0 },
    ]);

  test('takes jobs through the new one, and draining waits for the old one’s jobs under way', async () => {
    await enqueue('old');
    await waitFor(() => underWay.length === 1, { what: 'a job at the old one' });
    await consumer.replace();
    await enqueue('new');
    await waitFor(() => underWay.some(({ deliveryId }) => deliveryId === 'new'), { what: 'a job at the new one' });
    let drained = false;
    const draining = consumer.drain().then(() => {
      drained = true;
    });
    for (const { deliveryId, end } of underWay) if (deliveryId === 'new') end();
    await producer.ping();
    expect(drained).toBe(false);
    for (const { end } of underWay) end();
    await draining;
  });
});

test('a consumer that never closes is also replaced', async () => {
  let opened = 0;
  const consumer = createReplaceableConsumer(() => {
    opened += 1;
    const hangs = opened === 1;
    const never = new Promise<void>(() => {});
    return { drain: () => (hangs ? never : Promise.resolve()), close: () => (hangs ? never : Promise.resolve()) };
  });
  await consumer.replace();
  expect(opened).toBe(2);
});

describe('stopping', () => {
  let acts: string[];
  let drained: (name: string) => void;
  beforeEach(() => {
    acts = [];
  });

  const thenDrain = async () => void acts.push('then drained');

  /** Two consumers whose jobs end when the test says so. */
  function createConsumers(): Consumer[] {
    const ends = new Map<string, () => void>();
    drained = (name) => ends.get(name)?.();
    return ['fan-out', 'deliver'].map((name) => ({
      drain: () => {
        acts.push(`${name} drains`);
        return new Promise((resolve) => ends.set(name, resolve));
      },
      close: async () => void acts.push(`${name} closed`),
    }));
  }

  const drains = ['fan-out drains', 'deliver drains'];
  const closed = ['fan-out closed', 'deliver closed'];

  test('waits for the jobs of all consumers and then for the work that they started, aborts nothing, and closes', async () => {
    const abort = () => void acts.push('aborted');
    const stopping = stopConsumers(createConsumers(), {
      drainWindowMs: 60_000,
      abortWindowMs: 60_000,
      abort,
      thenDrain,
    });
    drained('fan-out');
    await Promise.resolve();
    expect(acts).toEqual(drains);
    drained('deliver');
    await stopping;
    expect(acts).toEqual([...drains, 'then drained', ...closed]);
  });

  test('aborts the jobs that outlast the window, and waits for them to release their leases before it closes', async () => {
    const consumers = createConsumers();
    const abort = () => {
      acts.push('aborted');
      setImmediate(() => {
        acts.push('released');
        for (const name of ['fan-out', 'deliver']) drained(name);
      });
    };
    await stopConsumers(consumers, { drainWindowMs: 1, abortWindowMs: 60_000, abort, thenDrain });
    expect(acts).toEqual([...drains, 'aborted', 'released', 'then drained', ...closed]);
  });

  test('aborts work that was started outside the jobs and outlasts the window', async () => {
    let ended = () => {};
    const consumers = createConsumers();
    const options = { drainWindowMs: 1, abortWindowMs: 60_000 };
    const stopping = stopConsumers(consumers, {
      ...options,
      thenDrain: () =>
        new Promise((resolve) => {
          ended = resolve;
        }),
      abort: () => {
        acts.push('aborted');
        setImmediate(ended);
      },
    });
    for (const name of ['fan-out', 'deliver']) drained(name);
    await stopping;
    expect(acts).toEqual([...drains, 'aborted', ...closed]);
  });

  test('closes after the second window even if a job continues', async () => {
    const abort = () => void acts.push('aborted');
    await stopConsumers(createConsumers(), { drainWindowMs: 1, abortWindowMs: 1, abort, thenDrain });
    expect(acts).toEqual([...drains, 'aborted', ...closed]);
  });
});
