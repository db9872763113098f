import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { testRedis } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Consumer } from '../consumer.ts';
import type { Producer } from '../producer.ts';
import { consumeFanOut, consumeHandOver } from './consumer.ts';
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

const common = { concurrency: 1, onJobError: () => {}, onError: () => {} };
const keep = (consumer: Consumer) => {
  consumers.push(consumer);
  return consumer;
};
/** A dispatcher that takes one job and never ends it. */
const takesHandOvers = (slow: Record<string, number> = {}) =>
  keep(
    consumeHandOver({
      ...place,
      ...common,
      handle: () => new Promise(() => {}),
      slowEndpoints: () => new Map(Object.entries(slow)),
    }),
  );
const fansOut = () => keep(consumeFanOut({ ...place, ...common, handle: async () => {} }));

async function handOver(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const ids = { deliveryId: `d${n}`, eventId: `e${n}`, endpointId: 'endpoint', workspaceId: 'w' };
    await producer.handOver([{ workspaceId: 'w', eventType: 'order.created', deliveries: [ids] }], undefined);
  }
}

const become = (state: ReturnType<Producer['takers']>) =>
  waitFor(() => producer.takers() === state, { what: `the takers to be ${state}` });

test('dispatchers show themselves until they are stopped', async () => {
  expect(producer.takers()).toBe('none');
  const [first, second] = [takesHandOvers(), takesHandOvers()];
  await become('ready');
  await first.drain();
  await second.drain();
  await become('none');
});

test('while many jobs wait, deliveries are handed over only if every dispatcher takes them: others would have nothing to do', async () => {
  takesHandOvers();
  fansOut();
  await handOver(40);
  await become('behind');
  // This dispatcher is of an earlier version.
  fansOut();
  await become('none');
});

test('an endpoint that is slow at several dispatchers frees slots at the paces of all', async () => {
  takesHandOvers({ slow: 200, other: 1_000 });
  takesHandOvers({ slow: 200 });
  await waitFor(() => producer.takers() !== 'none' && producer.slowMs('slow') === 100, { what: 'both to be seen' });
  expect(producer.slowMs('other')).toBeCloseTo(1_000);
  expect(producer.slowMs('quick')).toBeUndefined();
});
