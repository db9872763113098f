import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import type pg from 'pg';
import { readConcurrentIndexes } from './concurrent-indexes.ts';
import { withConnection } from './connection.ts';
import { migrate } from './migrate.ts';
import { ensurePartitions } from './partitions.ts';
import { lowestKeyAt } from './uuid-range.ts';

const DAY_MS = 86_400_000;
const SQL = `-- posthorn: concurrently
-- Lists by environment.
CREATE INDEX "delivery_try_environment_idx" ON "delivery" ("environment_id", "id" DESC) WHERE "failure_reason" IS NOT NULL;
CREATE INDEX "endpoint_url_idx" ON "endpoint" ("url");
`;

let database: TestDatabase;
let folder = '';
let keys = 0;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'posthorn-migrations-'));
  write('1_indexes', SQL);
});
afterEach(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

function write(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'migration.sql'), sql);
}

const migrateFolder = () =>
  migrate({
    databaseUrl: database.databaseUrl,
    migrationsDirectory: folder,
    locks: { timeoutMs: 100, tries: 600, pauseMs: 50 },
  });
const connected = <T>(work: (connection: pg.Client) => Promise<T>) => withConnection(database.databaseUrl, work);

/** A write like those of the services, which must not wait for the migration. */
async function insertDelivery(connection: pg.Client, into: 'parent' | 'partition' = 'parent'): Promise<void> {
  keys += 1;
  const at = new Date(Date.now() + keys);
  const id = lowestKeyAt(at);
  const suffix = into === 'partition' ? `_${at.toISOString().slice(0, 10).replaceAll('-', '')}` : '';
  await connection.query(
    `insert into "delivery${suffix}" (id, event_id, endpoint_id, workspace_id, environment_id) values ($1, $1, $1, $1, $1)`,
    [id],
  );
}

type IndexRow = { name: string; valid: boolean; partitions: number };

/** The parent's index, and the number of valid partition indexes attached to it. */
async function parentIndex(): Promise<IndexRow | undefined> {
  const [row] = await database.db.$queryRaw<IndexRow[]>`
    select x.indexrelid::regclass::text as name, x.indisvalid as valid,
      (select count(*)::int from pg_inherits i join pg_index p on p.indexrelid = i.inhrelid and p.indisvalid
       where i.inhparent = x.indexrelid) as partitions
    from pg_index x where x.indexrelid = to_regclass('delivery_try_environment_idx')`;
  return row;
}

async function count(of: 'partitions' | 'invalid'): Promise<number> {
  const [row] =
    of === 'partitions'
      ? await database.db.$queryRaw<{ n: number }[]>`
          select count(*)::int as n from pg_inherits where inhparent = 'delivery'::regclass`
      : await database.db.$queryRaw<{ n: number }[]>`select count(*)::int as n from pg_index where not indisvalid`;
  return row?.n ?? 0;
}

/** The backend whose build waits for an open transaction. It stays at that partition until the transaction ends. */
async function heldUpPid(): Promise<number | undefined> {
  const [row] = await database.db.$queryRaw<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and query like 'create index concurrently%'
      and state = 'active' and wait_event_type = 'Lock' and pid <> pg_backend_pid()`;
  return row?.pid;
}

/** The number of the migration's statements that wait for a lock now. */
const triesSeen = async () => {
  const [row] = await database.db.$queryRaw<{ n: number }[]>`
    select count(*)::int as n from pg_stat_activity where datname = current_database()
      and (query like 'create index "delivery%' or query like '%add column note%') and wait_event_type = 'Lock'`;
  return row?.n ?? 0;
};

test.each<[string, 'parent' | 'partition', () => Promise<boolean>]>([
  ['the parent', 'parent', async () => (await triesSeen()) > 0],
  ['a partition', 'partition', async () => (await heldUpPid()) !== undefined],
])('a long transaction that writes to %s delays the indexes and blocks no writer', async (_, into, isHeldUp) => {
  const migrated = await connected(async (open) => {
    await open.query('begin');
    await insertDelivery(open, into);
    const running = migrateFolder();
    await waitFor(isHeldUp, { what: 'the migration to be held up' });
    await connected(async (writer) => {
      await writer.query(`set statement_timeout = '5s'`);
      for (let n = 0; n < 20; n += 1) await insertDelivery(writer);
      // A partition that is created during the build also gets the index.
      await ensurePartitions(writer, new Date(Date.now() - 4 * DAY_MS));
    });
    expect(await rowOf('1_indexes')).toMatchObject([{ finished_at: null }]);
    await open.query('commit');
    return running;
  });
  expect(migrated).toEqual(['1_indexes']);
  const partitions = await count('partitions');
  expect(partitions).toBe(19);
  expect([await parentIndex(), await count('invalid')]).toEqual([
    { name: 'delivery_try_environment_idx', valid: true, partitions },
    0,
  ]);
  expect(await rowOf('1_indexes')).toMatchObject([
    { finished_at: expect.any(Date), applied_steps_count: 1, logs: null },
  ]);
});

test('an interrupted build is resumed by the next migration, and leaves no invalid index', async () => {
  await connected(async (open) => {
    await open.query('begin');
    await insertDelivery(open, 'partition');
    const cutOff = expect(migrateFolder()).rejects.toThrow();
    const pid = await waitFor(heldUpPid, { what: 'the build of an index to be held up' });
    await waitFor(async () => (await count('invalid')) > 1, { what: 'an invalid index' });
    await database.db.$queryRaw`select pg_terminate_backend(${pid}::int)`;
    await cutOff;
    await open.query('commit');
  });
  expect([(await count('invalid')) > 1, await rowOf('1_indexes')]).toMatchObject([true, [{ finished_at: null }]]);
  expect(await migrateFolder()).toEqual(['1_indexes']);
  const partitions = await count('partitions');
  expect([await parentIndex(), await count('invalid')]).toEqual([
    { name: 'delivery_try_environment_idx', valid: true, partitions },
    0,
  ]);
  expect(await rowOf('1_indexes')).toMatchObject([{ finished_at: expect.any(Date) }]);
  expect(await migrateFolder()).toEqual([]);
});

test('of several concurrent migrations one builds, and all succeed', async () => {
  const applied = await Promise.all([migrateFolder(), migrateFolder(), migrateFolder()]);
  expect(applied.filter((names) => names.length > 0)).toEqual([['1_indexes']]);
  expect(await parentIndex()).toMatchObject({ valid: true });
});

test('the file is plain SQL: Prisma makes the same index from it, and both agree on the applied migrations', async () => {
  await connected((connection) => connection.query(SQL));
  expect(await parentIndex()).toMatchObject({ valid: true, partitions: await count('partitions') });
});

test('a table without partitions, as in an empty database, has the index at once', async () => {
  write('0_table', 'create table plain (id int) partition by range (id);');
  write('1_indexes', '-- posthorn: concurrently\nCREATE UNIQUE INDEX "plain_key" ON "plain"("id");\n');
  expect(await migrateFolder()).toEqual(['0_table', '1_indexes']);
  await connected((connection) => connection.query('create table one partition of plain for values from (1) to (9)'));
  const found = await database.db.$queryRaw`select count(*)::int as n from pg_index where indrelid = 'one'::regclass`;
  expect([found, await count('invalid')]).toEqual([[{ n: 1 }], 0]);
});

test('a marked file holds only indexes: with any other statement nothing is applied', async () => {
  expect(readConcurrentIndexes('create index "a" on "b" ("c");')).toBeUndefined();
  write('0_first', 'create table zero (a int);');
  write('1_indexes', `${SQL}drop table endpoint;`);
  await expect(migrateFolder()).rejects.toThrow('holds only create index');
  const [row] = await database.db.$queryRaw<{ found: boolean }[]>`select to_regclass('zero') is not null as found`;
  expect(row?.found).toBe(false);
});

test('an ordinary migration waits briefly for its locks, tries again, and blocks no writer meanwhile', async () => {
  rmSync(join(folder, '1_indexes'), { recursive: true });
  write('1_column', 'create table one (a int); alter table delivery add column note text;');
  const migrated = await connected(async (open) => {
    await open.query('begin');
    await insertDelivery(open);
    const running = migrateFolder();
    await waitFor(async () => (await triesSeen()) > 0, { what: 'the migration to be held up' });
    await connected(async (writer) => {
      await writer.query(`set statement_timeout = '5s'`);
      for (let n = 0; n < 20; n += 1) await insertDelivery(writer);
    });
    expect(await rowOf('1_column')).toEqual([]);
    await open.query('commit');
    return running;
  });
  expect(migrated).toEqual(['1_column']);
});

test('a migration that never gets its locks fails with the reason, and can be run again', async () => {
  rmSync(join(folder, '1_indexes'), { recursive: true });
  write('1_column', 'create table one (a int); alter table delivery add column note text;');
  await connected(async (open) => {
    await open.query('begin');
    await insertDelivery(open);
    const locks = { timeoutMs: 20, tries: 2, pauseMs: 1 };
    const failing = migrate({ databaseUrl: database.databaseUrl, migrationsDirectory: folder, locks });
    await expect(failing).rejects.toThrow(/1_column failed: .*lock timeout: .*; a transaction that is open for long/);
    await open.query('rollback');
  });
  expect(await migrateFolder()).toEqual(['1_column']);
});

type MigrationRow = { finished_at: Date | null; applied_steps_count: number; logs: string | null };

const rowOf = (name: string) =>
  database.db.$queryRaw<MigrationRow[]>`
    select finished_at, applied_steps_count, logs from "_prisma_migrations" where migration_name = ${name}`;
