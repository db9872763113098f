import type { Db } from '@posthorn/db/client';
import { NIL_UUID } from '@posthorn/db/uuid-range';
import type { Clock } from '@posthorn/runtime/clock';

/**
 * Where the open rows began when it was read: every open delivery had at least this due time, and every waiting event a
 * higher id.
 */
export type LowWaterMark = {
  /** A timestamp with microseconds, or `-infinity`. */
  dueAt: string;
  /** Lower than the id of the first event. */
  beforeEventId: string;
};

export const FROM_START: LowWaterMark = { dueAt: '-infinity', beforeEventId: NIL_UUID };

/** How often the open rows are searched from the start. */
export const LOOK_EVERY_MS = 10_000;
/** A transaction that is still open may add a row with the time of its beginning. No statement runs for longer. */
const UNCOMMITTED_SECONDS = 60;

export type LowWaterMarks = {
  /** Returns the mark, which is read anew every ten seconds. */
  read(): Promise<LowWaterMark>;
  /** Moves the mark before these events, which have just begun to wait and may be older than others. */
  lower(eventIds: readonly string[]): void;
};

const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Keeps a low-water mark. Indexes keep the entries of ended rows while an old snapshot may still see them, and without
 * a mark each round would step over all of these. A row that later lies before the mark is found at the next look,
 * unless `lower` is called.
 */
export function createLowWaterMark({ db, clock }: { db: Db; clock: Clock }): LowWaterMarks {
  let mark = FROM_START;
  let lookAtMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<LowWaterMark> | undefined;
  /** The lowest id given to `lower` since the look began. The look may not see that event. */
  let told = HIGHEST_ID;
  const look = async () => {
    told = HIGHEST_ID;
    const found = await readMark(db);
    mark = lowered(found, told);
    lookAtMs = clock.monotonicMs() + LOOK_EVERY_MS;
    return mark;
  };
  return {
    async read() {
      if (clock.monotonicMs() < lookAtMs) return mark;
      looking ??= look().finally(() => {
        looking = undefined;
      });
      return looking;
    },
    lower(eventIds) {
      for (const id of eventIds) if (id < told) told = id;
      mark = lowered(mark, told);
    },
  };
}

function lowered(mark: LowWaterMark, eventId: string): LowWaterMark {
  const before = beforeIdsOf(eventId.replace('-', ''));
  return before < mark.beforeEventId ? { ...mark, beforeEventId: before } : mark;
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
