import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createProducer, type Producer } from '@posthorn/queue/producer';
import type { Repeating } from '@posthorn/runtime/repeat';
import { createTestDatabase, type TestDatabase, testRedis } from '@posthorn/testkit/database';
import { insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { waitFor } from '@posthorn/testkit/wait-for';
import { startWatchdog, type WatchedQueue } from './start-watchdog.ts';

let database: TestDatabase;
let producer: Producer;
let watchdogs: Repeating[];
let acts: string[];
beforeEach(async () => {
  [watchdogs, acts] = [[], []];
  database = await createTestDatabase();
  producer = createProducer({ ...testRedis(), onError: () => {}, monotonicMs: () => performance.now() });
  await waitFor(() => producer.ping().then(() => true), { what: 'Redis' });
});
afterEach(async () => {
  await Promise.all(watchdogs.map((watchdog) => watchdog.stop()));
  await producer.close();
  await database.drop();
});

/** Its time runs seven times as fast, its rounds do not. */
function watch(queue: WatchedQueue, given: { looks?: () => number; isPaused?: boolean } = {}): void {
  const { isPaused = false, looks = () => 0 } = given;
  watchdogs.push(
    startWatchdog({
      databaseUrl: database.databaseUrl,
      producer: { ping: producer.ping, isPaused: async (asked) => isPaused || producer.isPaused(asked) },
      clock: { now: () => new Date(), monotonicMs: () => 7 * performance.now() },
      logger: { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} },
      queue,
      looks,
      isFull: () => false,
      rebuild: async () => void acts.push(`${queue} rebuilt`),
      giveUp: () => void acts.push(`${queue} given up`),
    }),
  );
}

async function leaveDue() {
  const { eventId } = await insertDelivery(database.db, await insertEndpoint(database.db), { dueInSeconds: -60 });
  const enqueuedAt = new Date(Date.now() - 60_000);
  await database.db.pendingFanOut.create({ data: { eventId, enqueuedAt } });
}

test('a fan-out that looks at nothing is found while deliveries flow', async () => {
  await leaveDue();
  let looks = 0;
  watch('deliver', { looks: () => looks++ });
  watch('fanOut');
  await waitFor(() => acts.length > 0, { what: 'the watchdog', timeoutMs: 30_000 });
  expect(acts).toEqual(['fanOut rebuilt']);
}, 40_000);

test('a delivery that nobody looks at is found while events are fanned out; a paused queue is left alone', async () => {
  await leaveDue();
  watch('fanOut', { isPaused: true });
  watch('deliver');
  await waitFor(() => acts.length > 0, { what: 'the watchdog', timeoutMs: 30_000 });
  expect(acts).toEqual(['deliver rebuilt']);
}, 40_000);
