import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, createTestRoles, onServer, type TestDatabase } from '@posthorn/testkit/database';
import { roleOf } from './connection.ts';
import { migrate } from './migrate.ts';
import { openSession } from './session.ts';

const realMigrations = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

// The database is already migrated; these migrations add tables to it.
let database: TestDatabase;
let folder = '';
beforeEach(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'posthorn-migrations-'));
});
afterEach(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

const migrateFolder = () => migrate({ databaseUrl: database.databaseUrl, migrationsDirectory: folder });

function write(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'migration.sql'), sql);
}

type MigrationRow = {
  id: string;
  checksum: string;
  finished_at: Date | null;
  logs: string | null;
  rolled_back_at: Date | null;
  started_at: Date;
  applied_steps_count: number;
};

const rowsOf = (name: string) =>
  database.db.$queryRaw<MigrationRow[]>`select * from "_prisma_migrations" where migration_name = ${name}`;

async function tableExists(name: string): Promise<boolean> {
  const [row] = await database.db.$queryRaw<{ oid: string | null }[]>`select to_regclass(${name})::text as oid`;
  return row?.oid != null;
}

test('applies missing migrations, oldest first, and nothing on the next run', async () => {
  write('2_second', 'alter table one add column b int;');
  write('1_first', 'create table one (a int);');
  writeFileSync(join(folder, 'migration_lock.toml'), 'provider = "postgresql"');
  expect(await migrateFolder()).toEqual(['1_first', '2_second']);
  expect(await migrateFolder()).toEqual([]);
  write('3_third', 'create table three (a int);');
  expect(await migrateFolder()).toEqual(['3_third']);
});

test('writes its rows as prisma does: checksum of the file’s bytes, one step, both times', async () => {
  const sql = '-- Ümlaut\ncreate table one (a int);\n';
  write('1_first', sql);
  await migrateFolder();
  expect(await rowsOf('1_first')).toEqual([
    expect.objectContaining({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      checksum: createHash('sha256').update(sql).digest('hex'),
      started_at: expect.any(Date),
      finished_at: expect.any(Date),
      rolled_back_at: null,
      logs: null,
      applied_steps_count: 1,
    }),
  ]);
});

test('the product’s own migrations are applied in a fresh test database', async () => {
  expect(await migrate({ databaseUrl: database.databaseUrl, migrationsDirectory: realMigrations })).toEqual([]);
});

test('refuses a file that was changed after it was applied, and applies no later file', async () => {
  write('1_first', 'create table one (a int);');
  await migrateFolder();
  write('1_first', 'create table one (a bigint);');
  write('2_second', 'create table two (a int);');
  await expect(migrateFolder()).rejects.toThrow('migration 1_first was changed after it was applied');
  expect(await tableExists('two')).toBe(false);
});

test('a migration that the server refuses changes nothing and is recorded with its error; the next run applies it', async () => {
  write('1_first', 'create table one (a int); create table one (a int);');
  write('2_second', 'create table two (a int);');
  await expect(migrateFolder()).rejects.toThrow(
    'migration 1_first failed: relation "one" already exists: a migration is applied as a whole or not at all; remove the cause and migrate again',
  );
  expect([await tableExists('one'), await tableExists('two')]).toEqual([false, false]);
  const refused = { finished_at: null, rolled_back_at: expect.any(Date), applied_steps_count: 0 };
  expect(await rowsOf('1_first')).toMatchObject([{ ...refused, logs: expect.stringContaining('already exists') }]);
  write('1_first', 'create table one (a int);');
  expect(await migrateFolder()).toEqual(['1_first', '2_second']);
});

test('a migration whose connection ends changes nothing, and the next run applies it', async () => {
  write('1_first', 'create table one (a int); select pg_terminate_backend(pg_backend_pid());');
  await expect(migrateFolder()).rejects.toThrow('migration 1_first failed');
  expect([await tableExists('one'), await rowsOf('1_first')]).toEqual([false, []]);
  write('1_first', 'create table one (a int);');
  expect(await migrateFolder()).toEqual(['1_first']);
});

test('the unfinished record of another program: with an error it is applied again, without one the error has the steps', async () => {
  write('1_first', 'create table one (a int);');
  const record = (logs: string | null) => database.db.$executeRaw`
    insert into "_prisma_migrations" (id, checksum, migration_name, logs) values (gen_random_uuid(), 'x', '1_first', ${logs})`;
  await record('ERROR: permission denied');
  expect(await migrateFolder()).toEqual(['1_first']);
  await database.db.$executeRaw`delete from "_prisma_migrations" where migration_name = '1_first'`;
  await database.db.$executeRaw`drop table one`;
  await record(null);
  const error = await migrateFolder().then(
    () => new Error('applied'),
    (reason: Error) => reason,
  );
  expect(error.message).toMatch(
    /migration 1_first was interrupted earlier.*has its changes, run: update.*finished_at/s,
  );
  const [, statement = ''] = /has none of them, run: (update .*)/.exec(error.message) ?? [];
  await onServer(database.databaseUrl, statement);
  expect(await migrateFolder()).toEqual(['1_first']);
});

test('of several concurrent runs one applies, and all succeed', async () => {
  write('1_first', 'select pg_sleep(0.05); create table one (a int);');
  const applied = await Promise.all([migrateFolder(), migrateFolder(), migrateFolder()]);
  expect(applied.filter((names) => names.length > 0)).toEqual([['1_first']]);
  expect(await rowsOf('1_first')).toHaveLength(1);
});

test('the role of the services may use a new table although the next migration fails', async () => {
  write('1_first', 'create table one (a int);');
  write('2_second', 'create table two (a no_such_type); /* fails on purpose */');
  const own = await createTestDatabase();
  const { ownerUrl, runtimeUrl, drop } = await createTestRoles(own);
  try {
    const migrating = migrate({ databaseUrl: ownerUrl, migrationsDirectory: folder, runtimeUrl });
    await expect(migrating).rejects.toThrow('no_such_type');
    expect(await onServer(runtimeUrl, 'insert into one values (1) returning a')).toEqual([{ a: 1 }]);
  } finally {
    await own.drop();
    await drop();
  }
});

test('a migration may take longer than the statements of its role', async () => {
  write('1_first', 'create table one (a int); select pg_sleep(1.2);');
  const own = await createTestDatabase();
  const { ownerUrl, drop } = await createTestRoles(own);
  try {
    await onServer(own.databaseUrl, `alter role "${new URL(ownerUrl).username}" set statement_timeout = '1s'`);
    await expect(onServer(ownerUrl, 'select pg_sleep(1.2) /* fails on purpose */')).rejects.toThrow('timeout');
    expect(await migrate({ databaseUrl: ownerUrl, migrationsDirectory: folder })).toEqual(['1_first']);
  } finally {
    await own.drop();
    await drop();
  }
});

test.each([
  ['postgres://ann@/posthorn?host=/var/run/postgresql', 'ann', '/var/run/postgresql'],
  ['postgres://db/posthorn?user=ann', 'ann', 'db'],
  ['postgresql://a%40b:secret@db/posthorn', 'a@b', 'db'],
])('the services’ role is read from %s as pg reads it', (url, role, host) => {
  expect(openSession({ connectionString: url })).toMatchObject({ user: role, host, database: 'posthorn' });
  expect(roleOf(url)).toBe(role);
});

test('refuses a transaction pooler, and names the settings to set', async () => {
  write('1_first', 'create table one (a int);');
  // Behaves as a transaction pooler does to two clients that query in turn: the same backend answers both.
  const pooler = createServer((socket) => answerAsBackend(socket, 4_711));
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve));
  const address = pooler.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const databaseUrl = `postgresql://posthorn@127.0.0.1:${port}/posthorn`;
  await expect(migrate({ databaseUrl, migrationsDirectory: folder })).rejects.toThrow(
    /a pooler .* set DATABASE_OWNER_URL \(.* DATABASE_DIRECT_URL\) to Postgres itself/,
  );
  pooler.close();
});

/** Implements enough of Postgres' protocol to answer every query with one row that holds `pid`. */
function answerAsBackend(socket: Socket, pid: number): void {
  const message = (type: string, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts);
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const bytes = (hex: string) => Buffer.from(hex, 'hex');
  const ready = message('Z', Buffer.from('I'));
  const text = Buffer.from(String(pid));
  const answer = Buffer.concat([
    // One column, `pid`, of type int4, as text; one row; command complete.
    message(
      'T',
      bytes('0001'),
      Buffer.from('pid\0'),
      bytes('000000000000'),
      bytes('00000017'),
      bytes('0004ffffffff0000'),
    ),
    message('D', bytes('0001'), bytes(text.length.toString(16).padStart(8, '0')), text),
    message('C', Buffer.from('SELECT 1\0')),
    ready,
  ]);
  socket.once('data', () => {
    socket.write(Buffer.concat([message('R', bytes('00000000')), ready]));
    socket.on('data', (chunk) => void (chunk[0] === 0x51 && socket.write(answer)));
  });
  socket.on('error', () => undefined);
}
