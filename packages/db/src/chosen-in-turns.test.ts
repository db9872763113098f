import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { chosenInTurns } from './chosen-in-turns.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

const HOUR_MS = 3_600_000;

test('messages that wait for their next try keep no message of another workspace from its turn', async () => {
  const ids = Array.from({ length: 1_001 }, () => randomUUID()).sort();
  await db.workspace.createMany({ data: ids.map((id) => ({ id, name: 'Acme', slug: id, plan: 'pro' })) });
  const [last, ...others] = [...ids].reverse();
  const later = { kind: 'alert', dueAt: new Date(Date.now() + HOUR_MS) };
  await db.outgoingMail.createMany({
    data: others.map((workspaceId) => ({ ...later, id: randomUUID(), workspaceId })),
  });
  const { id } = await db.outgoingMail.create({ data: { id: randomUUID(), workspaceId: last ?? null, kind: 'alert' } });
  const chosen = await db.$queryRaw<{ id: string }[]>`
    with recursive ${chosenInTurns('outgoing_mail', { ofWorkspace: 3, most: 10 })} select id from chosen`;
  expect(chosen).toEqual([{ id }]);
});
