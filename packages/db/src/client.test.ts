import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { startTcpGate, type TcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createDb, type Db } from './client.ts';
import { pingPostgres } from './ping.ts';
import { inTransaction } from './transaction.ts';
import { isUnavailable } from './violations.ts';

let database: TestDatabase;
let gate: TcpGate;
beforeAll(async () => {
  database = await createTestDatabase();
  gate = await startTcpGate(database.databaseUrl);
});
afterAll(async () => {
  await gate.close();
  await database.drop();
});

let db: Db;
beforeEach(() => {
  db = createDb({ databaseUrl: gate.url, maxConnections: 1, answersWithinMs: 1_500, onIdleError: () => {} });
});
afterEach(() => db.$disconnect());

const faultOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

test('a statement on a half-open connection fails as unavailable, and the next one gets a new connection', async () => {
  await db.$queryRaw`select 1`;
  gate.freeze('existing');
  expect(isUnavailable(await faultOf(db.$queryRaw`select 1`))).toBe(true);
  expect(await db.$queryRaw`select 1 as one`).toEqual([{ one: 1 }]);
});

test('a transaction on a half-open connection fails as unavailable, and its connection is not used again', async () => {
  await db.$queryRaw`select 1`;
  const fault = await faultOf(
    inTransaction(db, async (transaction) => {
      await transaction.$queryRaw`select 1`;
      gate.freeze('existing');
      await transaction.$queryRaw`select 2`;
    }),
  );
  expect(isUnavailable(fault)).toBe(true);
  expect(await db.$queryRaw`select 1 as one`).toEqual([{ one: 1 }]);
});

test('an idle connection is not mistaken for a silent one', async () => {
  const faults: Error[] = [];
  const databaseUrl = `${database.databaseUrl}?application_name=idle`;
  const onIdleError = (error: Error) => faults.push(error);
  const own = createDb({ databaseUrl, maxConnections: 1, answersWithinMs: 2_000, onIdleError });
  expect(await own.$queryRaw`select current_setting('application_name') as name`).toEqual([{ name: 'idle' }]);
  const connections = () =>
    database.db.$queryRaw<unknown[]>`
      select 1 from pg_stat_activity where datname = current_database() and application_name = 'idle'`;
  await waitFor(async () => (await connections()).length === 0, { what: 'the idle connection to be closed' });
  expect(faults).toEqual([]);
  await own.$disconnect();
});

test('while a statement hangs, Postgres counts as unreachable, although new connections work', async () => {
  const own = createDb({ databaseUrl: gate.url, maxConnections: 3, answersWithinMs: 3_000, onIdleError: () => {} });
  await own.$queryRaw`select 1`;
  gate.freeze('existing');
  const hung = faultOf(own.$queryRaw`select 2`);
  expect(await own.$queryRaw`select 1 as one`).toEqual([{ one: 1 }]);
  await waitFor(async () => (await faultOf(pingPostgres(own))) !== undefined, {
    what: 'the hanging statement to count',
  });
  await hung;
  await pingPostgres(own);
  await own.$disconnect();
});

test.each([false, true])('Postgres compiles no plan, whatever it costs (with kept plans: %s)', async (keepPlans) => {
  const own = createDb({ databaseUrl: gate.url, maxConnections: 1, keepPlans, onIdleError: () => {} });
  expect(await own.$queryRaw`show jit`).toEqual([{ jit: 'off' }]);
  await own.$disconnect();
});

test('a row without a partition is unavailable: the partition is created within the hour', async () => {
  const id = '00000000-0000-7000-8000-000000000000';
  const insert = database.db.$executeRaw`insert into event (id, workspace_id, environment_id, payload_size, published)
    values (${id}::uuid, ${id}::uuid, ${id}::uuid, 0, true)`;
  expect(isUnavailable(await faultOf(insert))).toBe(true);
});

test('a client takes less than 3 MB, because one process has six', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const usedMb = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed / 1e6;
  };
  const open = () => createDb({ databaseUrl: gate.url, maxConnections: 1, onIdleError: () => {} });
  const before = usedMb();
  const clients = Array.from({ length: 4 }, open);
  expect((usedMb() - before) / clients.length).toBeLessThan(3);
  await Promise.all(clients.map((client) => client.$disconnect()));
});
