import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@posthorn/testkit/database';
import { accountMailsInTurns, chosenInTurns } from './chosen-in-turns.ts';
import { inTransaction } from './transaction.ts';

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

/** Creates an owner with this many workspaces, each with this many mails that have been due for a while. */
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
  // Those three mails are under way, so their owner gets no more, and a newcomer need not wait behind it.
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

/** Sends as a round does, and returns the workspaces whose mails were sent. */
const send = async (most: number) => {
  const sent = await db.$queryRaw<{ workspaceId: string }[]>`
    with recursive ${chosenInTurns('outgoing_mail', { ofOwner: 3, most })}
    update outgoing_mail m set due_at = null from chosen c where m.id = c.id returning m.workspace_id as "workspaceId"`;
  return sent.map(({ workspaceId }) => workspaceId);
};

test('where more owners are in arrears than a round has places, a newcomer waits until each of them had one turn', async () => {
  await db.outgoingMail.deleteMany();
  for (let n = 0; n < 12; n += 1) await arrears(1, 20);
  await send(4);
  const newcomer = await arrears(1, 1);
  await db.$executeRaw`update outgoing_mail set due_at = now() where workspace_id in
    (select id from workspace where created_by = ${newcomer}::uuid)`;
  const [{ id }] = await db.$queryRaw<[{ id: string }]>`
    select id from workspace where created_by = ${newcomer}::uuid order by id limit 1`;
  const rounds: string[][] = [];
  for (let round = 0; round < 4; round += 1) rounds.push(await send(4));
  expect(rounds.flat()).toContain(id);
  // Thirteen owners and sixteen places: nobody has a third turn.
  const turnsOf = (owner: string) => rounds.flat().filter((workspaceId) => workspaceId === owner).length;
  expect(Math.max(...rounds.flat().map(turnsOf))).toBe(2);
});

test('where more workspaces wait than a round looks at, each has its turn', async () => {
  await db.outgoingMail.deleteMany();
  const ids = Array.from({ length: 1_050 }, () => randomUUID());
  await db.workspace.createMany({ data: ids.map((id) => ({ id, name: 'One', slug: id, plan: 'pro' })) });
  const dueAt = new Date(Date.now() - HOUR_MS);
  await db.outgoingMail.createMany({
    data: ids.flatMap((workspaceId) =>
      Array.from({ length: 6 }, () => ({ id: randomUUID(), workspaceId, kind: 'invitation', dueAt })),
    ),
  });
  const served = new Set<string>();
  // Six rounds have a place for each. The last turn of another test may be in the middle of the first page, which then
  // ends early, so a workspace may have to wait for the third page.
  for (let round = 0; round < 18; round += 1) for (const id of await send(200)) served.add(id);
  expect(served.size).toBe(ids.length);
});

test('two processes that choose at one moment choose different rows, and neither waits for the other', async () => {
  await db.outgoingMail.deleteMany();
  for (let n = 0; n < 6; n += 1) await arrears(1, 2);
  const [first, second] = await inTransaction(db, async (transaction) => {
    const choose = (on: Pick<typeof transaction, '$queryRaw'>) => on.$queryRaw<{ id: string }[]>`
      with recursive ${chosenInTurns('outgoing_mail', { ofOwner: 3, most: 4 })} select id from chosen`;
    return [await choose(transaction), await choose(db)];
  });
  expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(8);
});

test('mails about accounts take turns, too, and a new one waits until each account had one', async () => {
  await db.outgoingMail.deleteMany();
  const people = Array.from({ length: 9 }, () => randomUUID());
  await db.user.createMany({ data: people.map((id) => ({ id, email: `${id}@example.com`, name: 'Any' })) });
  const old = new Date(Date.now() - HOUR_MS);
  const [newcomer = '', ...others] = people;
  await db.outgoingMail.createMany({
    data: [
      ...others.flatMap((userId) =>
        Array.from({ length: 5 }, () => ({ id: randomUUID(), userId, kind: 'password_reset', dueAt: old })),
      ),
      { id: randomUUID(), userId: newcomer, kind: 'password_reset' },
    ],
  });
  const sent: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const rows = await db.$queryRaw<{ userId: string }[]>`
      with recursive ${accountMailsInTurns({ ofOwner: 2, most: 3 })}
      update outgoing_mail m set due_at = null from chosen c where m.id = c.id returning m.user_id as "userId"`;
    sent.push(...rows.map(({ userId }) => userId));
  }
  expect(sent.toSorted()).toEqual(people.toSorted());
});

test('each lane has its row, so that its turns move on', async () => {
  const lanes = [
    'account_mail',
    'outgoing_mail',
    'outgoing_alert',
    'outgoing_termination',
    'alert_state',
    'short_payload',
    'erased_event',
    'endpoint',
  ];
  const rows = await db.turn.findMany({ select: { lane: true } });
  expect(rows.map(({ lane }) => lane).toSorted()).toEqual(lanes.toSorted());
});
