import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';

// Events whose time lies ahead (docs/interface.md, Time) wait in `scheduled_event`, so that the reconciler never reads
// them. At their time they begin to wait for their fan-out, and one with an ordering key takes its place in the order.

/**
 * The parts `due`, `placed` and `numbered` of a statement: events of `source`, a select of rows of `scheduled_event` to be
 * deleted, begin to wait for their fan-out, those with an ordering key with the next numbers, in the order of their times.
 */
export function placeScheduled(source: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`due as materialized (
      delete from scheduled_event s using (${source}) f where s.event_id = f.event_id
      returning s.event_id, s.environment_id, s.ordering_key, s.deliver_at
    ), numbered as materialized (
      select event_id, environment_id, ordering_key,
        case when ordering_key is not null then nextval('ordering_number') end as number
      from (select * from due order by deliver_at, event_id) d
    ), placed as (
      insert into pending_fan_out (event_id, environment_id, ordering_key, ordering_number)
      select event_id, case when ordering_key is not null then environment_id end, ordering_key, number from numbered
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
 * Lets the events whose time has come wait for their fan-out, at most `limit`, and returns them. One process at a time
 * does this, so that events of one key take their places in the order of their times; the others get none.
 */
export async function takeDueEvents(db: Db, limit: number): Promise<DueEvent[]> {
  const source = Prisma.sql`select event_id from scheduled_event
    where deliver_at <= now() and (select pg_try_advisory_xact_lock(${LOCK}::bigint))
    order by deliver_at limit ${limit}::int for update`;
  return retryConflicts(
    () => db.$queryRaw<DueEvent[]>`
      with ${placeScheduled(source)}
      select n.event_id as "eventId", e.workspace_id as "workspaceId", e.environment_id as "environmentId",
        coalesce(e.event_type, '') as "eventType", e.application_id as "applicationId",
        n.ordering_key is not null as "isOrdered"
      from numbered n join lateral (select * from event where id = n.event_id offset 0) e on true`,
  );
}
