import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { among, NIL_UUID } from '@posthorn/db/uuid-range';
import type { FanOutMode, FanOutRequest } from '@posthorn/queue/jobs';

/** An event that has just been accepted is being enqueued by the process that accepted it. */
const GRACE_SECONDS = 1;
/** The wait after the first times. If Redis is emptied repeatedly, the job of an event may be lost a few times. */
const FIRST_WAIT_SECONDS = 3;
const MAX_WAIT_SECONDS = 600;
/** From this time on, the event itself may be the cause: its fan-out fails or ends the process. */
const SUSPECT_ENQUEUES = 3;
/** When more events than this are suspects at once, the cause is an outage or an overload, and not one event. */
const MAX_SUSPECTS = 10;
const MAX_WAIT_AFTER_OUTAGE_SECONDS = 60;
/** The most events of a round whose fan-out began and did not end: as many as a process takes in isolation. */
const MAX_BEGUN = 10;

/**
 * Takes events that are still not fanned out, at most `limit` and ten more, to be enqueued. Each time an event is taken,
 * the wait before the next time grows: from 3 s to 10 min. From the third time on the event is isolated, so that an event
 * that cannot be fanned out, or ends the process, does not delay the others. It is never given up.
 *
 * If more than ten events are taken for the third time or later, the cause is an outage or an overload. Such events are
 * enqueued together, as suspects, and wait for a minute at most. An event whose fan-out begins and does not end is
 * isolated from then on, however many such events there are.
 */
export async function takeOverdueEvents(db: Db, { limit }: { limit: number }): Promise<FanOutRequest[]> {
  const { events } = await take(db, { limit });
  return events;
}

/**
 * The same behind a flood, for at most `ofWorkspace` events of each workspace among the next `limit` events after the id
 * `after`. No such event is taken for the third time: the wait behind the flood makes no event a suspect. The next call
 * goes on at the returned `after`, which is undefined at the end. So an event behind the flood is found before the flood
 * ends.
 */
export function takeOverdueEventsOfEach(db: Db, page: PageOfEach): Promise<TakenEvents> {
  return take(db, page);
}

export type PageOfEach = { limit: number; ofWorkspace: number; after: string | undefined };
export type TakenEvents = { events: FanOutRequest[]; after: string | undefined };

async function take(
  db: Db,
  { limit, ofWorkspace, after = NIL_UUID }: { limit: number } & Partial<PageOfEach>,
): Promise<TakenEvents> {
  const noSuspect = ofWorkspace === undefined ? Prisma.empty : Prisma.sql`and enqueues + 1 < ${SUSPECT_ENQUEUES}::int`;
  const oldest = Prisma.sql`select event_id, enqueues from pending_fan_out
    where not has_begun ${noSuspect} and due_at < now() - make_interval(secs => ${GRACE_SECONDS}::int)
      and event_id > ${after}::uuid
    order by event_id limit ${limit}::int`;
  const taken = await retryConflicts(
    () => db.$queryRaw<{ event_id: string; enqueues: number; has_begun: boolean; next: string | null }[]>`
      with begun as materialized (
        select event_id from pending_fan_out
        where has_begun and due_at < now() - make_interval(secs => ${GRACE_SECONDS}::int)
        order by event_id limit ${MAX_BEGUN}::int for update skip locked
      ), page as materialized (
        ${oldest}
      ), overdue as materialized (
        ${ofWorkspace === undefined ? oldest : firstOfEachWorkspace(ofWorkspace)} for update skip locked
      ), suspects as materialized (
        select count(*) > ${MAX_SUSPECTS}::int as are_many from overdue where enqueues + 1 >= ${SUSPECT_ENQUEUES}::int
      )
      update pending_fan_out p set enqueues = least(p.enqueues + 1, 30), due_at = now() + make_interval(secs =>
        least(greatest(${FIRST_WAIT_SECONDS}::int, 2 ^ p.enqueues), case when suspects.are_many and not p.has_begun
          then ${MAX_WAIT_AFTER_OUTAGE_SECONDS}::int else ${MAX_WAIT_SECONDS}::int end))
      from (select event_id from begun union all select event_id from overdue) o cross join suspects
      where p.event_id = o.event_id returning p.event_id, p.enqueues, p.has_begun,
        ${ofWorkspace === undefined ? null : lastOfFullPage(limit)} as next`,
  );
  const eventIds = taken.map((row) => row.event_id).sort();
  const modeOf = modes(taken);
  // Selected by id only, so that Postgres reads only the partitions of these ids.
  const rows = await db.$queryRaw<(FanOutRequest & { orderingKey: string | null })[]>`
    select id as "eventId", workspace_id as "workspaceId", environment_id as "environmentId",
      coalesce(event_type, '') as "eventType", application_id as "applicationId", ordering_key as "orderingKey"
    from event where ${among('id', eventIds)} order by id`;
  await forgetMissing(db, eventIds, new Set(rows.map((row) => row.eventId)));
  const events = rows.map(({ orderingKey, ...row }) => ({
    ...row,
    ...(orderingKey === null ? {} : { isOrdered: true as const }),
    ...modeOf.get(row.eventId),
  }));
  return { events, after: taken[0]?.next ?? undefined };
}

/**
 * Only the events that are taken are locked, so that the fan-out of the others goes on. `offset 0` makes Postgres read
 * each event by its id, and so only the partitions of these ids. Events that retention has deleted count as those of one
 * workspace.
 */
function firstOfEachWorkspace(most: number): Prisma.Sql {
  return Prisma.sql`select event_id, enqueues from pending_fan_out where event_id in (
      select event_id from (
        select w.event_id, row_number() over (partition by e.workspace_id order by w.event_id) as place
        from page w left join lateral (select workspace_id from event where id = w.event_id offset 0) e on true) placed
      where place <= ${most}::int)`;
}

function lastOfFullPage(limit: number): Prisma.Sql {
  return Prisma.sql`(select max(event_id::text) from page having count(*) = ${limit}::int)`;
}

/** By event id. Other events have no mode. */
function modes(taken: readonly { event_id: string; enqueues: number; has_begun: boolean }[]) {
  const begun = taken.filter((row) => row.has_begun);
  const suspects = taken.filter((row) => !row.has_begun && row.enqueues >= SUSPECT_ENQUEUES);
  const modeOfSuspects: FanOutMode = suspects.length > MAX_SUSPECTS ? 'suspect' : 'isolated';
  return new Map<string, { mode: FanOutMode }>([
    ...begun.map((row) => [row.event_id, { mode: 'isolated' }] as const),
    ...suspects.map((row) => [row.event_id, { mode: modeOfSuspects }] as const),
  ]);
}

/** Ends the waiting of events that retention has deleted. */
async function forgetMissing(db: Db, eventIds: string[], found: ReadonlySet<string>): Promise<void> {
  const missing = eventIds.filter((eventId) => !found.has(eventId));
  if (missing.length > 0) await db.pendingFanOut.deleteMany({ where: { eventId: { in: missing } } });
}
