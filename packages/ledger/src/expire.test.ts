import { afterAll, expect, test } from '@jest/globals';
import type { Db } from '@posthorn/db/client';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type DeliveryRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { whileLocked } from '@posthorn/testkit/row-lock';
import { expireDeliveries } from './expire.ts';

const database = await createTestDatabase();
const { db } = database;
const endpoint = await insertEndpoint(db);
afterAll(() => database.drop());

const read = ({ deliveryId }: DeliveryRow) => db.delivery.findUniqueOrThrow({ where: { id: deliveryId } });

test('a delivery that is still open at the end of its retention fails as payload_expired; one that has ended does not change', async () => {
  const dayMs = 86_400_000;
  const keyOf = (daysOld: number, n: number) =>
    lowestKeyAt(new Date(Date.now() - daysOld * dayMs)).replace(/0$/, String(n));
  const statuses = ['pending', 'scheduled_retry', 'delivering', 'delivered'] as const;
  const rows = await Promise.all(
    statuses.map((status, n) =>
      insertDelivery(db, endpoint, { status, key: keyOf(0.9, n), dueInSeconds: status === 'delivered' ? null : 0 }),
    ),
  );
  const young = await insertDelivery(db, endpoint, { key: keyOf(0.1, 1) });
  // A retention of 0 days has ended for everything older than now. The youngest event is from a later day.
  await db.delivery.update({ where: { id: young.deliveryId }, data: { status: 'delivered', dueAt: null } });
  expect(await expireDeliveries(db, 1)).toBe(0);
  expect(await expireDeliveries(db, 0)).toBe(3);
  for (const [index, row] of rows.entries()) {
    const ended = { status: 'failed', failureReason: 'payload_expired', dueAt: null };
    expect(await read(row)).toMatchObject(statuses[index] === 'delivered' ? { status: 'delivered' } : ended);
  }
});

test('a deadlock is retried: the step goes on', async () => {
  let conflicts = 1;
  const query = (...given: Parameters<Db['$queryRaw']>) => {
    conflicts -= 1;
    return conflicts >= 0 ? Promise.reject({ code: 'P2034' }) : db.$queryRaw(...given);
  };
  const flaky = new Proxy(db, {
    get: (target, name) => (name === '$queryRaw' ? query : Reflect.get(target, name)),
  });
  const row = await insertDelivery(db, endpoint, { key: lowestKeyAt(new Date(Date.now() - 86_400_000)) });
  expect(await expireDeliveries(flaky, 0)).toBe(1);
  expect(await read(row)).toMatchObject({ failureReason: 'payload_expired' });
});

test('a row that another transaction holds keeps none of the others open, over several batches', async () => {
  const dayMs = 86_400_000;
  const [first, ...others] = await insertDeliveries(301, Date.now() - dayMs);
  if (first === undefined) throw new Error('no row');
  const held = { sql: 'select id from delivery where id = $1 for update', values: [first.deliveryId] };
  await whileLocked(database.databaseUrl, held, async () => {
    expect(await expireDeliveries(db, 0)).toBe(others.length);
  });
  expect(await expireDeliveries(db, 0)).toBe(1);
});

test('once it is stopped, no further batch begins', async () => {
  await insertDeliveries(300, Date.now() - 86_400_000);
  const stopping = new AbortController();
  expect(await expireDeliveries(db, 0, { onExpired: () => stopping.abort(), stopped: stopping.signal })).toBe(250);
  expect(await expireDeliveries(db, 0)).toBe(50);
});

/** Inserts this many deliveries, a millisecond apart, with as many inserts at once as there are connections. */
async function insertDeliveries(count: number, fromMs: number) {
  const rows: Awaited<ReturnType<typeof insertDelivery>>[] = [];
  for (let start = 0; start < count; start += 5) {
    const some = Array.from({ length: Math.min(5, count - start) }, (_, n) => start + n);
    const insert = (n: number) => insertDelivery(db, endpoint, { key: lowestKeyAt(new Date(fromMs + n)) });
    rows.push(...(await Promise.all(some.map(insert))));
  }
  return rows;
}
