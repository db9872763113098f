import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { consumeDeliver } from '@posthorn/queue/consumer';
import { createProducer, type Producer } from '@posthorn/queue/producer';
import { testRedis } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type KeptConsumer, keepConsumer } from './replaceable-consumer.ts';

let producer: Producer;
let kept: KeptConsumer;
let underWay: { deliveryId: string; end: () => void }[];
beforeEach(async () => {
  underWay = [];
  const place = { ...testRedis(), onError: () => {} };
  producer = createProducer({ ...place, monotonicMs: () => performance.now() });
  kept = keepConsumer(() =>
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
  await kept.close();
  await producer.close();
});

const ring = (deliveryId: string) =>
  producer.ringDeliveries([{ deliveryId, eventId: 'e', endpointId: 'p', workspaceId: 'w', generation: 0, delayMs: 0 }]);

test('after a rebuild another takes jobs, and draining waits for what the old one has under way', async () => {
  await ring('old');
  await waitFor(() => underWay.length === 1, { what: 'a job at the old one' });
  await kept.rebuild();
  await ring('new');
  await waitFor(() => underWay.some(({ deliveryId }) => deliveryId === 'new'), { what: 'a job at the new one' });
  let drained = false;
  const draining = kept.drain().then(() => {
    drained = true;
  });
  for (const { deliveryId, end } of underWay) if (deliveryId === 'new') end();
  await producer.ping();
  expect(drained).toBe(false);
  for (const { end } of underWay) end();
  await draining;
});
