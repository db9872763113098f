import pg from 'pg';
import { KEEP_ALIVE_DELAY_MS } from './client.ts';

/** Days of partitions that stand ready ahead of today; a dispatcher that runs keeps them so. */
export const PARTITION_DAYS_AHEAD = 14;

/** Advisory lock of a session, held while partitions are dropped or must not be. */
export const PARTITION_DROP_LOCK = 7061727470;

const PARTITIONED_TABLES = ['event', 'delivery', 'attempt'] as const;
const DAY_MS = 86_400_000;

/** The part of a connection that partitions need. */
type Connection = Pick<pg.Client, 'query'>;

/**
 * Makes the daily partitions from yesterday (clocks differ) to 14 days ahead, where they are missing, by Postgres'
 * clock. Safe to call from many processes at once. A function in the database makes each, so that neither ownership of
 * the tables nor a lock of the session is needed: a pooler may lend the connection.
 */
export async function ensurePartitions(connection: Connection, firstDay?: Date): Promise<void> {
  const today = await postgresDay(connection);
  const first = firstDay ? dayStart(firstDay) : today - DAY_MS;
  const existing = await partitionNames(connection);
  for (const table of PARTITIONED_TABLES) {
    for (let day = first; day <= today + PARTITION_DAYS_AHEAD * DAY_MS; day += DAY_MS) {
      if (existing.has(partitionName(table, day))) continue;
      await connection.query('select public.make_daily_partition($1, $2)', [
        table,
        new Date(day).toISOString().slice(0, 10),
      ]);
    }
  }
}

/**
 * The hourly upkeep of every process that writes events: makes the partitions that are missing. Answers for how many
 * days after today every table has one, also where they could not be made; `onError` is told why not.
 */
export async function keepPartitionsAhead(databaseUrl: string, onError: (error: unknown) => void): Promise<number> {
  return withConnection(databaseUrl, async (connection) => {
    await ensurePartitions(connection).catch(onError);
    return countDaysAhead(connection);
  });
}

/** Days after today in a row for which every table has its partition; -1 where today's is missing. */
async function countDaysAhead(connection: Connection): Promise<number> {
  const today = await postgresDay(connection);
  const existing = await partitionNames(connection);
  const isReady = (day: number) => PARTITIONED_TABLES.every((table) => existing.has(partitionName(table, day)));
  let days = -1;
  while (isReady(today + (days + 1) * DAY_MS)) days += 1;
  return days;
}

/**
 * Drops the partitions whose every row is older than `retentionDays` by Postgres' clock; answers their names.
 * They are detached concurrently first, so that no statement in flight waits. One process at a time does it; another
 * caller meanwhile drops nothing. One that cannot be dropped keeps no other: the rest goes, and then it throws.
 */
export async function dropExpiredPartitions(connection: Connection, retentionDays: number): Promise<string[]> {
  const firstKept = (await postgresDay(connection)) - retentionDays * DAY_MS;
  const { rows } = await connection.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    PARTITION_DROP_LOCK,
  ]);
  if (rows[0]?.locked !== true) return [];
  try {
    const dropped: string[] = [];
    const failures: string[] = [];
    for (const daily of await dailyTables(connection)) {
      const day = partitionDay(daily.name);
      if (day === undefined || day >= firstKept) continue;
      try {
        await dropPartition(connection, daily);
        dropped.push(daily.name);
      } catch (error) {
        failures.push(`${daily.name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    if (failures.length > 0) throw new Error(`expired partitions stay: ${failures.join('; ')}`);
    return dropped;
  } finally {
    await connection.query('select pg_advisory_unlock($1)', [PARTITION_DROP_LOCK]);
  }
}

/**
 * Runs `work` on a connection of its own, apart from the pool. A statement may take minutes, unless `timeoutMs` says how
 * long one may take.
 */
export async function withConnection<T>(
  databaseUrl: string,
  work: (connection: pg.Client) => Promise<T>,
  timeoutMs?: number,
): Promise<T> {
  const limits = timeoutMs === undefined ? {} : { statement_timeout: timeoutMs, query_timeout: timeoutMs };
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    ...limits,
  });
  // A connection that breaks rejects the query and emits an error besides: unheard, that would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The smallest UUIDv7-shaped key of an instant: the bound between what came before it and what came after. */
export function lowestKeyAt(instant: Date): string {
  const hex = instant.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}

async function dropPartition(connection: Connection, { name, table, state }: DailyTable): Promise<void> {
  // An earlier round may have been cut off in the middle of either step.
  if (state === 'detaching') await connection.query(`alter table "${table}" detach partition "${name}" finalize`);
  if (state === 'attached') await connection.query(`alter table "${table}" detach partition "${name}" concurrently`);
  await connection.query(`drop table "${name}"`);
}

async function postgresDay(connection: Connection): Promise<number> {
  const { rows } = await connection.query<{ now: Date }>('select now()');
  const now = rows[0]?.now;
  if (now === undefined) throw new Error('Postgres gave no time');
  return dayStart(now);
}

async function partitionNames(connection: Connection): Promise<Set<string>> {
  const { rows } = await connection.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
     where p.relname = any($1) and p.relkind = 'p'`,
    [PARTITIONED_TABLES],
  );
  return new Set(rows.map((row) => row.name));
}

type DailyTable = { name: string; table: string; state: 'attached' | 'detaching' | 'detached' };

/** Every table that is named as a day of a partitioned one, oldest first, whether it still belongs to it or not. */
async function dailyTables(connection: Connection): Promise<DailyTable[]> {
  const { rows } = await connection.query<DailyTable>(
    `select c.relname as name, p.name as "table",
       case when i.inhrelid is null then 'detached' when i.inhdetachpending then 'detaching' else 'attached' end as state
     from pg_class c
     join unnest($1::text[]) as p(name) on c.relname ~ ('^' || p.name || '_[0-9]{8}$')
     left join pg_inherits i on i.inhrelid = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
     order by c.relname`,
    [PARTITIONED_TABLES],
  );
  return rows;
}

function dayStart(instant: Date): number {
  return instant.getTime() - (instant.getTime() % DAY_MS);
}

function partitionName(table: string, day: number): string {
  return `${table}_${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

function partitionDay(name: string): number | undefined {
  const match = /_(\d{4})(\d{2})(\d{2})$/.exec(name);
  return match ? Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])) : undefined;
}
