import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Db } from '@posthorn/db/client';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { putOffDeliveries } from './put-off.ts';

let database: TestDatabase;
let db: Db;
let endpoint: EndpointRow;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  endpoint = await insertEndpoint(db);
});
afterAll(() => database.drop());

const read = (id: string) => db.delivery.findUniqueOrThrow({ where: { id } });

test.each(['pending', 'scheduled_retry', 'delivering'] as const)(
  'what is %s and due (or whose lease ran out) moves on, and nothing else of it',
  async (status) => {
    const given = { status, scheduleStep: 2, totalAttempts: 3, lostLeases: 1, generation: 4 } as const;
    const { deliveryId } = await insertDelivery(db, endpoint, given);
    const [moved] = await putOffDeliveries(db, [{ deliveryId, delaySeconds: 30 }]);
    expect(moved).toEqual({ generation: 5 });
    const row = await read(deliveryId);
    expect(row).toMatchObject({ ...given, generation: 5 });
    expect(row.dueAt?.getTime()).toBeGreaterThan(Date.now() + 20_000);
  },
);

test.each([
  ['not due yet', { dueInSeconds: 5 }],
  ['being delivered', { status: 'delivering', dueInSeconds: 5 }],
  ['ended', { status: 'failed', dueInSeconds: null }],
] as const)('what is %s is left alone', async (_case, given) => {
  const { deliveryId } = await insertDelivery(db, endpoint, given);
  const before = await read(deliveryId);
  expect(await putOffDeliveries(db, [{ deliveryId, delaySeconds: 30 }])).toEqual([undefined]);
  expect(await read(deliveryId)).toEqual(before);
});

test('one asked for twice, by many, moves once; answers come in the order asked', async () => {
  const rows = await Promise.all([1, 2, 3].map(() => insertDelivery(db, endpoint)));
  const asked = rows.flatMap(({ deliveryId }) => [1, 2].map(() => ({ deliveryId, delaySeconds: 30 })));
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => putOffDeliveries(db, n % 2 ? asked : asked.toReversed())),
  );
  expect(answers.flat().filter((answer) => answer !== undefined)).toHaveLength(3);
  for (const { deliveryId } of rows) expect(await read(deliveryId)).toMatchObject({ generation: 1 });
});
