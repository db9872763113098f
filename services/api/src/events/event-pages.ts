import type { EventStatus } from '@posthorn/contract/events';
import { fromId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import { Prisma } from '@posthorn/db/generated/client';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import type { WorkspaceContext } from '../operation/context.ts';
import { hasTerms, scanOfTerms, type Term } from '../search/search-terms.ts';
import type { EventRow } from './present-accepted.ts';
import { EVENT_STATUS } from './present-event.ts';

/** The filters of a list, by keys and not public ids; null for no filter. */
export type EventFilters = {
  environmentIds: readonly string[] | null;
  applicationId: string | null;
  eventType: string | null;
  idempotencyKey: string | null;
  status: EventStatus | null;
  /** The searched values, which an event must have; empty without a search. */
  terms: readonly Term[];
};

/** Events with keys from `first` on and before `before`, at most `limit` of them. */
export type PageRange = { first: string; before: string; limit: number };

/** `next` is the key before which the next page begins; null at the end. */
export type EventPage = { rows: EventRow[]; next: string | null };

type Ctx = WorkspaceContext;

/** The events that one request reads to fill its page, at most: some tens of milliseconds. */
export const SCANNED = 10_000;

/**
 * A page of the workspace's events, newest first. It ends early when the request has read as many events as it may; the
 * next page goes on there.
 */
export async function readPage(ctx: Ctx, filters: EventFilters, range: PageRange): Promise<EventPage> {
  const { scan: scanned, keyed, terms = filters.terms } = await sourceOf(ctx, filters, range);
  const lastScanned = () => lastOf(ctx, scanned);
  // A key has few events. Those that an index finds must not be older than the end of the scan: later pages show them.
  const end = keyed === undefined ? null : await lastScanned();
  const events = keyed === undefined ? scanned : withKeyed(scanned, keyed, range, end);
  const rows = await ctx.listDb.$queryRaw<EventRow[]>`
    select ${SHOWN} from (${events}) e where e.workspace_id = ${ctx.workspace.id}::uuid and ${conditionsOf({ ...filters, terms })}
    order by e.id desc limit ${range.limit + 1}::int`;
  if (rows.length > range.limit) {
    const page = rows.slice(0, range.limit);
    return { rows: page, next: page.at(-1)?.id ?? null };
  }
  return { rows, next: keyed === undefined ? await lastScanned() : end };
}

/** The key of the last event that a full scan reads; null when the scan reaches the end of its range. */
async function lastOf({ listDb }: Ctx, scan: Prisma.Sql): Promise<string | null> {
  const [last] = await listDb.$queryRaw<{ id: string }[]>`
    select e.id from (${scan}) e offset ${SCANNED - 1}::int limit 1`;
  return last?.id ?? null;
}

const COLUMNS = Prisma.sql`workspace_id, environment_id, application_id, endpoint_id, event_type, idempotency_key,
  payload_size, published, is_test, schema_errors, ordering_key, deliver_at, search_left_out, source`;

export const SHOWN = Prisma.sql`e.id, e.environment_id as "environmentId", e.application_id as "applicationId",
  e.endpoint_id as "endpointId", e.event_type as "eventType", e.idempotency_key as "idempotencyKey",
  e.payload_size as "payloadSize", e.published, e.is_test as "isTest",
  e.schema_errors as "schemaErrors", e.ordering_key as "orderingKey", e.deliver_at as "deliverAt",
  e.search_left_out as "searchLeftOut", e.source`;

/** `keyed`: events that an index has found by their idempotency key. `terms`: what the scan has not looked for yet. */
type Source = { scan: Prisma.Sql; keyed?: string[]; terms?: readonly Term[] };

/** At most SCANNED events in descending order, by the index that suits the filters best. */
async function sourceOf(ctx: Ctx, filters: EventFilters, range: PageRange): Promise<Source> {
  if (filters.terms.length > 0) return searchedSource(ctx, filters.terms, range);
  if (filters.idempotencyKey !== null) return keyedSource(ctx, filters.idempotencyKey, range);
  if (filters.status === 'unmatched') return { scan: scanOfNarrow(ctx, Prisma.sql`unmatched_event`, range) };
  if (filters.status === 'cancelled') return { scan: scanOfNarrow(ctx, Prisma.sql`cancelled_event`, range) };
  if (filters.status === 'scheduled') return { scan: scanBy(scheduledOf(ctx), range) };
  if (filters.status === 'matching') return { scan: scan(ctx, { ...range, first: await oldestWaiting(ctx, range) }) };
  const { applicationId } = filters;
  return {
    scan:
      applicationId === null ? scan(ctx, range) : scanBy(Prisma.sql`application_id = ${applicationId}::uuid`, range),
  };
}

async function searchedSource(ctx: Ctx, terms: readonly Term[], range: PageRange): Promise<Source> {
  const { scan: ids, rest } = await scanOfTerms(ctx, terms, { ...range, most: SCANNED });
  return { scan: withColumns(ids), terms: rest };
}

type Keys = Pick<PageRange, 'first' | 'before'>;

function scan({ workspace }: Ctx, range: Keys): Prisma.Sql {
  return scanBy(Prisma.sql`workspace_id = ${workspace.id}::uuid`, range);
}

function scanBy(condition: Prisma.Sql, { first, before }: Keys): Prisma.Sql {
  return Prisma.sql`select id, ${COLUMNS} from event where ${condition} and id >= ${first}::uuid and id < ${before}::uuid
    order by id desc limit ${SCANNED}::int`;
}

/** Scans a table that has the ids of a few events. It reads the table's own column, so that the order is known. */
function scanOfNarrow({ workspace }: Ctx, table: Prisma.Sql, { first, before }: Keys): Prisma.Sql {
  return withColumns(Prisma.sql`select event_id from ${table}
      where workspace_id = ${workspace.id}::uuid and event_id >= ${first}::uuid and event_id < ${before}::uuid
      order by event_id desc limit ${SCANNED}::int`);
}

/** The events of these ids, which are in descending order. */
function withColumns(ids: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`select u.event_id as id, o.* from (${ids}) u
    join lateral (select ${COLUMNS} from event where id = u.event_id offset 0) o on true order by u.event_id desc`;
}

function scheduledOf({ workspace }: Ctx): Prisma.Sql {
  return Prisma.sql`workspace_id = ${workspace.id}::uuid and deliver_at is not null`;
}

/**
 * The key below which no event waits for its fan-out. Two look-ups by index, however many events are scheduled: a
 * scheduled event was accepted at most a day before its time.
 */
async function oldestWaiting({ listDb }: Ctx, { first }: Keys): Promise<string> {
  const [oldest] = await listDb.$queryRaw<{ id: string | null; dueAt: Date | null }[]>`
    select (select event_id from pending_fan_out where event_id >= ${first}::uuid order by event_id limit 1) as id,
      (select min(deliver_at) from scheduled_event where deliver_at <= now()) as "dueAt"`;
  const accepted = oldest?.dueAt ? lowestKeyAt(new Date(oldest.dueAt.getTime() - MAX_AHEAD_MS)) : LAST_KEY;
  const [lowest = first] = [accepted, oldest?.id ?? LAST_KEY].sort();
  return lowest > first ? lowest : first;
}

const LAST_KEY = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const MINUTE_MS = 60_000;
const MAX_AHEAD_MS = (LIMITS.deliverAtHoursAhead * 60 + 1) * MINUTE_MS;

async function keyedSource(ctx: Ctx, idempotencyKey: string, range: PageRange): Promise<Source> {
  const { keyed, recorded } = await findKeyed(ctx, idempotencyKey);
  return { scan: scan(ctx, { ...range, before: lower(range.before, recorded) }), keyed };
}

/**
 * Finds events by their idempotency key. Keys of the last day have records. Older ones have none, so that ingestion
 * pays for no index: events before `recorded` must be scanned. The clocks of the records and of the events may differ
 * by some milliseconds.
 */
export async function findKeyed({ listDb, workspace, clock }: Ctx, idempotencyKey: string) {
  const records = await listDb.$queryRaw<{ id: string }[]>`
    select r.event_id as id from environment n join idempotency_record r on r.environment_id = n.id
    where n.workspace_id = ${workspace.id}::uuid and r.key = ${idempotencyKey}`;
  const own = fromId('msg', idempotencyKey);
  const keyed = [...records.map(({ id }) => id), ...(own === undefined ? [] : [own])];
  const recorded = lowestKeyAt(new Date(clock.now().getTime() - LIMITS.idempotencyHours * 60 * MINUTE_MS + MINUTE_MS));
  return { keyed, recorded };
}

export function lower(a: string, b: string): string {
  return a < b ? a : b;
}

function withKeyed(older: Prisma.Sql, ids: string[], { first, before }: Keys, end: string | null) {
  return Prisma.sql`select * from (${older}) s where s.id <> all(${ids}::uuid[])
    union all select id, ${COLUMNS} from event
    where id = any(${ids}::uuid[]) and id >= ${end ?? first}::uuid and id < ${before}::uuid`;
}

/** The conditions on event `e`. */
export function conditionsOf(filters: EventFilters): Prisma.Sql {
  const { environmentIds, applicationId, eventType, idempotencyKey, status, terms } = filters;
  return Prisma.join(
    [
      Prisma.sql`true`,
      ...(environmentIds === null ? [] : [Prisma.sql`e.environment_id = any(${environmentIds}::uuid[])`]),
      ...(applicationId === null ? [] : [Prisma.sql`e.application_id = ${applicationId}::uuid`]),
      ...(eventType === null ? [] : [Prisma.sql`e.event_type = ${eventType}`]),
      ...(idempotencyKey === null ? [] : [hasKey(idempotencyKey)]),
      ...(terms.length === 0 ? [] : [hasTerms(terms, Prisma.sql`e.id`)]),
      ...(status === null ? [] : [Prisma.sql`${EVENT_STATUS} = ${status}`]),
    ],
    ' and ',
  );
}

/** An event without a producer's key is shown with its id as the key. */
function hasKey(idempotencyKey: string): Prisma.Sql {
  const own = fromId('msg', idempotencyKey);
  const isOwn = own === undefined ? Prisma.sql`false` : Prisma.sql`e.id = ${own}::uuid and e.idempotency_key is null`;
  return Prisma.sql`(e.idempotency_key = ${idempotencyKey} or (${isOwn}))`;
}
