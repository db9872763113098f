import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { createTestDatabase } from '@posthorn/testkit/database';
import { eraseShortPayloads } from './short-payload.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

const keyAt = (at: Date) => lowestKeyAt(at).slice(0, 14) + randomUUID().slice(14);

/**
 * Creates an owner with this many workspaces, each with this many events whose payloads nobody needs, due since
 * `dueAt`.
 */
async function owner(workspaces: number, events: number, dueAt: Date): Promise<string[]> {
  const [createdBy, ids] = [randomUUID(), Array.from({ length: workspaces }, () => randomUUID())];
  await db.workspace.createMany({ data: ids.map((id) => ({ id, name: 'Many', slug: id, plan: 'pro', createdBy })) });
  const rowsOf = (workspaceId: string) =>
    Array.from({ length: events }, () => ({ eventId: keyAt(dueAt), workspaceId, hasOneAttempt: false, dueAt }));
  await db.shortPayload.createMany({ data: ids.flatMap(rowsOf) });
  return ids;
}

const waitingOf = (workspaceIds: string[]) => db.shortPayload.count({ where: { workspaceId: { in: workspaceIds } } });

test('payloads of an owner with many workspaces in arrears let the ones of another owner be erased in the next round', async () => {
  const now = Date.now();
  const many = await owner(5, 100, new Date(now - 3_600_000));
  const few = await owner(1, 3, new Date(now - 1_000));
  const later = await owner(1, 1, new Date(now + 3_600_000));
  expect(await eraseShortPayloads(db, () => {})).toEqual({ erased: 100, isLast: false });
  expect([await waitingOf(many), await waitingOf(few), await waitingOf(later)]).toEqual([403, 0, 1]);
  // One owner alone has the whole round.
  expect(await eraseShortPayloads(db, () => {})).toEqual({ erased: 100, isLast: false });
  expect(await waitingOf(many)).toBe(303);
});
