import { afterAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { findRecentlyFailing } from './recently-failing.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

async function endpoint(consecutiveFailures: number, failedMinutesAgo: number): Promise<string> {
  const { endpointId } = await insertEndpoint(database.db);
  const lastFailureAt = new Date(Date.now() - failedMinutesAgo * 60_000);
  await database.db.endpointHealth.create({ data: { endpointId, consecutiveFailures, lastFailureAt } });
  return endpointId;
}

test('the endpoints whose last attempt failed within the hour are found, the latest first', async () => {
  await endpoint(0, 1);
  await endpoint(7, 61);
  const [earlier, later] = [await endpoint(1, 30), await endpoint(3, 5)];
  expect(await findRecentlyFailing(database.db)).toEqual([later, earlier]);
});
