import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { buildConcurrently, type NewIndex, readConcurrentIndexes } from './concurrent-indexes.ts';
import { withConnection } from './connection.ts';
import { awaitAdvisoryLock, isLockFailure, LOCK_TRIES, type LockTries, withLockTries } from './lock-tries.ts';
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
 * be downloaded everywhere. A migration is one transaction, which waits briefly for its locks and tries several times.
 * A migration that begins with `-- posthorn: concurrently` builds its indexes without blocking writers, and is resumed
 * after an interruption. Throws when an applied migration's file has changed or an earlier migration failed halfway:
 * both need manual repair.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { databaseUrl, migrationsDirectory, runtimeUrl, locks = LOCK_TRIES } = options;
  const migrations = await readMigrations(migrationsDirectory);
  return withConnection(databaseUrl, async (client) => {
    await refusePooler(databaseUrl, client);
    await awaitAdvisoryLock(client, PRISMA_MIGRATE_LOCK);
    await client.query(MIGRATIONS_TABLE);
    const done = await readRecorded(client, migrations);
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
      // The services work meanwhile, and triggers write to a new table as their role. The next migration may take an
      // hour, or fail.
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

const MIGRATIONS_TABLE = `create table if not exists "_prisma_migrations" (
  id varchar(36) primary key not null,
  checksum varchar(64) not null,
  finished_at timestamptz,
  migration_name varchar(255) not null,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz not null default now(),
  applied_steps_count integer not null default 0
)`;

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

type Recorded = { id: string; migration_name: string; checksum: string; finished_at: Date | null };

/** The recorded state of each migration. An unfinished one can be resumed only if it builds indexes concurrently. */
async function readRecorded(client: pg.Client, migrations: readonly Migration[]): Promise<Map<string, Recorded>> {
  const { rows } = await client.query<Recorded>(
    'select id, migration_name, checksum, finished_at from "_prisma_migrations" where rolled_back_at is null',
  );
  const resumable = new Set(migrations.filter(({ indexes }) => indexes !== undefined).map(({ name }) => name));
  const unfinished = rows.find((row) => row.finished_at === null && !resumable.has(row.migration_name));
  if (unfinished) {
    throw new Error(
      `migration ${unfinished.migration_name} failed halfway earlier: mend the database, then mark its row in "_prisma_migrations" as finished or rolled back`,
    );
  }
  return new Map(rows.map((row) => [row.migration_name, row]));
}

type Application = { migration: Migration; id: string | undefined; locks: LockTries };

async function apply(client: pg.Client, { migration, id = randomUUID(), locks }: Application): Promise<void> {
  const { name, sql, checksum, indexes } = migration;
  await client.query(
    'insert into "_prisma_migrations" (id, checksum, migration_name) values ($1, $2, $3) on conflict do nothing',
    [id, checksum, name],
  );
  try {
    // Several statements in one query are one transaction in Postgres: a migration that fails leaves only its row.
    if (indexes === undefined) await withLockTries(client, locks, () => client.query(sql));
    else await buildConcurrently(client, indexes, locks);
  } catch (error) {
    // A migration that only failed to get its locks has changed nothing and can be run again.
    const again = isLockFailure(error) && indexes === undefined;
    const record = client.query(
      'update "_prisma_migrations" set logs = $2, rolled_back_at = case when $3 then now() end where id = $1',
      [id, String(error), again],
    );
    // If the connection broke, the row stays unfinished, and the first error is the one to report.
    await record.catch(() => undefined);
    throw new Error(describe(name, error), { cause: error });
  }
  await client.query(
    'update "_prisma_migrations" set finished_at = now(), applied_steps_count = 1, logs = null where id = $1',
    [id],
  );
}

function describe(name: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!isLockFailure(error)) return `migration ${name} failed: ${message}`;
  return `migration ${name} failed: ${message}: a transaction that is open for long holds it up; end it and migrate again`;
}
