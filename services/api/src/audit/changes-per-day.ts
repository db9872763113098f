import type { DbTransaction } from '@posthorn/db/client';
import { ApiError } from '../transport/error.ts';

/** The most entries that a workspace, and the portals of one application, may add to the audit log on a UTC day; 0 is no limit. */
export type ChangesPerDay = { workspace: number; application: number };

/**
 * Whose changes are counted together: the portals of an application, one of its agents (each has the limit of an
 * application), or the workspace itself.
 */
export type Holder = { id: string; kind: keyof ChangesPerDay | 'agentKey' };

const DAY_MS = 86_400_000;
const ROWS_OF_A_CHANGE = 100;

/**
 * The number of changes that writing this many rows counts as, such as with a pattern: one more for each hundred rows.
 */
export function changesOfRows(rows: number): number {
  return 1 + Math.floor(rows / ROWS_OF_A_CHANGE);
}

/** How many changes a mail to a typed address counts as: one customer must not use up all mails of the portals. */
export const CHANGES_OF_A_MAIL = 50;
const RULE = 'must be a whole number for each of application and workspace, such as application:1000,workspace:0';

/** Parses `application:1000,workspace:0`; one that is not named has no limit. Throws an Error with the rule. */
export function parseChangesPerDay(text: string): ChangesPerDay {
  const limits: ChangesPerDay = { workspace: 0, application: 0 };
  const named = new Set<string>();
  for (const part of text.split(',')) {
    const [name = '', value = '', ...rest] = part.split(':').map((piece) => piece.trim());
    const limit = Number(value);
    const isLimit = value !== '' && Number.isInteger(limit) && limit >= 0 && limit <= 1_000_000_000;
    if ((name !== 'workspace' && name !== 'application') || named.has(name) || rest.length > 0 || !isLimit) {
      throw new Error(RULE);
    }
    named.add(name);
    limits[name] = limit;
  }
  return limits;
}

/**
 * Counts a change in its transaction; throws `rate_limited` beyond the limit of the day, and the change is undone. Nobody
 * may delete audit entries for a year, so without a limit a portal could fill the disk. It comes after the audit entry:
 * the changes of a workspace wait for one another there in any case.
 */
export async function countChange(
  transaction: DbTransaction,
  {
    holder,
    limits,
    now,
    countsAs = 1,
  }: { holder: Holder; limits: ChangesPerDay; now: Date; countsAs?: number | undefined },
): Promise<void> {
  const most = limits[holder.kind === 'agentKey' ? 'application' : holder.kind];
  // The end of a subscription counts as nothing: it must be possible at any limit, also one that was lowered meanwhile.
  if (most === 0 || countsAs === 0) return;
  const [row] = await transaction.$queryRaw<{ changes: number }[]>`
    insert into change_count as c (holder_id, day, changes)
    values (${holder.id}::uuid, ${now.toISOString().slice(0, 10)}::date, ${countsAs}::int)
    on conflict (holder_id, day) do update set changes = c.changes + excluded.changes returning changes`;
  if (row === undefined || row.changes <= most) return;
  const seconds = Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1_000);
  const message = {
    application: `The portals of an application may make ${most} changes a day (UTC), views of payloads included`,
    agentKey: `An agent may make ${most} subscriptions a day (UTC)`,
    workspace: `This workspace may make ${most} changes a day (UTC)`,
  }[holder.kind];
  throw new ApiError('rate_limited', message, { 'Retry-After': String(seconds) });
}
