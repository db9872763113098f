import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createTestDatabase,
  createTestRoles,
  onServer,
  type TestDatabase,
  type TestRoles,
} from '@posthorn/testkit/database';
import type { TcpGate } from '@posthorn/testkit/tcp-gate';
import { SERVER_ZONE, startZonelessPooler } from '@posthorn/testkit/zoneless-pooler';
import { createDb, type Db } from './client.ts';
import { withConnection } from './connection.ts';
import { openSession, refuseOtherZones } from './session.ts';
import { isUnavailable } from './violations.ts';

let database: TestDatabase;
let roles: TestRoles;
let pooler: TcpGate;
beforeAll(async () => {
  database = await createTestDatabase();
  const name = new URL(database.databaseUrl).pathname.slice(1);
  await onServer(database.databaseUrl, `alter database "${name}" set timezone = '${SERVER_ZONE}'`);
  roles = await createTestRoles(database);
  pooler = await startZonelessPooler(roles.runtimeUrl);
}, 30_000);
afterAll(async () => {
  await pooler.close();
  await database.drop();
  await roles.drop();
});

const open = (databaseUrl: string): Db => createDb({ databaseUrl, maxConnections: 1, onIdleError: () => {} });
const refusal = /time zone of the session is America\/St_Johns.*alter role runtime_\w+ set timezone = 'UTC'/;

test('a Date is stored and read as the same instant, whatever the zone of the server, the database and the URL', async () => {
  const url = Object.assign(new URL(database.databaseUrl), { search: `?options=-c%20TimeZone%3D${SERVER_ZONE}` }).href;
  for (const databaseUrl of [database.databaseUrl, url]) {
    const db = open(databaseUrl);
    const instant = new Date('2026-03-08T05:31:00.123Z');
    const [row] = await db.$queryRaw<{ read: Date; epoch: number; zone: string }[]>`
      select ${instant}::timestamptz as read, extract(epoch from ${instant}::timestamptz)::float8 as epoch,
        current_setting('timezone') as zone`;
    expect(row).toEqual({ read: instant, epoch: instant.getTime() / 1000, zone: 'UTC' });
    await db.$disconnect();
    const outside = await withConnection(databaseUrl, (connection) => connection.query('show timezone'));
    expect(outside.rows).toEqual([{ TimeZone: 'UTC' }]);
  }
});

test('behind a pooler that drops the zone nothing is read or written, and a start is refused with what to do', async () => {
  await expect(refuseOtherZones([undefined, pooler.url])).rejects.toThrow(refusal);
  await expect(withConnection(pooler.url, async () => 'passed')).rejects.toThrow(refusal);
  const db = open(pooler.url);
  const fault = await db.$queryRaw`select now()`.catch((error: unknown) => error);
  expect(String(fault)).toMatch(refusal);
  expect(isUnavailable(fault)).toBe(true);
  await onServer(database.databaseUrl, `alter role ${new URL(roles.runtimeUrl).username} set timezone = 'UTC'`);
  await refuseOtherZones([pooler.url]);
  expect(await db.$queryRaw`select current_setting('timezone') as zone`).toEqual([{ zone: 'UTC' }]);
  await db.$disconnect();
});

test('a session that leaves UTC later breaks before a Date passes', async () => {
  const session = openSession({ connectionString: database.databaseUrl });
  const faults: string[] = [];
  session.on('error', (error) => faults.push(error.message));
  await session.connect();
  await expect(
    session.query(`set timezone = '${SERVER_ZONE}'`).then(() => session.query('select now()')),
  ).rejects.toThrow();
  expect(faults.join()).toMatch(/time zone of the session is America\/St_Johns/);
});

test('a start does not wait for a Postgres that is away', async () => {
  await pooler.shut();
  await refuseOtherZones([pooler.url]);
  await pooler.open();
});
