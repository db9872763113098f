import { uuidTime } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { ALL_TYPES } from '@posthorn/stats/rows';
import { isDegraded, isFailing } from '../endpoints/endpoint-health.ts';

/** The workspace, and the environments in which the health counts; undefined for all environments. */
type Among = { workspaceId: string; environmentIds: string[] | undefined };

type Health = {
  endpoints: number;
  failing: number;
  degraded: number;
  undelivered: number;
  lastEventAt: string | null;
};

type Row = Omit<Health, 'lastEventAt'> & { id: string; lastEventId: string | null };

/** The last event in an environment is searched only among this many newest events of the application. */
const NEWEST_EVENTS = 200;

/**
 * Reads the health of each of the applications. A page has at most 100 of them, and each has at most 500 endpoints with
 * 24 hours of statistics.
 */
export async function readHealth(
  db: Db,
  applicationIds: readonly string[],
  { workspaceId, environmentIds }: Among,
): Promise<(applicationId: string) => Health> {
  const inEnvironment =
    environmentIds === undefined ? Prisma.empty : Prisma.sql`and environment_id = any(${environmentIds}::uuid[])`;
  const rows = await db.$queryRaw<Row[]>`
    select a.id, e.endpoints, e.failing, e.degraded, e.undelivered, v."lastEventId"
    from unnest(${applicationIds}::uuid[]) as a(id)
    cross join lateral (
      select count(*)::int as endpoints,
        count(*) filter (where p.is_active and ${isFailing})::int as failing,
        count(*) filter (where p.is_active and ${isDegraded})::int as degraded,
        coalesce(sum(s.ended), 0)::int as undelivered
      from (select id, is_active from endpoint
        where application_id = a.id and workspace_id = ${workspaceId}::uuid and deleted_at is null and not is_temporary
          ${inEnvironment}) p
      left join endpoint_health h on h.endpoint_id = p.id
      left join lateral (
        select sum(ended_failed + dead_lettered) as ended from stat
        where subject_id = p.id and is_hour and event_type = ${ALL_TYPES} and at > now() - interval '24 hours') s on true
    ) e
    cross join lateral (
      select (max(id::text))::uuid as "lastEventId" from (
        select id, environment_id from event where application_id = a.id order by id desc
        limit ${NEWEST_EVENTS}::int) newest
      where true ${inEnvironment}
    ) v`;
  const byId = new Map(rows.map(({ id, ...row }) => [id, row]));
  return (applicationId) => {
    const { lastEventId, ...row } = byId.get(applicationId) ?? NOTHING;
    return { ...row, lastEventAt: lastEventId === null ? null : uuidTime(lastEventId).toISOString() };
  };
}

const NOTHING = { endpoints: 0, failing: 0, degraded: 0, undelivered: 0, lastEventId: null };

/** One failing endpoint weighs more than all degraded ones that an application may have. */
const FAILING_WEIGHS = 1_000;

/** A place in the order by trouble: how much of it, then the newest first. */
export type TroublePlace = { trouble: number; id: string };

/** The applications after a place in the order by trouble. Only endpoints that have failed have a row of health. */
export function readByTrouble(
  db: Db,
  {
    workspaceId,
    environmentIds,
    matching,
    after,
    take,
  }: Among & {
    /** A condition on the row `a` of an application. */
    matching: Prisma.Sql;
    after: TroublePlace | undefined;
    take: number;
  },
): Promise<TroublePlace[]> {
  const inEnvironment =
    environmentIds === undefined ? Prisma.empty : Prisma.sql`and p.environment_id = any(${environmentIds}::uuid[])`;
  const isAfter =
    after === undefined ? Prisma.empty : Prisma.sql`and (t.trouble, a.id) < (${after.trouble}::int, ${after.id}::uuid)`;
  return db.$queryRaw<TroublePlace[]>`
    with troubled as (
      select p.application_id as id, (sum(case when ${isFailing} then ${FAILING_WEIGHS}::int else 1 end))::int as trouble
      from endpoint p join endpoint_health h on h.endpoint_id = p.id
      where p.workspace_id = ${workspaceId}::uuid and p.application_id is not null and p.deleted_at is null and p.is_active
        and not p.is_temporary and (${isFailing} or ${isDegraded}) ${inEnvironment}
      group by 1
    )
    select a.id, t.trouble from application a
    left join troubled on troubled.id = a.id
    cross join lateral (select coalesce(troubled.trouble, 0) as trouble) t
    where a.workspace_id = ${workspaceId}::uuid and a.deleted_at is null and ${matching} ${isAfter}
    order by t.trouble desc, a.id desc limit ${take}::int`;
}
