import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createApiClient } from '@posthorn/testkit/api-client';
import { createTestRoles, onServer, type TestRoles } from '@posthorn/testkit/database';
import { createIngest } from '@posthorn/testkit/ingest-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { waitFor } from '@posthorn/testkit/wait-for';

const DAY_MS = 86_400_000;

let receiver: Receiver;
let stack: Stack;
let roles: TestRoles;
beforeAll(async () => {
  receiver = await startReceiver();
  stack = await startStack({
    dispatchers: 0,
    async prepare(database) {
      roles = await createTestRoles(database);
      return { DATABASE_URL: roles.runtimeUrl };
    },
  });
}, 60_000);
afterAll(async () => {
  await stack.stop();
  await roles.drop();
  await receiver.close();
}, 60_000);

const partition = (table: string, days: number) =>
  `${table}_${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`;
const exists = async (table: string) => {
  const rows = await onServer(roles.ownerUrl, `select to_regclass('${table}') is not null as found`);
  return rows[0]?.found === true;
};

test('under the runtime role an event is ingested and delivered, and each change is in the audit log', async () => {
  await onServer(roles.ownerUrl, `drop table ${partition('attempt', 14)}`);
  await onServer(roles.ownerUrl, `select make_daily_partition('event', current_date - 20)`);
  await stack.startDispatcher({ DATABASE_OWNER_URL: roles.ownerUrl });
  const client = createApiClient({ ...stack, baseUrl: stack.api.url });
  await client.subscribeEndpoint({ url: receiver.url, eventType: 'order.created' });
  expect((await createIngest(stack)('event/order.created', Buffer.from('{"a":1}'))).status).toBe(202);
  await waitFor(() => receiver.requests.length === 1, { what: 'the delivery' });
  const { body } = await client.call<{ data: { action: string }[] }>('GET', '/audit-logs');
  expect(body.data.map(({ action }) => action)).toContain('endpoint.created');

  await waitFor(() => exists(partition('attempt', 14)), { what: 'the partition that was missing' });
  await waitFor(async () => !(await exists(partition('event', -20))), { what: 'the expired partition to be dropped' });
  expect(stack.dispatchers[0]?.output()).not.toContain('a step of retention failed');
});

test.each([
  ['alter an audit entry', `update audit_entry set actor_label = 'Eve'`],
  ['take the values of an audit entry', `update audit_entry set actor_label = '', personal_salt = null`],
  ['delete an audit entry', 'delete from audit_entry'],
  ['truncate the audit log', 'truncate audit_entry'],
  ['switch its triggers off', 'alter table audit_entry disable trigger user'],
  ['move a chain', 'update audit_chain set sequence = 0'],
  ['drop a chain', 'delete from audit_chain'],
  ['drop a partition', `drop table ${partition('event', 1)}`],
  ['make a table', 'create table mine (a int)'],
  ['record a migration', 'delete from _prisma_migrations'],
  ['make a partition of another table', `select make_daily_partition('audit_entry', current_date)`],
  ['make a partition of a far day', `select make_daily_partition('event', current_date + 100)`],
])('the runtime role cannot %s', async (_, statement) => {
  await expect(onServer(roles.runtimeUrl, statement)).rejects.toThrow(
    /permission denied|must be owner|has no daily partitions|too far from today/,
  );
});

test('neither role is a superuser or may make roles or databases', async () => {
  for (const url of [roles.ownerUrl, roles.runtimeUrl]) {
    const rows = await onServer(
      url,
      'select rolsuper or rolcreaterole or rolcreatedb as any from pg_roles where rolname = current_user',
    );
    expect(rows).toEqual([{ any: false }]);
  }
});

test('where no superuser is at hand, a role with CREATEROLE that owns the database makes both roles, also twice', async () => {
  const admin = `admin_${randomUUID().slice(0, 8)}`;
  const database = Object.assign(new URL(stack.databaseUrl), { pathname: `/${admin}` });
  await onServer(stack.databaseUrl, `create role ${admin} login createrole password 'secret'`);
  await onServer(stack.databaseUrl, `create database ${admin} owner ${admin} template template0`);
  const databaseUrl = Object.assign(new URL(database), { username: admin, password: 'secret' }).href;
  await onServer(databaseUrl, 'create table earlier (a int)');
  const made = [await createTestRoles({ databaseUrl }), await createTestRoles({ databaseUrl })];
  const owner = new URL(made[1]?.ownerUrl ?? '').username;
  const tables = await onServer(
    database.href,
    `select count(*)::int as tables, count(*) filter (where tablename = 'earlier')::int as earlier from pg_tables
     where schemaname = 'public' and tableowner = '${owner}'`,
  );
  expect(tables).toEqual([{ tables: expect.any(Number), earlier: 1 }]);
  expect(tables[0]?.tables).toBeGreaterThan(20);
  await onServer(stack.databaseUrl, `drop database ${admin} with (force)`);
  for (const roles of made) await roles.drop();
  await onServer(stack.databaseUrl, `drop role ${admin}`);
}, 120_000);
