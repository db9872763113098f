import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { createReadLargePayload } from './large-payloads.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('large payloads of one workspace that wait to be read do not delay the one of another', async () => {
  const { db } = database;
  const readLargePayload = createReadLargePayload(db);
  const order: string[] = [];
  const read = async (name: string, endpoint: Awaited<ReturnType<typeof insertEndpoint>>) => {
    const { eventId, workspaceId } = await insertDelivery(db, endpoint);
    return async () => {
      await readLargePayload({ eventId, workspaceId, bytes: 1_048_576 });
      order.push(name);
    };
  };
  const flood = await insertEndpoint(db);
  const reads = [];
  for (let n = 0; n < 10; n += 1) reads.push(await read('flood', flood));
  reads.push(await read('other', await insertEndpoint(db)));
  await Promise.all(reads.map((begin) => begin()));
  expect(order.indexOf('other')).toBeLessThan(5);
  expect(order).toHaveLength(11);
});
