import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { NIL_UUID } from '@posthorn/db/uuid-range';

// Events whose time is in the future (docs/interface.md, Time) wait in `scheduled_event`, which the reconciler never
// reads. At its time, an event begins to wait for its fan-out. If it has an ordering key, it then takes its place in
// the order.

/**
 * The parts of a statement in which scheduled events begin to wait for their fan-out. `source` selects their
 * `event_id`, `environment_id` and `deliver_at` from `scheduled_event`. Events with an ordering key get the next
 * numbers, in the sequence of their times. All statements that lock several rows of `scheduled_event` lock them by
 * environment, time and id, so that two cannot deadlock.
 */
export function placeScheduled(source: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`due as materialized (
      delete from scheduled_event s using (
        select l.event_id from (select * from (${source}) f order by environment_id, deliver_at, event_id) f
        cross join lateral (select event_id from scheduled_event where event_id = f.event_id for update) l
      ) f where s.event_id = f.event_id
      returning s.event_id, s.environment_id, s.ordering_key, s.deliver_at
    ), numbered as materialized (
      select event_id, environment_id, ordering_key,
        case when ordering_key is not null then nextval('ordering_number') end as number, deliver_at
      from (select * from due order by deliver_at, event_id) d
    ), placed as (
      -- It waits since its time, also if an outage of ours has kept it (docs/adr/0023).
      insert into pending_fan_out (event_id, environment_id, ordering_key, ordering_number, enqueued_at)
      select event_id, case when ordering_key is not null then environment_id end, ordering_key, number,
        least(deliver_at, now())
      from numbered
      returning event_id
    ), kept_numbers as (
      update event e set ordering_number = n.number from numbered n where e.id = n.event_id and n.number is not null
    )`;
}

/** An event that begins to wait for its fan-out. */
export type DueEvent = {
  eventId: string;
  workspaceId: string;
  environmentId: string;
  /** Empty for a direct event. */
  eventType: string;
  applicationId: string | null;
  isOrdered: boolean;
};

const LOCK = 7_363_686_564;

/**
 * Makes events whose time has come wait for their fan-out, and returns them: about `limit`. Each call reads the next
 * `limit` environments with scheduled events, after the environment `after`. Each owner of their workspaces has an
 * equal share, but at least one event in each environment, the earliest first. If the result has a `next`, call again
 * at once with it as `after`. Otherwise nothing more is due.
 */
export async function takeDueEvents(
  db: Db,
  { limit, after = NIL_UUID }: { limit: number; after?: string | undefined },
): Promise<{ events: DueEvent[]; next?: string }> {
  const environments = await nextEnvironments(db, { limit, after });
  const due = sharesOf(
    environments.filter(({ isDue }) => isDue),
    limit,
  );
  const events = due.length === 0 ? [] : await takeOf(db, due);
  const taken = new Map<string, number>();
  for (const { environmentId } of events) taken.set(environmentId, (taken.get(environmentId) ?? 0) + 1);
  const last = environments.length === limit ? environments.at(-1)?.id : undefined;
  const next = last ?? (due.some(({ id, share }) => taken.get(id) === share) ? NIL_UUID : undefined);
  return { events, ...(next === undefined ? {} : { next }) };
}

type Environment = { id: string; ownerId: string; isDue: boolean };
type Share = { id: string; share: number };

/** Divides the limit among the owners of workspaces, and each owner's share among its environments. */
function sharesOf(due: readonly Environment[], limit: number): Share[] {
  const environmentsOf = new Map<string, number>();
  for (const { ownerId } of due) environmentsOf.set(ownerId, (environmentsOf.get(ownerId) ?? 0) + 1);
  const ofOwner = limit / Math.max(1, environmentsOf.size);
  return due.map(({ id, ownerId }) => ({
    id,
    share: Math.max(1, Math.floor(ofOwner / (environmentsOf.get(ownerId) ?? 1))),
  }));
}

/**
 * The next environments with scheduled events. Empty while nothing is due in any environment, so that many waiting
 * events cost nothing. Environments are compared with `>=`, so that Postgres reads the index in order, up to the limit,
 * whatever its statistics say.
 */
function nextEnvironments(db: Db, { limit, after }: { limit: number; after: string }): Promise<Environment[]> {
  return db.$queryRaw`
    with recursive scheduled as (
      (select environment_id as id from scheduled_event
        where environment_id > ${after}::uuid and exists (select from scheduled_event where deliver_at <= now())
        order by environment_id limit 1)
      union all
      select (select s.environment_id from scheduled_event s where s.environment_id > e.id
        order by s.environment_id limit 1)
      from scheduled e where e.id is not null
    )
    select e.id, coalesce(w.created_by, w.id, e.id) as "ownerId",
      (select s.deliver_at <= now() from scheduled_event s where s.environment_id >= e.id
        order by s.environment_id, s.deliver_at, s.event_id limit 1) as "isDue"
    from (select id from scheduled where id is not null limit ${limit}::int) e
    left join environment v on v.id = e.id left join workspace w on w.id = v.workspace_id order by e.id`;
}

/**
 * Only one process at a time takes events, so that events of one key take their places in the sequence of their times.
 * A concurrent call gets no events.
 */
function takeOf(db: Db, shares: readonly Share[]): Promise<DueEvent[]> {
  const [ids, most] = [shares.map(({ id }) => id), shares.map(({ share }) => share)];
  const source = Prisma.sql`select s.* from unnest(${ids}::uuid[], ${most}::int[]) as e(id, share)
    cross join lateral (
      select event_id, environment_id, deliver_at from scheduled_event
      where environment_id >= e.id order by environment_id, deliver_at, event_id limit e.share) s
    where s.environment_id = e.id and s.deliver_at <= now() and (select pg_try_advisory_xact_lock(${LOCK}::bigint))`;
  return retryConflicts(
    () => db.$queryRaw<DueEvent[]>`
      with ${placeScheduled(source)}
      select n.event_id as "eventId", e.workspace_id as "workspaceId", e.environment_id as "environmentId",
        coalesce(e.event_type, '') as "eventType", e.application_id as "applicationId",
        n.ordering_key is not null as "isOrdered"
      from numbered n join lateral (select * from event where id = n.event_id offset 0) e on true`,
  );
}
