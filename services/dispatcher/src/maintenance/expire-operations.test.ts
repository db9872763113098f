import { afterAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { createTestDatabase } from '@posthorn/testkit/database';
import { deleteExpiredOperations } from './expire-operations.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

async function insertOperation(daysOld: number, given: { finishedAt: Date | null }): Promise<string> {
  const [id, workspaceId, endpointId] = [newUuid(new Date()), newUuid(new Date()), newUuid(new Date())];
  const createdAt = new Date(Date.now() - daysOld * 86_400_000);
  await db.operation.create({
    data: { id, workspaceId, type: 'recovery', filter: {}, scope: {}, createdAt, ...given },
  });
  await db.operationPart.create({ data: { operationId: id, endpointId, phase: 'done', position: id } });
  const progress = { attempted: true, delivered: true, failed: false, takenOver: false };
  await db.operationProgress.create({ data: { operationId: id, endpointId, ...progress } });
  return id;
}

const ENDED = { finishedAt: new Date() };

test('ended operations are deleted a day after their retention, with their parts and progress; younger ones are kept', async () => {
  await insertOperation(9, ENDED);
  const kept = await insertOperation(7.5, ENDED);
  expect(await deleteExpiredOperations(db, 7)).toBe(1);
  const operationIds = [
    ...(await db.operation.findMany()).map(({ id }) => id),
    ...(await db.operationPart.findMany()).map(({ operationId }) => operationId),
    ...(await db.operationProgress.findMany()).map(({ operationId }) => operationId),
  ];
  expect(operationIds).toEqual([kept, kept, kept]);
});

test('an operation is kept until it has ended, however old it is', async () => {
  const id = await insertOperation(30, { finishedAt: null });
  await db.operation.update({ where: { id }, data: { pausedAt: new Date() } });
  expect(await deleteExpiredOperations(db, 7)).toBe(0);
  await db.operation.update({ where: { id }, data: { status: 'completed', finishedAt: new Date() } });
  expect(await deleteExpiredOperations(db, 7)).toBe(1);
});
