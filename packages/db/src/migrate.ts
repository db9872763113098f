import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { ensurePartitions } from './partitions.ts';

export type MigrateOptions = { databaseUrl: string; migrationsDirectory: string };

/**
 * Applies what is not applied yet, oldest first, then makes the daily partitions; answers the names applied.
 * It keeps `_prisma_migrations` exactly as `prisma migrate deploy` does (lock, checksums, columns), so that either can
 * go on where the other stopped; that command itself needs an engine binary that cannot be fetched everywhere.
 * Throws when an applied migration's file has changed or an earlier one failed halfway: both want a person.
 */
export async function migrate({ databaseUrl, migrationsDirectory }: MigrateOptions): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(${PRISMA_MIGRATE_LOCK})`);
    await client.query(MIGRATIONS_TABLE);
    const done = await readApplied(client);
    const applied: string[] = [];
    for (const migration of await readMigrations(migrationsDirectory)) {
      const checksum = done.get(migration.name);
      if (checksum === undefined) {
        await apply(client, migration);
        applied.push(migration.name);
      } else if (checksum !== migration.checksum) {
        throw new Error(
          `migration ${migration.name} was changed after it was applied: put its file back, add a new one`,
        );
      }
    }
    await ensurePartitions(client);
    return applied;
  } finally {
    await client.end();
  }
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

type Migration = { name: string; sql: string; checksum: string };

async function readMigrations(directory: string): Promise<Migration[]> {
  const folders = (await readdir(directory, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const names = folders.map((entry) => entry.name).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(directory, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished_at: Date | null }>(
    'select migration_name, checksum, finished_at from "_prisma_migrations" where rolled_back_at is null',
  );
  const unfinished = rows.find((row) => row.finished_at === null);
  if (unfinished) {
    throw new Error(
      `migration ${unfinished.migration_name} failed halfway earlier: mend the database, then mark its row in "_prisma_migrations" as finished or rolled back`,
    );
  }
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}

/** Several statements in one query are one transaction in Postgres: a migration that fails leaves only its row. */
async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  const id = randomUUID();
  await client.query('insert into "_prisma_migrations" (id, checksum, migration_name) values ($1, $2, $3)', [
    id,
    checksum,
    name,
  ]);
  try {
    await client.query(sql);
  } catch (error) {
    await client.query('update "_prisma_migrations" set logs = $2 where id = $1', [id, String(error)]);
    throw new Error(`migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  await client.query('update "_prisma_migrations" set finished_at = now(), applied_steps_count = 1 where id = $1', [
    id,
  ]);
}
