import { Prisma } from '@posthorn/db/generated/client';
import { deliveryIdsOf } from '@posthorn/ledger/delivery-id';
import { MOST_ENDPOINTS } from '../endpoints/own-endpoint-ids.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import {
  conditionsOf,
  type EventFilters,
  type EventPage,
  findKeyed,
  lower,
  type PageRange,
  SCANNED,
  SHOWN,
} from './event-pages.ts';
import type { EventRow } from './present-accepted.ts';

type Ctx = WorkspaceContext;

type Portal = { applicationId: string; environmentId: string };

/**
 * A page of the events of a portal: events sent to its application, and events of which one of its endpoints has a
 * delivery. Deliveries sort by their event's time, so the newest of each endpoint show how far back the page is
 * complete. Events of the last day with an idempotency key are found by the key.
 */
export async function readPortalPage(
  ctx: Ctx,
  { applicationId, environmentId }: Portal,
  filters: EventFilters,
  range: PageRange,
): Promise<EventPage> {
  const own = Prisma.sql`own as materialized (select id from endpoint where application_id = ${applicationId}::uuid
    and environment_id = ${environmentId}::uuid and deleted_at is null order by is_temporary limit ${MOST_ENDPOINTS}::int)`;
  const sent = Prisma.sql`application_id = ${applicationId}::uuid and environment_id = ${environmentId}::uuid`;
  const { idempotencyKey } = filters;
  const found = idempotencyKey === null ? undefined : await findKeyed(ctx, idempotencyKey);
  const read = found === undefined ? range : { ...range, before: lower(range.before, found.recorded) };
  const scanned = filters.terms.length === 0 ? range.limit : await scannedOfEach(ctx, own, range.limit);
  const floor = await knownFrom(ctx, { own, sent, range: { ...read, limit: scanned } });
  const first = floor ?? range.first;
  const keyed = found === undefined ? Prisma.empty : keyedOf(found.keyed, { sent, range: { ...range, first } });
  const rows = await ctx.listDb.$queryRaw<EventRow[]>`
    with ${own}, ids as materialized (
      select d.event_id as id from own cross join lateral (${deliveriesIn({ ...read, first })} offset 0) d
      union select id from event where ${sent} and id >= ${first}::uuid and id < ${read.before}::uuid
      ${keyed}
    )
    select ${SHOWN} from ids cross join lateral (select * from event where id = ids.id offset 0) e
    where ${conditionsOf(filters)} order by e.id desc limit ${range.limit + 1}::int`;
  if (rows.length <= range.limit) return { rows, next: floor };
  const page = rows.slice(0, range.limit);
  return { rows: page, next: page.at(-1)?.id ?? null };
}

/** The most deliveries that a search reads of each endpoint. So only the customer's own events end its pages. */
async function scannedOfEach({ listDb }: Ctx, own: Prisma.Sql, limit: number): Promise<number> {
  const [row] = await listDb.$queryRaw<{ endpoints: number }[]>`with ${own} select count(*)::int as endpoints from own`;
  return Math.max(limit, Math.floor(SCANNED / ((row?.endpoints ?? 0) + 1)));
}

type Parts = { own: Prisma.Sql; sent: Prisma.Sql; range: PageRange };

/** The given events that the portal may see, within the range that was read. */
function keyedOf(ids: readonly string[], { sent, range: { first, before } }: Omit<Parts, 'own'>): Prisma.Sql {
  const ranges = ids.map(deliveryIdsOf);
  return Prisma.sql`union select k.event_id from unnest(${[...ids]}::uuid[],
      ${ranges.map(({ lowest }) => lowest)}::uuid[], ${ranges.map(({ highest }) => highest)}::uuid[]
    ) as k(event_id, lowest, highest)
    where k.event_id >= ${first}::uuid and k.event_id < ${before}::uuid and (
      exists (select from event where id = k.event_id and ${sent})
      or exists (select from own cross join lateral (
        select from delivery where endpoint_id = own.id and id between k.lowest and k.highest
          and delivery.event_id = k.event_id offset 0) d))`;
}

/**
 * The key from which on all events of the range are within the newest `limit + 1` of each endpoint and of those sent to
 * the application, to the millisecond; null when that is the whole range.
 */
async function knownFrom({ listDb }: Ctx, { own, sent, range }: Parts): Promise<string | null> {
  const [row] = await listDb.$queryRaw<{ time: string | null }[]>`
    with ${own} select max(left(f.id::text, 13)) as time from (
      select d.id from own cross join lateral (${deliveriesIn(range)} order by id desc offset ${range.limit}::int limit 1) d
      union all
      (select id from event where ${sent} and id >= ${range.first}::uuid and id < ${range.before}::uuid
        order by id desc offset ${range.limit}::int limit 1)) f`;
  // The smallest UUIDv7 of that millisecond.
  return row === undefined || row.time === null ? null : `${row.time}-7000-8000-000000000000`;
}

/** The deliveries of endpoint `own`. Several events may share the millisecond of the range's end. */
function deliveriesIn({ first, before }: Pick<PageRange, 'first' | 'before'>): Prisma.Sql {
  return Prisma.sql`select id, event_id from delivery where endpoint_id = own.id
    and id >= ${deliveryIdsOf(first).lowest}::uuid and id <= ${deliveryIdsOf(before).highest}::uuid
    and event_id >= ${first}::uuid and event_id < ${before}::uuid`;
}
