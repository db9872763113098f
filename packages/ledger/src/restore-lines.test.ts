import { afterAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { insertDelivery, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { restoreLines } from './line.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

test('a line whose row was lost has its turn again; other lines and deliveries stay as they are', async () => {
  const { db } = database;
  const [lost, known, plain] = [await insertEndpoint(db), await insertEndpoint(db), await insertEndpoint(db)];
  for (const endpoint of [lost, lost, known, plain]) {
    const { deliveryId } = await insertDelivery(db, endpoint);
    if (endpoint === plain) continue;
    await db.$executeRaw`update delivery set due_at = now() + interval '1826250 days' where id = ${deliveryId}::uuid`;
  }
  const nextAt = new Date(Date.now() + 60_000);
  await db.endpointLine.create({ data: { endpointId: known.endpointId, workspaceId: known.workspaceId, nextAt } });

  expect(await restoreLines(db)).toEqual([lost.endpointId]);

  const lines = await db.endpointLine.findMany({ select: { endpointId: true, nextAt: true, entered: true } });
  expect(lines).toHaveLength(2);
  expect(lines.find(({ endpointId }) => endpointId === known.endpointId)).toMatchObject({ nextAt, entered: 0n });
  expect(lines.find(({ endpointId }) => endpointId === lost.endpointId)?.nextAt.getTime()).toBeLessThan(
    nextAt.getTime(),
  );
  expect(await restoreLines(db)).toEqual([]);
});
