import { afterAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { createTestDatabase } from '@posthorn/testkit/database';
import { deleteExpiredOperations } from './expire-operations.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

async function insertOperation(daysOld: number): Promise<string> {
  const [id, workspaceId, endpointId] = [newUuid(new Date()), newUuid(new Date()), newUuid(new Date())];
  const createdAt = new Date(Date.now() - daysOld * 86_400_000);
  await db.operation.create({ data: { id, workspaceId, type: 'recovery', filter: {}, scope: {}, createdAt } });
  await db.operationPart.create({ data: { operationId: id, endpointId, phase: 'done', position: id } });
  const progress = { attempted: true, delivered: true, failed: false, takenOver: false };
  await db.operationProgress.create({ data: { operationId: id, endpointId, ...progress } });
  return id;
}

test('operations are deleted a day after their retention, with their parts and progress; younger ones are kept', async () => {
  await insertOperation(9);
  const kept = await insertOperation(7.5);
  expect(await deleteExpiredOperations(db, 7)).toBe(1);
  const operationIds = [
    ...(await db.operation.findMany()).map(({ id }) => id),
    ...(await db.operationPart.findMany()).map(({ operationId }) => operationId),
    ...(await db.operationProgress.findMany()).map(({ operationId }) => operationId),
  ];
  expect(operationIds).toEqual([kept, kept, kept]);
});

test('an erasure is kept until it has ended, however old it is', async () => {
  const id = await insertOperation(30);
  await db.operation.update({ where: { id }, data: { type: 'erasure' } });
  expect(await deleteExpiredOperations(db, 7)).toBe(0);
  await db.operation.update({ where: { id }, data: { status: 'completed', finishedAt: new Date() } });
  expect(await deleteExpiredOperations(db, 7)).toBe(1);
});
