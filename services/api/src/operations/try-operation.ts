import { uuidTime } from '@posthorn/contract/ids';
import { openPayload } from '@posthorn/crypto/open-payload';
import { passes } from '@posthorn/filter/match-filter';
import { type Filter, parseFilter } from '@posthorn/filter/parse-filter';
import { payloadOf } from '@posthorn/filter/payload';
import {
  type CountRow,
  countMissed,
  countSelected,
  type MissedEvent,
  missedEvents,
  summaryOf,
} from '@posthorn/ledger/operation-scope';
import { createGiveWay } from '@posthorn/runtime/give-way';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError } from '../transport/error.ts';
import type { StartOperation } from './start-operation.ts';

/** The time for evaluating filters on payloads. It decides how many payloads are read. */
const FILTERING_MS = 4_000;
const EVENTS_AT_ONCE = 500;
const PAYLOADS_AT_ONCE = 16;

/** Counts what the operation would select now. Nothing changes. `unavailable` when it cannot be counted in time. */
export async function tryOperation(ctx: WorkspaceContext, operation: StartOperation) {
  const { scope, endpointId } = operation;
  const deliveries = await countSelected(ctx.listDb, scope, endpointId);
  const events = endpointId === undefined ? [] : await countMissedBy(ctx, operation, endpointId);
  return presentSummary([...deliveries, ...events]);
}

export function presentSummary(counts: readonly CountRow[]) {
  const { matched, oldest, newest, eventTypes } = summaryOf(counts);
  const timeOf = (key: string | null) => (key === null ? null : uuidTime(key).toISOString());
  return { id: null, matched, oldest: timeOf(oldest), newest: timeOf(newest), eventTypes };
}

async function countMissedBy(ctx: WorkspaceContext, operation: StartOperation, endpointId: string) {
  if (!operation.scope.missed) return [];
  const filters = await filtersOf(ctx, endpointId);
  if (filters.size === 0) return countMissed(ctx.listDb, operation.scope, endpointId);
  return countFiltered(ctx, operation, { endpointId, filters });
}

type Filtered = { endpointId: string; filters: ReadonlyMap<string, Filter> };

async function countFiltered(ctx: WorkspaceContext, { scope }: StartOperation, { endpointId, filters }: Filtered) {
  const untilMs = ctx.clock.monotonicMs() + FILTERING_MS;
  const refuseLate = () => {
    if (ctx.clock.monotonicMs() <= untilMs) return;
    throw new ApiError('unavailable', 'This takes too long to count with filters: choose a shorter time range', {
      'Retry-After': '1',
    });
  };
  const counts: CountRow[] = [];
  for (let after: string | undefined = scope.after; after !== undefined; ) {
    const page = await missedEvents(ctx.listDb, scope, { endpointId, after, read: EVENTS_AT_ONCE });
    for (const { eventId, eventType } of await matching(ctx, page.rows, { filters, refuseLate })) {
      counts.push({ eventType, count: 1, oldest: eventId, newest: eventId });
    }
    after = page.next;
    if (after !== undefined) refuseLate();
  }
  return counts;
}

type Matching = Pick<Filtered, 'filters'> & { refuseLate: () => void };

async function matching(ctx: WorkspaceContext, events: readonly MissedEvent[], { filters, refuseLate }: Matching) {
  const kept: MissedEvent[] = [];
  const giveWay = createGiveWay();
  for (let start = 0; start < events.length; start += PAYLOADS_AT_ONCE) {
    const some = events.slice(start, start + PAYLOADS_AT_ONCE);
    const rows = await ctx.listDb.event.findMany({
      where: { id: { in: some.map((event) => event.eventId) } },
      select: { id: true, contentType: true, payload: true },
    });
    const payloads = new Map(
      rows.map((row) => [row.id, payloadOf(row.contentType, openPayload(ctx.sealingKeys, row.id, row.payload))]),
    );
    for (const event of some) {
      const payload = payloads.get(event.eventId) ?? { kind: 'unreadable' };
      if (passes(filters.get(event.eventType), payload)) kept.push(event);
      await giveWay();
      refuseLate();
    }
  }
  return kept;
}

async function filtersOf(ctx: WorkspaceContext, endpointId: string): Promise<Map<string, Filter>> {
  const subscriptions = await ctx.db.subscription.findMany({
    where: { endpointId },
    select: { filter: true, eventType: { select: { name: true } } },
  });
  const filters = new Map<string, Filter>();
  for (const { filter, eventType } of subscriptions) {
    const parsed = filter === null ? undefined : parseFilter(filter);
    if (parsed?.kind === 'filter') filters.set(eventType.name, parsed.filter);
  }
  return filters;
}
