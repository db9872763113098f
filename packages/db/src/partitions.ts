import type pg from 'pg';
import { withConnection } from './connection.ts';

/** Partitions exist for this many days ahead of today. Every process that writes events keeps it so. */
export const PARTITION_DAYS_AHEAD = 14;

/** A session advisory lock, held while partitions are dropped or must not be dropped. */
export const PARTITION_DROP_LOCK = 7061727470;

/** In the order in which a day's partitions are dropped. */
const PARTITIONED_TABLES = ['event', 'event_token', 'delivery', 'attempt', 'stat'] as const;
const DAY_MS = 86_400_000;

/** The part of a connection that partitions need. */
type Connection = Pick<pg.Client, 'query'>;

/**
 * Creates the missing daily partitions from yesterday (clocks differ) to 14 days ahead, by Postgres' clock. Safe to
 * call from many processes at once. A database function creates each partition, so the caller needs neither ownership
 * of the tables nor a session lock, and the connection may come from a pooler.
 */
export async function ensurePartitions(connection: Connection, firstDay?: Date): Promise<void> {
  const today = await postgresDay(connection);
  const first = firstDay ? dayStart(firstDay) : today - DAY_MS;
  const existing = await partitionNames(connection);
  for (const table of await presentTables(connection)) {
    for (
      let day = table === 'event_token' ? oldestOf(existing, first) : first;
      day <= today + PARTITION_DAYS_AHEAD * DAY_MS;
      day += DAY_MS
    ) {
      if (existing.has(partitionName(table, day))) continue;
      await connection.query('select public.make_daily_partition($1, $2)', [
        table,
        new Date(day).toISOString().slice(0, 10),
      ]);
    }
  }
}

/** The oldest day that has events. Events from before there were tokens may get some, too. */
function oldestOf(existing: ReadonlySet<string>, first: number): number {
  const days = [...existing].flatMap((name) => partitionDay(name) ?? []);
  return Math.min(first, ...days.filter((day) => existing.has(partitionName('event', day))));
}

/** The partitioned tables that the applied migrations have created. */
async function presentTables(connection: Connection): Promise<string[]> {
  const { rows } = await connection.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
    [PARTITIONED_TABLES],
  );
  return rows.map(({ name }) => name);
}

/**
 * Hourly maintenance in every process that writes events: creates missing partitions. Returns the number of days after
 * today for which every table has one, even when creation failed; `onError` receives the reason.
 */
export async function keepPartitionsAhead(databaseUrl: string, onError: (error: unknown) => void): Promise<number> {
  return withConnection(databaseUrl, async (connection) => {
    await ensurePartitions(connection).catch(onError);
    return countDaysAhead(connection);
  });
}

/** The number of consecutive days after today for which every table has its partition; -1 when today's is missing. */
async function countDaysAhead(connection: Connection): Promise<number> {
  const today = await postgresDay(connection);
  const existing = await partitionNames(connection);
  const isReady = (day: number) => PARTITIONED_TABLES.every((table) => existing.has(partitionName(table, day)));
  let days = -1;
  while (isReady(today + (days + 1) * DAY_MS)) days += 1;
  return days;
}

/**
 * Drops the partitions in which every row is older than `retentionDays` by Postgres' clock. Returns their names. They
 * are first detached concurrently, so no running statement waits. Only one process at a time does it; a concurrent
 * caller drops nothing. A partition that cannot be dropped keeps the later ones of its day, but not those of other days:
 * they are dropped, and then it throws. Once it is stopped, it drops no further one. `mayDrop` throws the reason why the
 * partitions of a day must stay.
 */
export async function dropExpiredPartitions(
  connection: Connection,
  retentionDays: number,
  { stopped, mayDrop }: { stopped?: AbortSignal | undefined; mayDrop?: (day: Date) => Promise<void> } = {},
): Promise<string[]> {
  const firstKept = (await postgresDay(connection)) - retentionDays * DAY_MS;
  const { rows } = await connection.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    PARTITION_DROP_LOCK,
  ]);
  if (rows[0]?.locked !== true) return [];
  try {
    const dropped: string[] = [];
    const failures: string[] = [];
    let failedDay: number | undefined;
    for (const daily of await dailyTables(connection)) {
      if (stopped?.aborted) break;
      const day = partitionDay(daily.name);
      if (day === undefined || day >= firstKept || day === failedDay) continue;
      try {
        await mayDrop?.(new Date(day));
        await dropPartition(connection, daily);
        dropped.push(daily.name);
      } catch (error) {
        failedDay = day;
        failures.push(`${daily.name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    if (failures.length > 0) throw new Error(`expired partitions stay: ${failures.join('; ')}`);
    return dropped;
  } finally {
    await connection.query('select pg_advisory_unlock($1)', [PARTITION_DROP_LOCK]);
  }
}

async function dropPartition(connection: Connection, { name, table, state }: DailyTable): Promise<void> {
  // An earlier round may have been interrupted in either step.
  if (state === 'detaching') await connection.query(`alter table "${table}" detach partition "${name}" finalize`);
  if (state === 'attached') await connection.query(`alter table "${table}" detach partition "${name}" concurrently`);
  await connection.query(`drop table "${name}"`);
}

async function postgresDay(connection: Connection): Promise<number> {
  const { rows } = await connection.query<{ now: Date }>('select now()');
  const now = rows[0]?.now;
  if (now === undefined) throw new Error('Postgres returned no time');
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

/**
 * Every table with the name of a daily partition, oldest first, attached or not. The events come first in each day:
 * an event that still waits for its fan-out could not be fanned out once the partition of its deliveries is gone.
 */
async function dailyTables(connection: Connection): Promise<DailyTable[]> {
  const { rows } = await connection.query<DailyTable>(
    `select c.relname as name, p.name as "table",
       case when i.inhrelid is null then 'detached' when i.inhdetachpending then 'detaching' else 'attached' end as state
     from pg_class c
     join unnest($1::text[]) with ordinality as p(name, place) on c.relname ~ ('^' || p.name || '_[0-9]{8}$')
     left join pg_inherits i on i.inhrelid = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
     order by right(c.relname, 8), p.place`,
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
