import type { Db } from '@posthorn/db/client';
import { NIL_UUID } from '@posthorn/db/uuid-range';
import type { Clock } from '@posthorn/runtime/clock';

/** Where the open rows begin: no open delivery has an earlier due time, and no event that waits has a lower id. */
export type LowWaterMark = {
  /** A timestamp with microseconds, or `-infinity`. */
  dueAt: string;
  /** Lower than the id of the first event. */
  beforeEventId: string;
};

export const FROM_START: LowWaterMark = { dueAt: '-infinity', beforeEventId: NIL_UUID };

/** So often the open rows are looked for from the start. */
export const LOOK_EVERY_MS = 10_000;
/** A transaction that is still open may add a row with the time of its beginning. No statement runs for longer. */
const UNCOMMITTED_SECONDS = 60;

/**
 * Returns the low-water mark, and reads it anew every ten seconds. Indexes keep the entries of rows that have ended while
 * an old snapshot may still see them. Without a mark, each round would step over all of these. A row that comes to lie
 * before the mark, such as a scheduled event with an old id, is found at the next look.
 */
export function createLowWaterMark({ db, clock }: { db: Db; clock: Clock }): () => Promise<LowWaterMark> {
  let mark = FROM_START;
  let lookAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    if (clock.monotonicMs() < lookAtMs) return mark;
    mark = await readMark(db);
    lookAtMs = clock.monotonicMs() + LOOK_EVERY_MS;
    return mark;
  };
}

async function readMark(db: Db): Promise<LowWaterMark> {
  const [row] = await db.$queryRaw<{ dueAt: string; uncommittedMs: number; eventId: string | null }[]>`
    select least((select due_at from delivery where due_at is not null order by due_at limit 1), u.at)::text as "dueAt",
      floor(extract(epoch from u.at) * 1000)::float8 as "uncommittedMs",
      (select event_id from pending_fan_out order by event_id limit 1) as "eventId"
    from (select now() - make_interval(secs => ${UNCOMMITTED_SECONDS}::int) as at) u`;
  if (row === undefined) return FROM_START;
  const uncommitted = beforeIdsOf(row.uncommittedMs.toString(16).padStart(12, '0'));
  const first = row.eventId === null ? uncommitted : beforeIdsOf(row.eventId.replace('-', ''));
  const [beforeEventId = uncommitted] = [first, uncommitted].sort();
  return { dueAt: row.dueAt, beforeEventId };
}

/** Lower than every id of this millisecond, which is the first twelve digits of an id. */
function beforeIdsOf(digits: string): string {
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-0000-0000-000000000000`;
}
