import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { dueOf, IN_LINE } from './waiting.ts';

/** The deliveries that wait for the consumers of an endpoint. */
export type PullState = {
  /** The number of deliveries that can be leased now or later, without leased ones. At most `MOST_COUNTED`. */
  waiting: number;
  /** How long the first of them has been due; 0 if none is due yet, null if none waits. */
  oldestAgeSeconds: number | null;
  lastLeaseAt: Date | null;
  /** The time until the first is due, at most 0 if it is due; null if none waits. */
  nextDueSeconds: number | null;
};

/** The most index entries that a count reads. */
const MOST_COUNTED = 10_000;

const DUE_NOW = dueOf(Prisma.sql`now()`, Prisma.sql`true`);

/** The state of each of these endpoints whose deliveries consumers fetch. */
export async function pullStates(
  db: Pick<Db | DbTransaction, '$queryRaw'>,
  endpointIds: readonly string[],
): Promise<Map<string, PullState>> {
  if (endpointIds.length === 0) return new Map();
  const rows = await db.$queryRaw<(PullState & { endpointId: string })[]>`
    select a.endpoint_id as "endpointId", least(w.waiting + o.waiting, ${MOST_COUNTED}::int) as waiting,
      case when w.first_at is not null then greatest(0, extract(epoch from ${DUE_NOW} - w.first_at))::float8 end
        as "oldestAgeSeconds",
      extract(epoch from w.first_at - ${DUE_NOW})::float8 as "nextDueSeconds", s.last_lease_at as "lastLeaseAt"
    from unnest(${[...endpointIds]}::uuid[]) as a(endpoint_id)
    left join pull_state s on s.endpoint_id = a.endpoint_id
    cross join lateral (
      select count(*)::int as waiting, min(due_at) as first_at from (
        select d.due_at from delivery d
        where d.endpoint_id = a.endpoint_id and ${IN_LINE} and d.status in ('pending', 'scheduled_retry')
        order by d.due_at limit ${MOST_COUNTED}::int) counted) w
    cross join lateral (
      select count(*)::int as waiting from (
        select 1 from ordered_delivery
        where endpoint_id = a.endpoint_id and position > 0 limit ${MOST_COUNTED}::int) behind) o`;
  return new Map(rows.map(({ endpointId, ...state }) => [endpointId, state]));
}

/** The time until the first delivery of each endpoint is due, in seconds. Endpoints without deliveries are left out. */
export async function nextDue(db: Db, endpointIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.$queryRaw<{ endpointId: string; seconds: number }[]>`
    select a.endpoint_id as "endpointId", extract(epoch from f.due_at - ${DUE_NOW})::float8 as seconds
    from unnest(${[...endpointIds]}::uuid[]) as a(endpoint_id)
    cross join lateral (
      select d.due_at from delivery d
      where d.endpoint_id = a.endpoint_id and ${IN_LINE} and d.status in ('pending', 'scheduled_retry')
      order by d.due_at limit 1) f`;
  return new Map(rows.map((row) => [row.endpointId, row.seconds]));
}

/** The lag of all endpoints together whose deliveries consumers fetch. */
export type PullLag = {
  /**
   * The number of deliveries that can be leased now or later, without those behind the head of an order. At most
   * `MOST_COUNTED`.
   */
  waiting: number;
  /** How long the first of them has been due; 0 if none is due. */
  oldestAgeSeconds: number;
};

/** The most endpoints whose lag is read. */
const MOST_ENDPOINTS = 10_000;

/** Reads one index entry of each endpoint, and an entry for each counted delivery. */
export async function pullLag(db: Pick<Db, '$queryRaw'>): Promise<PullLag> {
  const [row] = await db.$queryRaw<PullLag[]>`
    with pulled as materialized (select id from endpoint where is_pulled and is_active and deleted_at is null
      limit ${MOST_ENDPOINTS}::int)
    select (select count(*) from (
        select from pulled cross join lateral (
          select from delivery d
          where d.endpoint_id = pulled.id and ${IN_LINE} and d.status in ('pending', 'scheduled_retry')
          order by d.due_at limit ${MOST_COUNTED}::int) one
        limit ${MOST_COUNTED}::int) counted)::int as waiting,
      greatest(0, (select max(extract(epoch from ${DUE_NOW} - first.due_at)) from pulled cross join lateral (
        select d.due_at from delivery d
        where d.endpoint_id = pulled.id and ${IN_LINE} and d.status in ('pending', 'scheduled_retry')
        order by d.due_at limit 1) first))::float8 as "oldestAgeSeconds"`;
  return row ?? { waiting: 0, oldestAgeSeconds: 0 };
}

/** Stores when consumers last leased from these endpoints. */
export async function keepLastLeases(db: Db, leases: readonly (readonly [endpointId: string, at: Date])[]) {
  await db.$executeRaw`
    insert into pull_state as s (endpoint_id, last_lease_at)
    select u.endpoint_id, u.at from unnest(${leases.map(([id]) => id)}::uuid[], ${leases.map(([, at]) => at)}::timestamptz[])
      as u(endpoint_id, at)
    join endpoint p on p.id = u.endpoint_id
    on conflict (endpoint_id) do update set last_lease_at = greatest(s.last_lease_at, excluded.last_lease_at)`;
}

/** If nobody leases for this long while something waits, the workspace is informed, and again after the same time. */
const IDLE_HOURS = 24;
const MOST_IDLE = 100;

/**
 * Raises the operational event and the alerts of endpoints from which nobody has fetched for a day while deliveries are
 * due. An endpoint that gets only operational events raises none itself. Returns how many were raised.
 */
export async function raiseIdlePulls(db: Db): Promise<number> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    with idle as materialized (
      select p.id, coalesce(s.last_lease_at, p.created_at) as since from endpoint p
      left join pull_state s on s.endpoint_id = p.id
      where p.is_pulled and p.is_active and p.deleted_at is null
        and coalesce(s.last_lease_at, p.created_at) < now() - make_interval(hours => ${IDLE_HOURS}::int)
        and (s.idle_raised_at is null or s.idle_raised_at < now() - make_interval(hours => ${IDLE_HOURS}::int))
        and exists (select from delivery d where d.endpoint_id = p.id and ${IN_LINE} and d.due_at <= ${DUE_NOW}
          and d.status in ('pending', 'scheduled_retry'))
      limit ${MOST_IDLE}::int
    ), marked as (
      insert into pull_state as s (endpoint_id, idle_raised_at) select id, now() from idle order by id
      on conflict (endpoint_id) do update set idle_raised_at = now()
      where s.idle_raised_at is null or s.idle_raised_at < now() - make_interval(hours => ${IDLE_HOURS}::int)
      returning s.endpoint_id
    ), raised as (
      insert into operational_event (workspace_id, environment_id, event_type, facts)
      select p.workspace_id, p.environment_id, t.name, json_build_object(
        'endpointId', p.id, 'applicationId', p.application_id, 'environmentId', p.environment_id, 'url', p.url,
        'failingSince', i.since)
      from marked m join idle i on i.id = m.endpoint_id join endpoint p on p.id = i.id
      join event_type t on t.workspace_id = p.workspace_id and t.name = 'posthorn.endpoint.failing'
      join published_event_type v on v.event_type_id = t.id and v.environment_id = p.environment_id
      where not gets_operational_events_alone(p.id)
    )
    select p.id, case when not gets_operational_events_alone(p.id) then
      raise_alert(p.workspace_id, p.environment_id, p.application_id, p.id, 'posthorn.endpoint.failing',
        json_build_object('failingSince', i.since))::text end as told
    from marked m join idle i on i.id = m.endpoint_id join endpoint p on p.id = i.id`;
  return rows.length;
}
