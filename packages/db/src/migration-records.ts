import type pg from 'pg';

/** As Prisma has it. */
export const MIGRATIONS_TABLE = `create table if not exists "_prisma_migrations" (
  id varchar(36) primary key not null,
  checksum varchar(64) not null,
  finished_at timestamptz,
  migration_name varchar(255) not null,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz not null default now(),
  applied_steps_count integer not null default 0
)`;

type Recorded = { id: string; migration_name: string; checksum: string; finished_at: Date | null };

/**
 * The recorded state of each migration, by its name. `resumable` names the migrations that build indexes concurrently.
 * An unfinished record is one of these, or of `prisma migrate deploy` or an earlier version, which do not record a
 * migration in its own transaction. With `logs`, the server has refused that migration and rolled it back, so it counts
 * as not recorded. Without `logs`, its process or connection ended, perhaps after the commit: throws an error with the
 * steps.
 */
export async function readRecorded(
  connection: Pick<pg.Client, 'query'>,
  resumable: readonly string[],
): Promise<Map<string, Recorded>> {
  await connection.query(
    `update "_prisma_migrations" set rolled_back_at = now()
     where finished_at is null and rolled_back_at is null and logs is not null and migration_name <> all($1::text[])`,
    [resumable],
  );
  const { rows } = await connection.query<Recorded>(
    'select id, migration_name, checksum, finished_at from "_prisma_migrations" where rolled_back_at is null',
  );
  const unknown = rows.find((row) => row.finished_at === null && !resumable.includes(row.migration_name));
  if (unknown) throw new Error(describeUnknown(unknown));
  return new Map(rows.map((row) => [row.migration_name, row]));
}

function describeUnknown({ id, migration_name }: Recorded): string {
  const set = (column: string) => `update "_prisma_migrations" set ${column} = now() where id = '${id}'`;
  return [
    `migration ${migration_name} was interrupted earlier, and its record leaves open whether it was applied.`,
    `If the database has its changes, run: ${set('finished_at')}`,
    `If it has none of them, run: ${set('rolled_back_at')}`,
    'Then migrate again.',
  ].join('\n');
}
