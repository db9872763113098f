import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import type { Clock } from '@posthorn/runtime/clock';

/** The most rows in one statement, which takes some tens of milliseconds. */
const BATCH = 10_000;
const DAY_MS = 86_400_000;

/** Usage is kept for the current month and this many earlier months. */
const USAGE_MONTHS = 13;

/**
 * Deletes rows older than `days` days that only traces, lists and quotas need, and usage older than 13 months. Deletes
 * in batches until it is stopped, and returns the number of rows. Concurrent calls are safe: a row that another process
 * is deleting is skipped.
 */
export async function deleteExpiredHistory(db: Db, days: number, clock: Clock, stopped?: AbortSignal): Promise<number> {
  const end = new Date(clock.now().getTime() - days * DAY_MS);
  let total = 0;
  for (const expired of [...expiredRows(end), expiredUsage(clock.now())]) {
    for (let deleted = BATCH; deleted === BATCH && !stopped?.aborted; total += deleted) {
      deleted = await db.$executeRaw`delete from ${expired.table} where ctid = any(array(
        select ctid from ${expired.table} where ${expired.condition} limit ${BATCH}::int for update skip locked))`;
    }
  }
  return total;
}

function expiredRows(end: Date) {
  const ended = Prisma.sql`ended_at < ${end}::timestamptz`;
  const before = Prisma.sql`event_id < ${lowestKeyAt(end)}::uuid`;
  return [
    { table: Prisma.sql`ended_publication`, condition: ended },
    { table: Prisma.sql`ended_subscription`, condition: ended },
    { table: Prisma.sql`ended_inactivity`, condition: ended },
    { table: Prisma.sql`unmatched_event`, condition: before },
    { table: Prisma.sql`cancelled_event`, condition: before },
    { table: Prisma.sql`source_rejection`, condition: Prisma.sql`id < ${lowestKeyAt(end)}::uuid` },
    // Keep a replaced key a little longer: a process takes up to a second to learn of a new key.
    {
      table: Prisma.sql`workspace_search_key`,
      condition: Prisma.sql`replaced_at < ${end}::timestamptz - interval '1 minute'`,
    },
    { table: Prisma.sql`change_count`, condition: Prisma.sql`day < (${end}::timestamptz at time zone 'UTC')::date` },
    { table: Prisma.sql`workspace_usage`, condition: Prisma.sql`day < (${end}::timestamptz at time zone 'UTC')::date` },
  ];
}

function expiredUsage(now: Date) {
  const firstKept = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - USAGE_MONTHS, 1));
  return { table: Prisma.sql`application_usage`, condition: Prisma.sql`day < ${firstKept}::date` };
}
