import type { Db } from '@posthorn/db/client';
import { among } from '@posthorn/db/uuid-range';
import {
  forgetExpired,
  MAX_SUSPECTS,
  type OverdueEvent,
  type OverduePage,
  SUSPECT_ENQUEUES,
  takeOverdue,
} from '@posthorn/ledger/pending-fan-out';
import type { FanOutMode, FanOutRequest } from '@posthorn/queue/jobs';

/**
 * Takes events after the id `after` that are still not fanned out, at most `limit` and ten more, to be enqueued. Each
 * time an event is taken, the wait before the next time grows: from 3 s to 10 min. From the third time on, the event is
 * isolated, so that an event that cannot be fanned out, or ends the process, does not delay the others. The event is
 * never given up.
 *
 * If more than ten events are taken for the third time or later, the cause is an outage or an overload. Such events are
 * enqueued together, as suspects, and wait at most a minute. An event whose fan-out begins but does not end is isolated
 * from then on, however many such events there are.
 */
export async function takeOverdueEvents(
  db: Db,
  page: { limit: number; after?: string; isQueue?: boolean },
): Promise<FanOutRequest[]> {
  const { events } = await take(db, page);
  return events;
}

/**
 * Takes events behind a flood: at most `ofOwner` events of each owner of workspaces among the next `limit` events after
 * the id `after`. No such event counts as taken for the third time, because a wait behind a flood makes no event a
 * suspect. The next call continues at the returned `after`, which is undefined at the end. So an event behind a flood
 * is found before the flood ends.
 */
export function takeOverdueEventsOfEach(db: Db, page: PageOfEach): Promise<TakenEvents> {
  return take(db, page);
}

export type PageOfEach = { limit: number; ofOwner: number; after: string | undefined; isQueue?: boolean };
export type TakenEvents = { events: FanOutRequest[]; after: string | undefined };

async function take(db: Db, page: OverduePage): Promise<TakenEvents> {
  const taken = await takeOverdue(db, page);
  const eventIds = taken.map((row) => row.eventId).sort();
  const modeOf = modes(taken);
  // Selects by id only, so that Postgres reads only the partitions of these ids.
  const rows = await db.$queryRaw<(FanOutRequest & { orderingKey: string | null })[]>`
    select id as "eventId", workspace_id as "workspaceId", environment_id as "environmentId",
      coalesce(event_type, '') as "eventType", application_id as "applicationId", ordering_key as "orderingKey"
    from event where ${among('id', eventIds)} order by id`;
  const found = new Set(rows.map((row) => row.eventId));
  const expired = eventIds.filter((eventId) => !found.has(eventId));
  if (expired.length > 0) await forgetExpired(db, expired);
  const events = rows.map(({ orderingKey, ...row }) => ({
    ...row,
    ...(orderingKey === null ? {} : { isOrdered: true as const }),
    ...modeOf.get(row.eventId),
  }));
  return { events, after: taken[0]?.next ?? undefined };
}

/** The modes by event id. Other events have no mode. */
function modes(taken: readonly OverdueEvent[]) {
  const begun = taken.filter((row) => row.hasBegun);
  const suspects = taken.filter((row) => !row.hasBegun && row.enqueues >= SUSPECT_ENQUEUES);
  const modeOfSuspects: FanOutMode = suspects.length > MAX_SUSPECTS ? 'suspect' : 'isolated';
  return new Map<string, { mode: FanOutMode }>([
    ...begun.map((row) => [row.eventId, { mode: 'isolated' }] as const),
    ...suspects.map((row) => [row.eventId, { mode: modeOfSuspects }] as const),
  ]);
}
