import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { NIL_UUID } from '@posthorn/db/uuid-range';

// Changes `pending_fan_out`: the events whose deliveries are not created yet.

/**
 * How long the process that accepted an event has to enqueue it. It must be longer than that takes, because a
 * dispatcher of version 0.3.0 may attempt the event before its wait ends.
 */
const GRACE_SECONDS = 2;
/** The wait after the first times. If Redis is emptied repeatedly, an event's job may be lost a few times. */
const FIRST_WAIT_SECONDS = 3;
const MAX_WAIT_SECONDS = 600;
/** From this count on, the event itself may be the cause, because its fan-out fails or ends the process. */
export const SUSPECT_ENQUEUES = 3;
/** If more events than this are suspects at once, the cause is an outage or an overload, not a single event. */
export const MAX_SUSPECTS = 10;
const MAX_WAIT_AFTER_OUTAGE_SECONDS = 60;
/** The most events per round whose fan-out began but did not end: as many as a process takes in isolation. */
const MAX_BEGUN = 10;

/**
 * With `ofOwner`, a limit for each owner's workspaces, no event counts as a suspect. `after` is the last id of the
 * previous page. With `isQueue`, nobody enqueues an event at first, so it is overdue at once, and its first time is not
 * a repetition.
 */
export type OverduePage = { limit: number; ofOwner?: number; after?: string | undefined; isQueue?: boolean };

/**
 * `enqueues` includes this time, unless it is the first time in a queue. `next` is set with `ofOwner`, except on the
 * last page.
 */
export type OverdueEvent = { eventId: string; enqueues: number; hasBegun: boolean; next: string | null };

/**
 * Takes the next overdue events, and sets when each is overdue again: after 3 s at first, then after twice as long each
 * time, up to 10 min.
 */
export async function takeOverdue(
  db: Db,
  { limit, ofOwner, after = NIL_UUID, isQueue = false }: OverduePage,
): Promise<OverdueEvent[]> {
  const graceSeconds = isQueue ? 0 : GRACE_SECONDS;
  const first = isQueue ? 1 : 0;
  const suspectEnqueues = SUSPECT_ENQUEUES + first;
  const noSuspect = ofOwner === undefined ? Prisma.empty : Prisma.sql`and enqueues + 1 < ${suspectEnqueues}::int`;
  const oldest = Prisma.sql`select event_id, enqueues from pending_fan_out
    where not has_begun ${noSuspect} and due_at < now() - make_interval(secs => ${graceSeconds}::int)
      and event_id > ${after}::uuid
    order by event_id limit ${limit}::int`;
  return retryConflicts(
    () => db.$queryRaw<OverdueEvent[]>`
      with begun as materialized (
        select event_id from pending_fan_out
        where has_begun and due_at < now() - make_interval(secs => ${graceSeconds}::int)
        order by event_id limit ${MAX_BEGUN}::int for update skip locked
      ), page as materialized (
        ${oldest}
      ), overdue as materialized (
        ${ofOwner === undefined ? oldest : firstOfEachOwner(ofOwner)} for update skip locked
      ), suspects as materialized (
        select count(*) > ${MAX_SUSPECTS}::int as are_many from overdue where enqueues + 1 >= ${suspectEnqueues}::int
      )
      update pending_fan_out p set enqueues = least(p.enqueues + 1, 30), due_at = now() + make_interval(secs =>
        least(greatest(${FIRST_WAIT_SECONDS}::int, 2 ^ (p.enqueues - ${first}::int)), case when suspects.are_many and not p.has_begun
          then ${MAX_WAIT_AFTER_OUTAGE_SECONDS}::int else ${MAX_WAIT_SECONDS}::int end))
      from (select event_id from begun union all select event_id from overdue) o cross join suspects
      where p.event_id = o.event_id returning p.event_id as "eventId", p.enqueues - ${first}::int as enqueues, p.has_begun as "hasBegun",
        ${ofOwner === undefined ? null : lastOfFullPage(limit)} as next`,
  );
}

/**
 * Locks only the events that are taken, so that the fan-out of others goes on. `offset 0` makes Postgres read each
 * event by its id, and so only the partitions of these ids. Events that retention has deleted count as those of a
 * single owner.
 */
function firstOfEachOwner(most: number): Prisma.Sql {
  return Prisma.sql`select event_id, enqueues from pending_fan_out where event_id in (
      select event_id from (
        select w.event_id, row_number() over (
          partition by coalesce(o.created_by, e.workspace_id) order by w.event_id) as place
        from page w left join lateral (select workspace_id from event where id = w.event_id offset 0) e on true
        left join workspace o on o.id = e.workspace_id) placed
      where place <= ${most}::int)`;
}

function lastOfFullPage(limit: number): Prisma.Sql {
  return Prisma.sql`(select max(event_id::text) from page having count(*) = ${limit}::int)`;
}

/** Marks events whose fan-out begins. Commit the mark first, because the fan-out may end the process. */
export async function markBegun(db: Db, eventIds: readonly string[]): Promise<void> {
  await db.$executeRaw`update pending_fan_out set has_begun = true where ${lockedInOrder(eventIds)}`;
}

/** Defers events: they are not overdue for this long. They lose their mark, unless `keepsMark` is set. */
export async function deferFanOut(
  db: Db,
  eventIds: readonly string[],
  { seconds, keepsMark }: { seconds: number; keepsMark: boolean },
): Promise<void> {
  await db.$executeRaw`
    update pending_fan_out set due_at = now() + make_interval(secs => ${seconds}::int),
      has_begun = has_begun and ${keepsMark}::bool
    where ${lockedInOrder(eventIds)}`;
}

/** All dispatchers lock these rows in the same order, so that two with the same events cannot deadlock. */
function lockedInOrder(eventIds: readonly string[]): Prisma.Sql {
  return Prisma.sql`event_id in (select event_id from pending_fan_out where event_id = any(${[...eventIds]}::uuid[])
    order by event_id for update)`;
}

/** Ends the wait of events that retention has deleted. */
export async function forgetExpired(db: Db, eventIds: readonly string[]): Promise<void> {
  await db.pendingFanOut.deleteMany({ where: { eventId: { in: [...eventIds] } } });
}
