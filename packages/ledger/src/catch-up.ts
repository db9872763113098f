import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { keyMs } from '@posthorn/db/uuid-range';
import { OFFER_SECONDS } from './lease.ts';
import { KEPT_START, RECOVERED_START } from './waiting.ts';

// Paced sending after an outage of our own (docs/adr/0023). The outage is a row of `catch_up`, which is open while deliveries
// that it has kept still wait. At most one row is open.

/** A time in which we sent nothing although deliveries were due. */
export type Gap = {
  /** The last attempt before, or as long before the first was due as it may have been offered: nobody takes an offer in an outage. */
  since: Date;
  /** Events accepted later are new. */
  until: Date;
};

const OPEN = Prisma.sql`ended_at = 'infinity'`;

/** For so long nothing was sent: a restart or a failover takes less. */
const LONGEST_PAUSE_SECONDS = 30;
/** The attempts of the latest events: among them is one that was stored lately, if any was. */
const LATEST_ATTEMPTS = 200;
/** The first events that wait for their fan-out: ids are in the order of acceptance, so the oldest is among them. */
const FIRST_EVENTS = 1_000;

/**
 * Whether an outage of ours has just ended: deliveries were due, and no attempt was stored, for 30 s. If so, it begins to catch
 * up, or moves the end of the outage that is open. Ask when a process starts, and when a store was away: what fails, is slow
 * or waits for a limit has no effect, because other attempts were stored meanwhile. Returns the outage that is open.
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

/** Of the deliveries of a turn, this share is of new ones while others wait that an outage has kept. */
export const SHARE_OF_NEW = 0.8;

/** Where a row `d` of `delivery` waits in a line, and an outage of ours has kept it. */
export const IS_KEPT_IN_LINE: Prisma.Sql = Prisma.sql`(d.due_at >= ${KEPT_START} and d.due_at < ${RECOVERED_START})`;

/**
 * Whether the outage that is open has kept the row `d` of `delivery`: it was due or accepted before its end. A head of an order
 * counts as new: a fifo endpoint gets its deliveries in one sequence.
 */
export const IS_KEPT: Prisma.Sql = Prisma.sql`(d.ordering_key is null and exists (select from catch_up u where u.${OPEN}
  and (d.due_at <= u.until or ${keyMs('d.event_id')} between extract(epoch from u.since) * 1000 and extract(epoch from u.until) * 1000)))`;

/** What has not reached a line or an endpoint keeps an outage open for its own length, and at least for so long. */
const OUTSIDE_LINES_SECONDS = 600;
/** What waits in lines keeps it open for twice its length, and at least for so long: `maxConcurrency` may let it wait for days. */
const IN_LINES_SECONDS = 21_600;

/** Whether a row `l` of `endpoint_line` waits for something else than the pace: its breaker, or a lower limit of its own. */
const WAITS_ANYWAY = Prisma.sql`(
  exists (select from endpoint_health h where h.endpoint_id = l.endpoint_id and h.open_until is not null)
  or exists (select from endpoint p join catch_up_endpoint k on k.endpoint_id = p.id where p.id = l.endpoint_id
    and (p.config->'rateLimit'->>'limit')::float8 / (p.config->'rateLimit'->>'periodSeconds')::float8 <= k.per_second))`;

/** A select of what the outage that is open has kept: the deliveries in lines, and what has not reached one. */
export function keptByOutage(): Prisma.Sql {
  return Prisma.sql`select from catch_up u cross join lateral (
    select from delivery d where ${IS_KEPT_IN_LINE}
    union all select from delivery where due_at between u.since and u.until and (status <> 'delivering' or leased_until <= now())
    union all select from pending_fan_out where enqueued_at <= u.until
    union all select from scheduled_event where deliver_at <= u.until) k
  where u.${OPEN}`;
}

/** Ends the outage that is open once nothing waits that it has kept. Returns the outage if it is still open. */
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

/** Ends the outage that is open, whatever waits: all of it is then sent as fast as its endpoints take it. Whether one was open. */
export async function endCatchUp(db: Db): Promise<boolean> {
  return (await db.$executeRaw`update catch_up set ended_at = now() where ${OPEN}`) > 0;
}

/** At least this rate, in deliveries a second. */
const LEAST_PER_SECOND = 5;
/** The latest rows of an endpoint that its usual rate is read from: a day has one for each minute and event type. */
const MOST_ROWS = 10_000;

/**
 * The temporary limits of these endpoints, in deliveries a second: `factor` times what they usually get, and at least 5. Usual
 * is the 99th percentile of the minutes with attempts, of the 24 hours before the outage. It is computed once in an outage.
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

/** What an outage has kept, as far as it is asked about: the deliveries that wait in lines. */
type CatchingUp = {
  /** At most 100,000. */
  waiting: number;
  /** What their endpoints are sent at most, together. */
  perSecond: number;
  /** When the last of them is sent, if new events come at the usual rates. */
  endsAt: Date;
};

const MOST_LINES = 1_000;
const MOST_OF_LINE = 20_000;
const MOST_COUNTED = 100_000;

/** The deliveries of a workspace that still wait because of an outage of ours; undefined if there are none. */
export async function readCatchingUp(
  db: Db,
  asked: {
    workspaceId: string;
    /** Null for all. */
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
