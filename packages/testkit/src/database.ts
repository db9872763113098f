import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createDb, type Db } from '@posthorn/db/client';
import { migrate } from '@posthorn/db/migrate';
import { openSession } from '@posthorn/db/session';

export type TestDatabase = { databaseUrl: string; db: Db; drop: () => Promise<void> };

/**
 * A migrated database for one test file, cloned from the template that `npm test` has made. With a folder of
 * migrations, such as those of an earlier release, only these have been applied.
 */
export async function createTestDatabase(migrationsDirectory?: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const template = migrationsDirectory === undefined ? fromEnvironment('TEST_TEMPLATE_DATABASE') : 'template0';
  const server = fromEnvironment('TEST_DATABASE_URL');
  // A file copy costs Postgres a third of the CPU that its default, a copy through the log, costs.
  await onServer(server, `create database "${name}" template "${template}" strategy file_copy`);
  const databaseUrl = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  if (migrationsDirectory !== undefined) await migrate({ databaseUrl, migrationsDirectory });
  const db = createDb({ databaseUrl, maxConnections: 5, onIdleError: () => {} });
  return {
    databaseUrl,
    db,
    async drop() {
      await db.$disconnect();
      await onServer(server, `drop database "${name}" with (force)`);
    },
  };
}

/** Opens an existing database. `drop` only disconnects. */
export function openDatabase(databaseUrl: string): TestDatabase {
  const db = createDb({ databaseUrl, maxConnections: 5, onIdleError: () => {} });
  return { databaseUrl, db, drop: () => db.$disconnect() };
}

/** Applies the migrations, as `posthorn-admin migrate` does. */
export async function migrateTest(databaseUrl: string): Promise<void> {
  await migrate({ databaseUrl, migrationsDirectory: `${ROOT}/prisma/migrations` });
}

export type TestRoles = { ownerUrl: string; runtimeUrl: string; drop: () => Promise<void> };

/**
 * The two roles of an installation, created for this database as its operator would: the owner owns the tables, and the
 * runtime role has the rights that a migration grants. Call `drop` after the database has been dropped.
 */
export async function createTestRoles({ databaseUrl }: Pick<TestDatabase, 'databaseUrl'>): Promise<TestRoles> {
  const suffix = randomUUID().slice(0, 8);
  const names = { owner: `owner_${suffix}`, runtime: `runtime_${suffix}` };
  const settings = Object.entries(names).map(
    ([kind, name]) => `set posthorn.${kind}_role = '${name}'; set posthorn.${kind}_password = '${suffix}';`,
  );
  await onServer(databaseUrl, `${settings.join('')} ${readFileSync(`${ROOT}/deploy/postgres/roles.sql`, 'utf8')}`);
  const as = (username: string) => Object.assign(new URL(databaseUrl), { username, password: suffix }).href;
  const [ownerUrl, runtimeUrl] = [as(names.owner), as(names.runtime)];
  await migrate({ databaseUrl: ownerUrl, migrationsDirectory: `${ROOT}/prisma/migrations`, runtimeUrl });
  const server = fromEnvironment('TEST_DATABASE_URL');
  return {
    ownerUrl,
    runtimeUrl,
    drop: async () => void (await onServer(server, `drop role ${names.owner}, ${names.runtime}`)),
  };
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The Redis of the test run, and a prefix for one test file. */
export function testRedis(): { redisUrl: string; prefix: string } {
  return { redisUrl: fromEnvironment('TEST_REDIS_URL'), prefix: `test_${randomUUID().slice(0, 8)}` };
}

/**
 * Where the tests of one file keep the queue: as their package usually does, or as POSTHORN_TEST_QUEUE says: `redis`, `postgres`,
 * or `swapped` for the one that is not usual. Without a Redis, its URL is empty. A file whose first comment has `@queues` runs with
 * each.
 */
export function testQueue(usual: 'redis' | 'postgres'): { redisUrl: string; prefix: string } {
  const asked = process.env.POSTHORN_TEST_QUEUE || usual;
  const other = usual === 'redis' ? 'postgres' : 'redis';
  const queue = asked === 'swapped' ? other : asked;
  if (queue === 'redis') return testRedis();
  if (queue !== 'postgres') throw new Error('POSTHORN_TEST_QUEUE must be redis, postgres or swapped');
  return { ...testRedis(), redisUrl: '' };
}

/** Runs a statement on its own connection, as the role of the URL; returns its rows. */
export async function onServer(databaseUrl: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = openSession({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement);
    return rows;
  } finally {
    await client.end();
  }
}

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(`${name} is not set: run the tests with \`npm test\`, also single ones (npm test -- PATH)`);
  return value;
}
