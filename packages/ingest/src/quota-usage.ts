import type { Db } from '@posthorn/db/client';
import { retryConflicts } from '@posthorn/db/transaction';

/** The events of a workspace on a UTC day (`2026-11-22`), and the bytes of their payloads as sent. */
export type DayUsage = { workspaceId: string; day: string; events: number; bytes: number };

/**
 * `bytesKept` counts payloads of today and of the days of the retention. `attemptBytesKept` counts what attempts store.
 */
export type Usage = { eventsToday: number; bytesKept: number; attemptBytesKept: number };

export const NO_USAGE: Usage = { eventsToday: 0, bytesKept: 0, attemptBytesKept: 0 };
const DAY_MS = 86_400_000;
/** The most workspaces in one statement, which takes some tens of milliseconds. */
const PART = 1_000;

/** The UTC day of a time. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/**
 * Adds the counts to the stored ones in key order, so that two processes cannot deadlock. Returns the counts that could
 * not be written. `failed` is the error of the first failed statement.
 */
export async function addUsage(
  db: Db,
  counts: readonly DayUsage[],
): Promise<{ unwritten: DayUsage[]; failed?: unknown }> {
  for (let from = 0; from < counts.length; from += PART) {
    const part = counts.slice(from, from + PART);
    try {
      await retryConflicts(
        () => db.$executeRaw`
          insert into workspace_usage as u (workspace_id, day, events, bytes)
          select * from unnest(
            ${part.map((one) => one.workspaceId)}::uuid[], ${part.map((one) => one.day)}::date[],
            ${part.map((one) => one.events)}::bigint[], ${part.map((one) => one.bytes)}::bigint[]
          ) as g(workspace_id, day, events, bytes) order by workspace_id, day
          on conflict (workspace_id, day) do update
          set events = u.events + excluded.events, bytes = u.bytes + excluded.bytes`,
      );
    } catch (failed) {
      return { unwritten: counts.slice(from), failed };
    }
  }
  return { unwritten: [] };
}

/** The usage of each of these workspaces. Reads one row for each day of the retention. */
export async function readUsage(
  db: Db,
  workspaceIds: readonly string[],
  { now, retentionDays }: { now: Date; retentionDays: number },
): Promise<Map<string, Usage>> {
  const found = new Map<string, Usage>(workspaceIds.map((id) => [id, NO_USAGE]));
  const oldest = dayOf(new Date(now.getTime() - retentionDays * DAY_MS));
  for (let from = 0; from < workspaceIds.length; from += PART) {
    const rows = await db.$queryRaw<({ id: string } & Usage)[]>`
      select workspace_id as id, coalesce(sum(events) filter (where day = ${dayOf(now)}::date), 0)::float8 as "eventsToday",
        sum(bytes)::float8 as "bytesKept", sum(attempt_bytes)::float8 as "attemptBytesKept"
      from workspace_usage
      where workspace_id = any(${workspaceIds.slice(from, from + PART)}::uuid[]) and day >= ${oldest}::date
      group by workspace_id`;
    for (const { id, ...usage } of rows) found.set(id, usage);
  }
  return found;
}
