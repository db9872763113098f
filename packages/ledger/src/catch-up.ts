import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { keyMs } from '@posthorn/db/uuid-range';
import { OFFER_SECONDS } from './lease.ts';
import { KEPT_START, RECOVERED_START } from './waiting.ts';

// Paced sending after an outage of Posthorn itself (docs/adr/0023). The outage is a row of `catch_up`, which stays open
// while deliveries that the outage held back still wait. At most one row is open.

/** A period in which Posthorn sent nothing although deliveries were due. */
export type Gap = {
  /**
   * The last attempt before the period, or the first due time less the length of an offer, whichever is later: in an
   * outage, nobody takes an offer.
   */
  since: Date;
  /** Events that are accepted after this time are new. */
  until: Date;
};

const OPEN = Prisma.sql`ended_at = 'infinity'`;

/** The longest pause that is not an outage. A restart or a failover takes less. */
const LONGEST_PAUSE_SECONDS = 30;
/** The number of attempts of the latest events to look at. If any attempt was stored lately, one is among them. */
const LATEST_ATTEMPTS = 200;
/**
 * The number of first events that wait for fan-out to look at. Ids follow the order of acceptance, so the oldest is
 * among them.
 */
const FIRST_EVENTS = 1_000;

/**
 * Finds out whether an outage of Posthorn has just ended: deliveries were due, and no attempt was stored, for 30 s. If
 * so, begins to catch up, or moves the end of the open outage. Call it when a process starts, and when a store was
 * away. Deliveries that fail, are slow or wait for a limit do not matter, because other attempts were stored meanwhile.
 * Returns the open outage.
 */
export async function findGap(db: Db): Promise<Gap | undefined> {
  const [gap] = await db.$queryRaw<Gap[]>`
    with due as (
      select min(at) as at from (
        (select due_at as at from delivery where due_at <= now()
          and (status <> 'delivering' or coalesce(leased_until, due_at) <= now()) order by due_at limit 1)
        union all
        (select min(enqueued_at) from (
          select enqueued_at from pending_fan_out order by event_id limit ${FIRST_EVENTS}::int) f)
        union all
        (select deliver_at from scheduled_event where deliver_at <= now() order by deliver_at limit 1)) w
    ), worked as (
      select max(settled_at) as at from (
        select settled_at from attempt order by delivery_id desc, id desc limit ${LATEST_ATTEMPTS}::int) a
    ), found as materialized (
      select greatest(due.at - make_interval(secs => ${OFFER_SECONDS}::int), worked.at) as since from due, worked
      where greatest(due.at, worked.at) < now() - make_interval(secs => ${LONGEST_PAUSE_SECONDS}::int) and due.at is not null
    ), forgotten as (
      delete from catch_up_endpoint where exists (select from found) and not exists (select from catch_up where ${OPEN})
    ), old as (
      delete from catch_up where exists (select from found) and ended_at < now() - interval '2 days'
    ), begun as (
      insert into catch_up (since, until) select since, now() from found
      on conflict (ended_at) do update set until = excluded.until
      returning since, until
    )
    select since, until from begun
    union all select since, until from catch_up where ${OPEN} and not exists (select from begun)`;
  return gap;
}

/** The share of new deliveries in a turn, while others wait that an outage held back. */
export const SHARE_OF_NEW = 0.8;

/** Condition: a row `d` of `delivery` waits in a line, and an outage held it back. */
export const IS_KEPT_IN_LINE: Prisma.Sql = Prisma.sql`(d.due_at >= ${KEPT_START} and d.due_at < ${RECOVERED_START})`;

/**
 * Condition: the open outage has held back the row `d` of `delivery`, because it was due or accepted before the
 * outage's end. A head of an order counts as new, because a fifo endpoint gets its deliveries in one sequence.
 */
export const IS_KEPT: Prisma.Sql = Prisma.sql`(d.ordering_key is null and exists (select from catch_up u where u.${OPEN}
  and (d.due_at <= u.until or ${keyMs('d.event_id')} between extract(epoch from u.since) * 1000 and extract(epoch from u.until) * 1000)))`;

/** Deliveries outside of lines keep an outage open for its own length, but at least for this long. */
const OUTSIDE_LINES_SECONDS = 600;
/**
 * Deliveries in lines keep an outage open for twice its length, but at least for this long: `maxConcurrency` may make
 * them wait for days.
 */
const IN_LINES_SECONDS = 21_600;

/**
 * Condition: a row `l` of `endpoint_line` waits for something other than the pace: its breaker, or a lower limit of its
 * own.
 */
const WAITS_ANYWAY = Prisma.sql`(
  exists (select from endpoint_health h where h.endpoint_id = l.endpoint_id and h.open_until is not null)
  or exists (select from endpoint p join catch_up_endpoint k on k.endpoint_id = p.id where p.id = l.endpoint_id
    and (p.config->'rateLimit'->>'limit')::float8 / (p.config->'rateLimit'->>'periodSeconds')::float8 <= k.per_second))`;

/**
 * Selects a row for each thing that the open outage still holds back: deliveries in lines, and deliveries and events
 * that have not reached a line.
 */
export function keptByOutage(): Prisma.Sql {
  return Prisma.sql`select from catch_up u cross join lateral (
    select from delivery d where ${IS_KEPT_IN_LINE}
    union all select from delivery where due_at between u.since and u.until and (status <> 'delivering' or leased_until <= now())
    union all select from pending_fan_out where enqueued_at <= u.until
    union all select from scheduled_event where deliver_at <= u.until) k
  where u.${OPEN}`;
}

/** Ends the open outage once it holds nothing back any more. Returns the outage if it is still open. */
export async function readGap(db: Db): Promise<Gap | undefined> {
  const [gap] = await db.$queryRaw<Gap[]>`
    with ended as (
      update catch_up u set ended_at = now() where u.${OPEN} and (
        now() - u.until > greatest(2 * (u.until - u.since), make_interval(secs => ${IN_LINES_SECONDS}::int))
        or not exists (
          select from endpoint_line l where exists (
            select from delivery d where d.endpoint_id = l.endpoint_id and ${IS_KEPT_IN_LINE})
          and not ${WAITS_ANYWAY})
        and (now() - u.until > greatest(u.until - u.since, make_interval(secs => ${OUTSIDE_LINES_SECONDS}::int))
          or not exists (select from pending_fan_out where enqueued_at <= u.until)
          and not exists (select from scheduled_event where deliver_at <= u.until)
          and not exists (select from delivery where due_at between u.since and u.until
            and (status <> 'delivering' or leased_until <= now()))))
      returning 1
    )
    select since, until from catch_up u where u.${OPEN} and not exists (select from ended)`;
  return gap;
}

/**
 * Ends the open outage, even if deliveries wait. They are then sent as fast as their endpoints take them. Returns
 * whether an outage was open.
 */
export async function endCatchUp(db: Db): Promise<boolean> {
  return (await db.$executeRaw`update catch_up set ended_at = now() where ${OPEN}`) > 0;
}

/** The lowest pace, in deliveries a second. */
const LEAST_PER_SECOND = 5;
/**
 * The most recent rows of an endpoint from which its usual rate is read. A day has one row for each minute and event
 * type.
 */
const MOST_ROWS = 10_000;

/**
 * The temporary limits of these endpoints, in deliveries a second: `factor` times their usual rate, and at least 5. The
 * usual rate is the 99th percentile of the minutes with attempts in the 24 hours before the outage. It is computed once
 * in an outage.
 */
export async function pacesOf(db: Db, endpointIds: readonly string[], factor: number): Promise<Map<string, number>> {
  const rows = await db.$queryRaw<{ endpointId: string; perSecond: number }[]>`
    with asked as (
      select distinct id from unnest(${[...endpointIds]}::uuid[]) as a(id)
    ), made as (
      insert into catch_up_endpoint as e (endpoint_id, usual_per_second, per_second)
      select a.id, s.usual, greatest(${LEAST_PER_SECOND}::float8, ${factor}::float8 * s.usual)
      from asked a cross join (select since from catch_up where ${OPEN}) u cross join lateral (
        select coalesce(percentile_disc(0.99) within group (order by attempts), 0)::float8 / 60 as usual from (
          select sum(attempts) as attempts from (
            select s.at, s.attempts from stat s
            where s.subject_id = a.id and not s.is_hour
              and s.at >= u.since - interval '24 hours' and s.at < date_trunc('minute', u.since)
              and not exists (select from catch_up o where s.at between o.since - interval '1 minute' and o.ended_at)
            order by s.at desc limit ${MOST_ROWS}::int) latest
          group by at having sum(attempts) > 0) minutes) s
      where not exists (select from catch_up_endpoint k where k.endpoint_id = a.id)
      order by a.id
      on conflict (endpoint_id) do update set per_second = e.per_second
      returning endpoint_id, per_second
    )
    select endpoint_id as "endpointId", per_second as "perSecond" from made
    union all
    select k.endpoint_id, k.per_second from catch_up_endpoint k join asked a on a.id = k.endpoint_id`;
  return new Map(rows.map(({ endpointId, perSecond }) => [endpointId, perSecond]));
}

/** The deliveries in lines that an outage has held back, as far as the caller asks about them. */
type CatchingUp = {
  /** The number of deliveries, at most 100,000. */
  waiting: number;
  /** The limit of all their endpoints together, in deliveries a second. */
  perSecond: number;
  /** When the last of them will be sent, if new events arrive at the usual rates. */
  endsAt: Date;
};

const MOST_LINES = 1_000;
const MOST_OF_LINE = 20_000;
const MOST_COUNTED = 100_000;

/** The deliveries of a workspace that still wait because of an outage; undefined if there are none. */
export async function readCatchingUp(
  db: Db,
  asked: {
    workspaceId: string;
    /** Null for all environments. */
    environmentIds: readonly string[] | null;
    applicationId: string | undefined;
    endpointId: string | undefined;
  },
): Promise<CatchingUp | undefined> {
  const { workspaceId, environmentIds, applicationId = null, endpointId = null } = asked;
  const [row] = await db.$queryRaw<(CatchingUp | { endsAt: null })[]>`
    with lines as (
      select l.endpoint_id from endpoint_line l
      where exists (select from catch_up where ${OPEN}) and l.workspace_id = ${workspaceId}::uuid
        and (${endpointId}::uuid is null or l.endpoint_id = ${endpointId}::uuid)
      limit ${MOST_LINES}::int
    ), kept as (
      select l.endpoint_id, count(*) as waiting
      from (
        select l.endpoint_id from lines l cross join lateral (
          select from delivery d where d.endpoint_id = l.endpoint_id and ${IS_KEPT_IN_LINE} limit ${MOST_OF_LINE}::int) d
        limit ${MOST_COUNTED}::int) l
      group by l.endpoint_id
    ), paced as (
      select g.waiting, k.usual_per_second as usual, least(k.per_second,
        (p.config->'rateLimit'->>'limit')::float8 / (p.config->'rateLimit'->>'periodSeconds')::float8) as per_second
      from kept g join endpoint p on p.id = g.endpoint_id join catch_up_endpoint k on k.endpoint_id = g.endpoint_id
      where (${environmentIds}::uuid[] is null or p.environment_id = any(${environmentIds}::uuid[]))
        and (${applicationId}::uuid is null or p.application_id = ${applicationId}::uuid)
    )
    select sum(waiting)::int as waiting, round(sum(per_second)::numeric, 1)::float8 as "perSecond",
      now() + make_interval(secs =>
        max(waiting / (per_second - least(usual, ${SHARE_OF_NEW}::float8 * per_second)))) as "endsAt"
    from paced`;
  return row === undefined || row.endsAt === null ? undefined : row;
}
