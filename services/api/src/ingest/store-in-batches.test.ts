import { afterAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { createTestDatabase } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import { eventWith } from '../../test/new-event.ts';
import { createMetrics } from '../metrics.ts';
import { createStore, type StoreDeps } from './store-in-batches.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

function producerWith(given: Partial<StoreDeps['producer']> = {}): StoreDeps['producer'] {
  const enqueue = async () => {};
  return { enqueueFanOut: enqueue, enqueueDeliveries: enqueue, handOver: enqueue, takers: () => 'ready', ...given };
}

function storeWith(deps: Partial<StoreDeps> = {}) {
  return createStore({
    db: database.db,
    live: { eventAccepted: () => {}, deliveryChanged: () => {} },
    producer: producerWith(),
    wakeConsumers: () => {},
    door: { forget: () => {} },
    quiet: { warn: () => {} },
    metrics: createMetrics(),
    ...deps,
  });
}

test('a flood of one workspace does not make the event of another wait for its end', async () => {
  const store = storeWith();
  const [flooding, other] = [newUuid(new Date()), newUuid(new Date())];
  let storedOfFlood = 0;
  const flood = Array.from({ length: 1_000 }, async () => {
    await store(eventWith({ workspaceId: flooding }));
    storedOfFlood += 1;
  });
  expect(await store(eventWith({ workspaceId: other }))).toMatchObject({ kind: 'stored' });
  expect(storedOfFlood).toBeLessThan(1_000);
  await Promise.all(flood);
});

test('an event whose job cannot be enqueued is stored, and the log has the error with its place', async () => {
  const warnings: unknown[] = [];
  const store = storeWith({
    producer: producerWith({ enqueueFanOut: () => Promise.reject(new TypeError('redis is away')) }),
    quiet: { warn: (...line) => warnings.push(line) },
  });
  expect(await store(eventWith({}))).toMatchObject({ kind: 'stored' });
  await waitFor(() => warnings.length > 0, { what: 'the warning' });
  const error = { error: 'redis is away', errorName: 'TypeError', stack: expect.stringContaining('TypeError') };
  expect(warnings).toEqual([['events wait for the reconciler', error]]);
});
