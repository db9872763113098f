import { newUuid } from '@posthorn/contract/ids';
import { isOperational } from '@posthorn/contract/operational-events';
import { type ChosenEventType, eventTypePattern, isEventTypePattern } from '@posthorn/contract/subscriptions';
import type { DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { NIL_UUID } from '@posthorn/db/uuid-range';
import { z } from 'zod';
import type { WorkspaceContext } from '../operation/context.ts';
import { invalid } from '../transport/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { type FilterColumn, requireFilter } from './filters.ts';

/** A pattern of an endpoint: `*`, or a prefix that ends in `.*`; with the filter of the subscriptions that it makes. */
export type Pattern = { pattern: string; filter: FilterColumn | null };

/** The first of the patterns that an event type fits. Operational events fit none. */
export function patternOf(patterns: readonly Pattern[], name: string): Pattern | undefined {
  if (isOperational(name)) return undefined;
  return patterns.find(({ pattern }) => pattern === '*' || name.startsWith(pattern.slice(0, -1)));
}

const stored = z.array(eventTypePattern);

/** The patterns of an endpoint's row. The column is written after its filters were checked. */
export function storedPatterns({ eventTypePatterns }: { eventTypePatterns: unknown }): Pattern[] {
  return stored.parse(eventTypePatterns ?? []) as Pattern[];
}

/** The column for these patterns. */
export function patternColumn(patterns: readonly Pattern[]) {
  return patterns.length === 0 ? Prisma.DbNull : JSON.parse(JSON.stringify(patterns));
}

/** The patterns that a request names in its field `list`, with their filters checked. */
export function requirePatterns(chosen: readonly ChosenEventType[], list: string): Pattern[] {
  return chosen.flatMap(({ name, filter }, index) => {
    if (!isEventTypePattern(name)) return [];
    const field = `${list}[${index}]`;
    if (isOperational(name)) throw invalid(`${name} fits no event type: name operational events one by one`, field);
    return [{ pattern: name, filter: requireFilter(filter, `${field}.filter`) }];
  });
}

/**
 * Replaces the subscriptions that the endpoint's patterns made by the ones that the new patterns make. Subscriptions that
 * were made one by one stay. A subscription that was deleted is made again. Returns how many were made, changed and deleted.
 */
export async function replacePatterns(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  endpointId: string,
  patterns: readonly Pattern[],
): Promise<number> {
  const made = await transaction.subscription.findMany({
    where: { endpointId, pattern: { not: null } },
    select: { id: true, pattern: true, filter: true, eventType: { select: { name: true } } },
  });
  const gone: string[] = [];
  const changed = new Map<Pattern, string[]>();
  for (const row of made) {
    const wanted = patternOf(patterns, row.eventType.name);
    if (wanted === undefined) gone.push(row.id);
    else if (wanted.pattern !== row.pattern || JSON.stringify(wanted.filter) !== JSON.stringify(row.filter)) {
      changed.set(wanted, [...(changed.get(wanted) ?? []), row.id]);
    }
  }
  if (gone.length > 0) await transaction.subscription.deleteMany({ where: { id: { in: gone } } });
  for (const [{ pattern, filter }, ids] of changed) {
    await transaction.subscription.updateMany({
      where: { id: { in: ids } },
      data: { pattern, filter: toColumn(filter) },
    });
  }
  const created = await subscribeByPatterns(ctx, transaction, endpointId, patterns);
  return gone.length + [...changed.values()].flat().length + created;
}

/** The rows of one statement. */
const PAGE = 500;

/**
 * Subscribes every endpoint of the workspace with a pattern that an event type fits; only those that `condition` selects.
 * The workspace is locked. Returns the number of new subscriptions.
 */
export async function subscribeToType(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  eventType: { id: string; name: string },
  condition: Prisma.Sql = Prisma.empty,
): Promise<number> {
  let created = 0;
  for (let after = NIL_UUID; ; ) {
    const page = await transaction.$queryRaw<{ id: string; eventTypePatterns: unknown }[]>`
      select id, event_type_patterns as "eventTypePatterns" from endpoint
      where workspace_id = ${ctx.workspace.id}::uuid and deleted_at is null and event_type_patterns is not null
        and id > ${after}::uuid ${condition}
      order by id limit ${PAGE}::int`;
    const data = page.flatMap((row) => {
      const wanted = patternOf(storedPatterns(row), eventType.name);
      return wanted === undefined ? [] : [rowOf(ctx, row.id, { eventTypeId: eventType.id, ...wanted })];
    });
    created += (await transaction.subscription.createMany({ data, skipDuplicates: true })).count;
    const last = page.at(-1);
    if (page.length < PAGE || last === undefined) return created;
    after = last.id;
  }
}

/**
 * Locks the workspace, so that no type is created meanwhile. Types that the endpoint's customer may not see are left out.
 * Returns the number of new subscriptions.
 */
export async function subscribeByPatterns(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  endpointId: string,
  patterns: readonly Pattern[],
): Promise<number> {
  if (patterns.length === 0) return 0;
  await lockWorkspace(transaction, ctx.workspace.id);
  const where = { workspaceId: ctx.workspace.id };
  const types = await transaction.eventType.findMany({ where, select: { id: true, name: true } });
  const hidden = await transaction.$queryRaw<{ id: string }[]>`
    select a.event_type_id as id from event_type_audience a join endpoint e on e.environment_id = a.environment_id
    where e.id = ${endpointId}::uuid and e.application_id is not null and not e.application_id = any(a.application_ids)`;
  const hiddenIds = new Set(hidden.map(({ id }) => id));
  const rows = types.flatMap(({ id, name }) => {
    const wanted = patternOf(patterns, name);
    return wanted === undefined || hiddenIds.has(id) ? [] : [{ eventTypeId: id, ...wanted }];
  });
  return insertSubscriptions(ctx, transaction, endpointId, rows);
}

type NewRow = { eventTypeId: string; filter: FilterColumn | null; pattern: string | null };

/** Skips what is subscribed already. Returns the number of new subscriptions. */
export async function insertSubscriptions(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  endpointId: string,
  rows: readonly NewRow[],
): Promise<number> {
  let created = 0;
  for (let from = 0; from < rows.length; from += PAGE) {
    const data = rows.slice(from, from + PAGE).map((row) => rowOf(ctx, endpointId, row));
    created += (await transaction.subscription.createMany({ data, skipDuplicates: true })).count;
  }
  return created;
}

function rowOf(ctx: WorkspaceContext, endpointId: string, { eventTypeId, filter, pattern }: NewRow) {
  return { id: newUuid(ctx.clock.now()), endpointId, eventTypeId, filter: toColumn(filter), pattern };
}

function toColumn(filter: FilterColumn | null) {
  return filter ?? Prisma.DbNull;
}
