import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { fromEntries, type Histogram } from '@posthorn/stats/histogram';
import { ALL_TYPES, DIRECT } from '@posthorn/stats/rows';
import type { Span } from './span.ts';

/** The stored rows to read: the hours or minutes of subjects. */
export type Source = Span & {
  subjectIds: readonly string[];
  isHour: boolean;
  /** Null for all environments of the subjects. */
  environmentIds: readonly string[] | null;
  /** The event type of the rows; `each` for a row of each type. */
  eventType: string | 'each';
};

export type Counted = {
  ingested: number;
  attempts: number;
  succeeded: number;
  failed: number;
  delivered: number;
  endedFailed: number;
  deadLettered: number;
  duration: Histogram;
  delay: Histogram;
};

/** The largest number of groups in an answer. */
const MAX_GROUPS = 50;

/** The counts of each step, by its beginning in milliseconds. Steps without a count are absent. */
export async function readSteps(db: Db, source: Source, stepMs: number): Promise<Map<number, Counted>> {
  const key = Prisma.sql`extract(epoch from
    date_bin(make_interval(secs => ${stepMs / 1_000}::float8), s.at, '2000-01-01T00:00:00Z'::timestamptz)) * 1000`;
  const isOneRow = source.subjectIds.length === 1 && source.eventType !== 'each';
  const read = await readGrouped(db, { key, rows: rowsFrom(source), isFew: isOneRow });
  return new Map([...read].map(([at, counted]) => [Number(at), counted]));
}

/** The counts of the 50 event types with the most attempts and events; '' is direct ingestion. */
export function readByEventType(db: Db, source: Source): Promise<Map<string, Counted>> {
  return readGrouped(db, { key: Prisma.sql`s.event_type`, rows: rowsFrom(source), most: MAX_GROUPS });
}

/** The counts of these endpoints, at most 50 of them, those with the most attempts first. */
export function readByEndpoint(db: Db, source: Source): Promise<Map<string, Counted>> {
  return readGrouped(db, { key: Prisma.sql`s.subject_id::text`, rows: rowsFrom(source), most: MAX_GROUPS });
}

/** An application with more endpoints than this, deleted ones included, is read like an environment. */
const MAX_LOOKED_UP = 1_000;

/**
 * The keys of the 50 endpoints with the most attempts, deleted ones included. An application's few are found one by one,
 * an environment's many by the index over its hours.
 */
export async function findLargestEndpoints(
  db: Db,
  { workspaceId, environmentIds, applicationId }: EndpointsOf,
  source: Omit<Source, 'subjectIds' | 'environmentIds'>,
): Promise<string[]> {
  const own = applicationId === undefined ? undefined : await findFew(db, workspaceId, applicationId);
  if (own !== undefined) {
    const subjectIds = own.filter((row) => environmentIds.includes(row.environmentId)).map((row) => row.id);
    return [...(await readByEndpoint(db, { ...source, subjectIds, environmentIds: null })).keys()];
  }
  const rows = await db.$queryRaw<{ id: string }[]>`
    select g.id from (
      select s.subject_id as id, sum(s.attempts) as attempts, sum(s.ended_failed) as ended from stat s
      where s.environment_id = any(${environmentIds}::uuid[]) and ${conditions({ ...source, environmentIds: null })}
      group by 1) g
    join endpoint p on p.id = g.id
      ${applicationId === undefined ? Prisma.empty : Prisma.sql`and p.application_id = ${applicationId}::uuid`}
    order by g.attempts desc, g.ended desc, g.id limit ${MAX_GROUPS}::int`;
  return rows.map((row) => row.id);
}

/** The endpoints that an application has and had; undefined when there are more than a thousand. */
async function findFew(db: Db, workspaceId: string, applicationId: string) {
  const rows = await db.endpoint.findMany({
    where: { workspaceId, applicationId },
    select: { id: true, environmentId: true },
    take: MAX_LOOKED_UP + 1,
  });
  return rows.length > MAX_LOOKED_UP ? undefined : rows;
}

type EndpointsOf = { workspaceId: string; environmentIds: readonly string[]; applicationId: string | undefined };

function rowsFrom({ subjectIds, ...source }: Source): Prisma.Sql {
  return Prisma.sql`(select * from stat s where s.subject_id = any(${subjectIds}::uuid[]) and ${conditions(source)}) s`;
}

function conditions({ isHour, fromMs, toMs, environmentIds, eventType }: Omit<Source, 'subjectIds'>): Prisma.Sql {
  // A literal, so that the partial index fits.
  const kind = isHour ? Prisma.sql`s.is_hour` : Prisma.sql`not s.is_hour`;
  return Prisma.sql`${kind} and s.at >= ${new Date(fromMs)} and s.at < ${new Date(toMs)}
    ${environmentIds === null ? Prisma.empty : Prisma.sql`and s.environment_id = any(${environmentIds}::uuid[])`}
    and ${eventType === 'each' ? Prisma.sql`s.event_type <> '*'` : Prisma.sql`s.event_type = ${eventType}`}`;
}

/**
 * The events of whole hours that named a type and no application. An environment's rows count all of its events, and an
 * application's rows those that named it. Endpoints have no events of their own.
 */
export async function countWithoutApplication(
  db: Db,
  { environmentId, from, to }: { environmentId: string; from: Date; to: Date },
): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    select coalesce(sum(case when (s.subject_id = s.environment_id) = (s.event_type = ${ALL_TYPES})
      then s.ingested else -s.ingested end), 0)::float8 as count
    from stat s where s.is_hour and s.environment_id = ${environmentId}::uuid
      and s.event_type in (${ALL_TYPES}, ${DIRECT}) and s.at >= date_trunc('hour', ${from}::timestamptz) and s.at < ${to}`;
  // Rows of one count are written together, but a lost write of another minute may be counted twice.
  return Math.max(0, row?.count ?? 0);
}

/** With `isFew`, each key has few rows: their histograms are added up here, which costs Postgres half as much. */
type Grouped = { key: Prisma.Sql; rows: Prisma.Sql; most?: number; isFew?: boolean };
type CountRow = Omit<Counted, 'duration' | 'delay'> & { key: string };
type HistogramRow = { key: string; isDelay: boolean; entries: string };

/** Two statements: the counts, and then the histograms of the keys that they found. */
async function readGrouped(db: Db, { key, rows, most, isFew }: Grouped): Promise<Map<string, Counted>> {
  const counts = await db.$queryRaw<CountRow[]>`
    select (${key})::text as key, sum(s.ingested)::float8 as ingested, sum(s.attempts)::float8 as attempts,
      sum(s.succeeded)::float8 as succeeded, sum(s.failed)::float8 as failed, sum(s.delivered)::float8 as delivered,
      sum(s.ended_failed)::float8 as "endedFailed", sum(s.dead_lettered)::float8 as "deadLettered"
    from ${rows} group by 1
    ${most === undefined ? Prisma.empty : Prisma.sql`order by sum(s.attempts + s.ingested) desc, sum(s.ended_failed) desc, 1 limit ${most}::int`}`;
  const found = new Map(counts.map(({ key: name, ...figures }) => [name, withoutHistograms(figures)]));
  const only = most === undefined ? Prisma.empty : Prisma.sql`where (${key})::text = any(${[...found.keys()]}::text[])`;
  const histograms = found.size === 0 ? [] : await (isFew ? readFew : readHistograms)(db, { key, rows, only });
  for (const { key: name, isDelay, entries } of histograms) {
    const counted = found.get(name);
    if (counted !== undefined) counted[isDelay ? 'delay' : 'duration'] = fromEntries(entries.split(',').map(Number));
  }
  return found;
}

function readFew(db: Db, { key, rows }: Grouped): Promise<HistogramRow[]> {
  return db.$queryRaw<HistogramRow[]>`
    select (${key})::text as key, h.is_delay as "isDelay", string_agg(array_to_string(h.entries, ','), ',') as entries
    from ${rows} cross join lateral (values (false, s.duration), (true, s.delay)) as h(is_delay, entries)
    where h.entries <> '{}' group by 1, 2`;
}

function readHistograms(db: Db, { key, rows, only }: Grouped & { only: Prisma.Sql }): Promise<HistogramRow[]> {
  return db.$queryRaw<HistogramRow[]>`
    select key, is_delay as "isDelay", string_agg(((n << 8) | bucket)::text, ',') as entries
    from (
      select (${key})::text as key, h.is_delay, h.entry & 255 as bucket, sum(h.entry >> 8)::bigint as n
      from ${rows} cross join lateral (
        select false as is_delay, unnest(s.duration) as entry union all select true, unnest(s.delay)) h
      ${only} group by 1, 2, 3
    ) b group by 1, 2`;
}

function withoutHistograms(figures: Omit<CountRow, 'key'>): Counted {
  return { ...figures, duration: new Map(), delay: new Map() };
}
