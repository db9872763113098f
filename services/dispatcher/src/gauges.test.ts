import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { readGauges } from './gauges.ts';
import { createMetrics } from './metrics.ts';

let database: TestDatabase;
let db: Db;
let endpoint: EndpointRow;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  endpoint = await insertEndpoint(db);
});
afterAll(() => database.drop());
beforeEach(async () => {
  await db.delivery.deleteMany();
  await db.pendingFanOut.deleteMany();
});

async function figures() {
  const metrics = createMetrics();
  await readGauges({ db, metrics, producer: { depths: async () => ({ fanOut: 1, deliver: 5, deliverWaiting: 2 }) } });
  const oldest = (await metrics.oldestDueSeconds.get()).values[0]?.value ?? Number.NaN;
  return { oldest, depths: (await metrics.queueDepth.get()).values };
}

/** An hour's room: the tests' machine may be slow. */
const about = (seconds: number) => ({ atLeast: seconds, below: seconds + 3_600 });

test('the oldest due is the oldest delivery that is due and that nobody holds', async () => {
  await insertDelivery(db, endpoint, { dueInSeconds: 10_000 });
  expect((await figures()).oldest).toBe(0);
  const held = await insertDelivery(db, endpoint, { status: 'delivering', dueInSeconds: 10_000 });
  await db.$executeRaw`update delivery set due_at = now() - interval '20 hours' where id = ${held.deliveryId}::uuid`;
  expect((await figures()).oldest).toBe(0);
  await insertDelivery(db, endpoint, { status: 'scheduled_retry', dueInSeconds: -10_000 });
  expectAbout((await figures()).oldest, about(10_000));
  await db.$executeRaw`update delivery set leased_until = now() where id = ${held.deliveryId}::uuid`;
  expectAbout((await figures()).oldest, about(72_000));
  // As a version before leased_until left it.
  await db.$executeRaw`update delivery set leased_until = null, due_at = now() - interval '30 hours'
    where id = ${held.deliveryId}::uuid`;
  expectAbout((await figures()).oldest, about(108_000));
});

test('an event that was not fanned out counts as what it will become', async () => {
  const first = newUuid(new Date());
  await db.$executeRaw`
    insert into pending_fan_out (event_id, enqueued_at) values
      (${first}::uuid, now() - interval '50000 seconds'), (${newUuid(new Date())}::uuid, now())`;
  expectAbout((await figures()).oldest, about(50_000));
  await insertDelivery(db, endpoint, { dueInSeconds: -90_000 });
  expectAbout((await figures()).oldest, about(90_000));
});

test('jobs that wait are told apart from those that are due later', async () => {
  expect((await figures()).depths).toEqual([
    { labels: { queue: 'fan-out', state: 'waiting' }, value: 1 },
    { labels: { queue: 'deliver', state: 'waiting' }, value: 2 },
    { labels: { queue: 'deliver', state: 'delayed' }, value: 3 },
  ]);
});

function expectAbout(seconds: number, { atLeast, below }: ReturnType<typeof about>): void {
  expect(seconds).toBeGreaterThanOrEqual(atLeast);
  expect(seconds).toBeLessThan(below);
}
