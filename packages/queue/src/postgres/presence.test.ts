import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { withConnection } from '@posthorn/db/connection';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import { openProcess } from '../../contract/postgres-maker.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('processes that look at once after a long outage do not wait for each other', async () => {
  const other = randomUUID();
  await database.db.$executeRaw`
    insert into worker (id, role, queue, version, seen_at)
    values (${other}::uuid, 'api', 'postgres', 'test', now() - interval '2 minutes')`;
  await withConnection(database.databaseUrl, async (connection) => {
    // The other one shows itself at the same moment.
    await connection.query('begin');
    await connection.query('update worker set seen_at = now() where id = $1', [other]);
    const { shared, close } = openProcess(database.databaseUrl);
    const isSeen = () => shared.presence.workers().some(({ id }) => id === shared.processId);
    await waitFor(isSeen, { what: 'the look' });
    await connection.query('commit');
    await waitFor(() => shared.presence.workers().some(({ id }) => id === other), { what: 'the other one' });
    await close();
  });
  const left = await database.db.$queryRaw<object[]>`select id from worker where id = ${other}::uuid`;
  expect(left).toHaveLength(1);
});

test('until a process knows whether a queue is paused, it counts as paused', async () => {
  const { shared, close } = openProcess(database.databaseUrl);
  const isPaused = () => ['fan-out', 'deliver'].map((queue) => shared.presence.isPaused(queue));
  expect(isPaused()).toEqual([true, true]);
  await waitFor(() => shared.presence.workers().length > 0, { what: 'the first look' });
  expect(isPaused()).toEqual([false, false]);
  await close();
});

test('a dispatcher that stops gives the others time from the look that hides it, however long that look takes', async () => {
  const report = () => ({ slotCount: 1, freeSlots: 1, slowEndpoints: new Map() });
  const [one, other] = [openProcess(database.databaseUrl), openProcess(database.databaseUrl)];
  const [hideOne, hideOther] = [one, other].map(({ shared }) => shared.presence.show(report));
  for (const { shared } of [one, other])
    await waitFor(() => shared.presence.workers().filter(({ slotCount }) => slotCount > 0).length === 2, {
      what: 'both',
    });
  let isHidden = false;
  await withConnection(database.databaseUrl, async (connection) => {
    await connection.query('begin');
    await connection.query('select from worker where id = $1 for update', [one.shared.processId]);
    const hidden = hideOne?.().then(() => {
      isHidden = true;
    });
    await hideOther?.();
    expect(isHidden).toBe(false);
    await connection.query('commit');
    await hidden;
  });
  const seen = other.shared.presence.workers().find(({ id }) => id === one.shared.processId);
  expect(seen?.slotCount).toBe(0);
  for (const { close } of [one, other]) await close();
});
