import { Prisma } from '@posthorn/db/generated/client';

// A delivery's due time encodes what the delivery waits for. So an index has only the due rows, and no claim and no
// reconciler reads the others. Besides the functions of the migrations, only this file knows the times:
//
// - before the year 7000: it waits for nothing but this time.
// - from the year 7000: it is in the line of its endpoint (line.ts, docs/adr/0014). It entered, or is due, 5,000 years
//   earlier.
// - from the year 7400: it is in the line, and an outage held it back (catch-up.ts). New deliveries may pass it.
// - from the year 7900: it is in the line, and part of a recovery. It entered 6,000 years earlier, so all new
//   deliveries pass it.
// - the end of time: it waits behind the head of its order, or for its event's time (ordering.ts, docs/adr/0009).

const LINE_START = new Date('7000-01-01T00:00:00Z');
const KEPT_LINE_START = new Date('7400-01-01T00:00:00Z');
const RECOVERED_LINE_START = new Date('7900-01-01T00:00:00Z');
const END_OF_TIME = new Date('9999-12-31T00:00:00Z');

/** 5,000 years of the Gregorian calendar. */
const LINE_SHIFT_DAYS = 1_826_250;
/** 400 years. */
const KEPT_SHIFT_DAYS = 146_097;
/** 1,000 years. */
const RECOVERED_SHIFT_DAYS = 365_250;

/** Whether a delivery with this due time is in the line of its endpoint. */
export function isInLine(dueAt: Date | null): boolean {
  return dueAt !== null && dueAt >= LINE_START && dueAt < END_OF_TIME;
}

/** The condition on `d.due_at` for a delivery in a line, as the index has it. */
export const IN_LINE: Prisma.Sql = Prisma.sql`(d.due_at >= ${literal(LINE_START)} and d.due_at < ${literal(END_OF_TIME)})`;

/**
 * The due times of a line's new deliveries are before this time. Those of recovered deliveries are after it, so all new
 * ones pass them.
 */
export const RECOVERED_START: Prisma.Sql = literal(RECOVERED_LINE_START);

/** The due times of a line's deliveries that an outage held back are between this time and `RECOVERED_START`. */
export const KEPT_START: Prisma.Sql = literal(KEPT_LINE_START);

/** How much later a recovered delivery is placed than a new one that entered the line with it. */
export const RECOVERED_SHIFT: Prisma.Sql = days(RECOVERED_SHIFT_DAYS);

/** The due time of a delivery that enters the line now. `isRecovered` and `isKept` (catch-up.ts) are conditions. */
export function placeInLine(isRecovered: Prisma.Sql, isKept: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`now() + ${days(LINE_SHIFT_DAYS)} + case when ${isRecovered} then ${RECOVERED_SHIFT}
    when ${isKept} then ${days(KEPT_SHIFT_DAYS)} else interval '0' end`;
}

/** The due time in a line of a delivery that was due at `at` and that an outage held back. */
export function placeKept(at: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${at} + ${days(LINE_SHIFT_DAYS + KEPT_SHIFT_DAYS)}`;
}

/** The time at which a delivery in a line is due or began to wait. */
export function unmoved(dueAt: Date): Date {
  const isKept = dueAt >= KEPT_LINE_START && dueAt < RECOVERED_LINE_START;
  return new Date(dueAt.getTime() - (LINE_SHIFT_DAYS + (isKept ? KEPT_SHIFT_DAYS : 0)) * 86_400_000);
}

/**
 * The due time of a delivery. If a consumer fetches it (docs/adr/0016), the time is moved, which puts it in the line of
 * its endpoint.
 */
export function dueOf(at: Prisma.Sql, isPulled: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`due_of(${at}, ${isPulled})`;
}

/** The due time of a delivery that waits behind a head, or for its event's time. */
export const BEHIND_HEAD: Prisma.Sql = Prisma.sql`end_of_time()`;

/** The time at which a delivery `d` in a line entered it, or was due. */
export const IN_LINE_SINCE: Prisma.Sql = Prisma.sql`(d.due_at - ${days(LINE_SHIFT_DAYS)} - case
  when d.due_at >= ${RECOVERED_START} then ${RECOVERED_SHIFT}
  when d.due_at >= ${KEPT_START} then ${days(KEPT_SHIFT_DAYS)} else interval '0' end)`;

/** Whether a delivery with this due time waits behind a head, or for its event's time. */
export function isBehindHead(dueAt: Date | null): boolean {
  return dueAt !== null && dueAt >= END_OF_TIME;
}

/** Literals, not parameters, because the planner compares the conditions with the predicate of the index. */
function literal(at: Date): Prisma.Sql {
  return Prisma.raw(`'${at.toISOString().slice(0, 10)} 00:00:00+00'::timestamptz`);
}

function days(count: number): Prisma.Sql {
  return Prisma.raw(`interval '${count} days'`);
}
