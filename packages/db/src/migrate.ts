import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { buildConcurrently, type NewIndex, readConcurrentIndexes } from './concurrent-indexes.ts';
import { withConnection } from './connection.ts';
import { awaitAdvisoryLock, isLockFailure, LOCK_TRIES, type LockTries, withLockTries } from './lock-tries.ts';
import { MIGRATIONS_TABLE, readRecorded } from './migration-records.ts';
import { ensurePartitions } from './partitions.ts';
import { grantRuntime } from './runtime-grants.ts';

export type MigrateOptions = {
  /** Connects as the tables' owner, directly to Postgres: session locks are held. */
  databaseUrl: string;
  migrationsDirectory: string;
  /** The connection of the services. Its role gets the grants that the services need, unless it is the owner. */
  runtimeUrl?: string;
  locks?: LockTries;
};

/**
 * Applies pending migrations, oldest first, each with the grants of the services' role, and creates daily partitions.
 * Returns the names of the applied migrations. It keeps `_prisma_migrations` exactly as `prisma migrate deploy` does
 * (lock, checksums, columns), so either can continue after the other. That command needs an engine binary that cannot
 * be downloaded everywhere. A migration and its record are one transaction, which waits briefly for its locks and tries
 * several times: one that failed or was interrupted has changed nothing, and the next call applies it. A migration that
 * begins with `-- posthorn: concurrently` builds its indexes without blocking writers, and the next call resumes it.
 * Throws when an applied migration's file has changed, or when the record of another program leaves open whether a
 * migration was applied: both need manual repair.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { databaseUrl, migrationsDirectory, runtimeUrl, locks = LOCK_TRIES } = options;
  const migrations = await readMigrations(migrationsDirectory);
  return withConnection(databaseUrl, async (client) => {
    await refusePooler(databaseUrl, client);
    // The role of the services may have a limit of its own (docs/operating/configure.md).
    await client.query('set statement_timeout = 0');
    await awaitAdvisoryLock(client, PRISMA_MIGRATE_LOCK);
    await client.query(MIGRATIONS_TABLE);
    const resumable = migrations.filter(({ indexes }) => indexes !== undefined).map(({ name }) => name);
    const done = await readRecorded(client, resumable);
    const applied: string[] = [];
    for (const migration of migrations) {
      const recorded = done.get(migration.name);
      if (recorded !== undefined && recorded.checksum !== migration.checksum) {
        throw new Error(
          `migration ${migration.name} was changed after it was applied: put its file back, add a new one`,
        );
      }
      if (recorded?.finished_at) continue;
      await apply(client, { migration, id: recorded?.id, locks });
      applied.push(migration.name);
      // Grants after each migration, because the services keep working and triggers write to a new table as their role.
      // The next migration may take an hour, or fail.
      if (runtimeUrl !== undefined) await grantRuntime(client, runtimeUrl);
    }
    await withLockTries(client, locks, () => ensurePartitions(client));
    if (runtimeUrl !== undefined) await grantRuntime(client, runtimeUrl);
    return applied;
  });
}

/**
 * A transaction pooler cannot keep a session lock. Behind it a connection that asks again may be answered by another
 * backend, or two open connections by the same one. Other clients of the pooler decide by chance which backend is free,
 * so one question is not enough.
 */
async function refusePooler(databaseUrl: string, client: pg.Client): Promise<void> {
  const direct = await withConnection(databaseUrl, async (second) => {
    const [mine, other] = [await backendOf(client), await backendOf(second)];
    if (mine === other) return false;
    for (let question = 1; question < POOLER_QUESTIONS; question += 1)
      if ((await backendOf(client)) !== mine || (await backendOf(second)) !== other) return false;
    return true;
  });
  if (direct) return;
  throw new Error(
    'the database is reached through a pooler that lends connections for one transaction: set DATABASE_OWNER_URL (or, with one role for everything, DATABASE_DIRECT_URL) to Postgres itself',
  );
}

/** With three free backends, a pooler that picks at random keeps both answers by chance once in 3^38 runs. */
const POOLER_QUESTIONS = 20;

async function backendOf(connection: pg.Client): Promise<number | undefined> {
  return (await connection.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
}

/** The advisory lock that `prisma migrate` takes. */
const PRISMA_MIGRATE_LOCK = 72707369;

type Migration = {
  name: string;
  sql: string;
  checksum: string;
  /** Set for a migration whose indexes are built concurrently. */
  indexes: NewIndex[] | undefined;
};

async function readMigrations(directory: string): Promise<Migration[]> {
  const folders = (await readdir(directory, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const names = folders.map((entry) => entry.name).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(directory, name, 'migration.sql'), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { name, sql, checksum, indexes: readConcurrentIndexes(sql) };
    }),
  );
}

type Application = { migration: Migration; id: string | undefined; locks: LockTries };

async function apply(client: pg.Client, { migration, id = randomUUID(), locks }: Application): Promise<void> {
  const { name, checksum, indexes } = migration;
  try {
    if (indexes === undefined) await withLockTries(client, locks, () => applyWhole(client, migration, id));
    else await applyIndexes(client, { migration, id, indexes, locks });
  } catch (error) {
    // The error, for operators. If the connection broke, it is not recorded, and the first error is the one to report.
    const record = client.query(
      `insert into "_prisma_migrations" (id, checksum, migration_name, logs, rolled_back_at)
       values ($1, $2, $3, $4, case when $5 then clock_timestamp() end)
       on conflict (id) do update set logs = excluded.logs`,
      [id, checksum, name, String(error), indexes === undefined],
    );
    await record.catch(() => undefined);
    throw new Error(describe(migration, error), { cause: error });
  }
}

/** Applies a migration and records it in one transaction, so that no end of the process or connection separates them. */
async function applyWhole(client: pg.Client, { name, sql, checksum }: Migration, id: string): Promise<void> {
  try {
    await client.query('begin');
    await client.query(sql);
    await client.query(
      `insert into "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count)
       values ($1, $2, $3, clock_timestamp(), 1)`,
      [id, checksum, name],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

type IndexApplication = { migration: Migration; id: string; indexes: readonly NewIndex[]; locks: LockTries };

/** Such a build is not one transaction, so its record begins unfinished. */
async function applyIndexes(client: pg.Client, { migration, id, indexes, locks }: IndexApplication): Promise<void> {
  await client.query(
    'insert into "_prisma_migrations" (id, checksum, migration_name) values ($1, $2, $3) on conflict do nothing',
    [id, migration.checksum, migration.name],
  );
  await buildConcurrently(client, indexes, locks);
  await client.query(
    'update "_prisma_migrations" set finished_at = now(), applied_steps_count = 1, logs = null where id = $1',
    [id],
  );
}

function describe({ name, indexes }: Migration, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const state =
    indexes === undefined
      ? 'a migration is applied as a whole or not at all'
      : 'the next run keeps the indexes that are built, and builds the others';
  const remedy = isLockFailure(error)
    ? 'a transaction that is open for long holds it up: end it and migrate again'
    : 'remove the cause and migrate again';
  return `migration ${name} failed: ${message}: ${state}; ${remedy}`;
}
