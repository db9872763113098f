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
    with recursive ${chosenInTurns('outgoing_mail', { ofOwner: 3, most: 10 })} select id from chosen`;
  expect(chosen).toEqual([{ id }]);
});

/** An owner with that many workspaces, each with that many mails that have been due for a while. */
async function arrears(workspaces: number, mails: number): Promise<string> {
  const createdBy = randomUUID();
  const ids = Array.from({ length: workspaces }, () => randomUUID());
  await db.workspace.createMany({ data: ids.map((id) => ({ id, name: 'Many', slug: id, plan: 'pro', createdBy })) });
  const dueAt = new Date(Date.now() - HOUR_MS);
  await db.outgoingMail.createMany({
    data: ids.flatMap((workspaceId) =>
      Array.from({ length: mails }, () => ({ id: randomUUID(), workspaceId, kind: 'invitation', dueAt })),
    ),
  });
  return createdBy;
}

const claim = () => db.$queryRaw<{ owner: string; id: string }[]>`
  with recursive ${chosenInTurns('outgoing_mail', { ofOwner: 3, most: 4 })}, claimed as (
    update outgoing_mail m set claimed_until = now() + interval '1 minute' from chosen c where m.id = c.id
    returning m.id, m.workspace_id)
  select c.id, coalesce(w.created_by, w.id)::text as owner from claimed c join workspace w on w.id = c.workspace_id`;

test('an owner with many workspaces in arrears counts once: another owner waits one round, and claims count for their owner', async () => {
  await db.outgoingMail.deleteMany();
  const many = await arrears(18, 40);
  const few = await arrears(1, 1);
  const first = (await claim()).map(({ owner }) => owner);
  expect([first.filter((owner) => owner === many).length, first.includes(few)]).toEqual([3, true]);
  // The three are under way: the owner has no more, and a newcomer is not behind it.
  const newcomer = await arrears(1, 2);
  expect((await claim()).map(({ owner }) => owner)).toEqual([newcomer, newcomer]);
});

test('rows are chosen by their rank among those of their owner, and by their due time only among the same rank', async () => {
  await db.outgoingMail.deleteMany();
  const owners = [await arrears(2, 3), await arrears(3, 3), await arrears(1, 3), await arrears(1, 1)];
  await db.$executeRaw`update outgoing_mail set due_at = now() where workspace_id in
    (select id from workspace where created_by = ${owners[3]}::uuid)`;
  expect(new Set((await claim()).map(({ owner }) => owner))).toEqual(new Set(owners));
});
