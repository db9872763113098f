import type { listEventsQuery, searchEventsBody } from '@posthorn/contract/events';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import type { z } from 'zod';
import { portalOf } from '../auth/bounds.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { environmentsAsked, requireEverApplication } from '../operation/history-filters.ts';
import { openPageCursor, sealPageCursor } from '../operation/page-cursor.ts';
import { namesFound, readTerms } from '../search/search-terms.ts';
import { retentionMs } from '../workspaces/retention.ts';
import { type EventFilters, readPage } from './event-pages.ts';
import { readPortalPage } from './portal-events.ts';
import { presentEvents } from './present-event.ts';

type Query = z.output<typeof listEventsQuery>;

/**
 * The workspace's events, newest first, only within the retention. One request reads a bounded number of events: a page
 * of a rare filter may be short, or empty, and still have a next one. A portal sees the events that were sent to its
 * application, or that one of its endpoints has a delivery of.
 */
export async function listEvents(ctx: WorkspaceContext, query: Query) {
  const { rows, nextCursor } = await pageOf(ctx, query);
  return { events: await presentEvents(ctx, ctx.listDb, rows), nextCursor };
}

/** Searches the same events. Each has the names of the search keys that found it. */
export async function searchEvents(ctx: WorkspaceContext, body: z.output<typeof searchEventsBody>) {
  const { environmentId, applicationId, eventType, idempotencyKey, ...same } = body;
  const { rows, terms, nextCursor } = await pageOf(ctx, {
    ...same,
    environment_id: environmentId,
    application_id: applicationId,
    event_type: eventType,
    idempotency_key: idempotencyKey,
  });
  const names = await namesFound(
    ctx,
    terms,
    rows.map(({ id }) => id),
  );
  const events = await presentEvents(ctx, ctx.listDb, rows);
  return {
    events: events.map((event, index) => ({ ...event, foundBy: names.get(rows[index]?.id ?? '') ?? [] })),
    nextCursor,
  };
}

async function pageOf(ctx: WorkspaceContext, query: Query) {
  const filters = await readFilters(ctx, query);
  const list = ['events', ...Object.values(filters), query.from ?? null, query.to ?? null, ...(query.search ?? [])];
  const range = rangeOf(ctx, query, query.cursor === undefined ? undefined : openPageCursor(ctx, query.cursor, list));
  const terms = (await readTerms(ctx, query.search, filters.environmentIds)) ?? [];
  const isEmpty = range.before <= range.first;
  const portal = portalOf(ctx.bounds);
  const page = { ...range, limit: query.limit };
  const read = () =>
    portal === undefined
      ? readPage(ctx, { ...filters, terms }, page)
      : readPortalPage(ctx, portal, { ...filters, terms }, page);
  const { rows, next } = isEmpty ? NOTHING : await read();
  return { rows, terms, nextCursor: next === null ? null : sealPageCursor(ctx, next, list) };
}

const NOTHING = { rows: [], next: null };
const LAST_KEY = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

async function readFilters(ctx: WorkspaceContext, query: Query): Promise<Omit<EventFilters, 'terms'>> {
  const { environment_id, application_id, event_type, idempotency_key, status } = query;
  return {
    environmentIds: await environmentsAsked(ctx, environment_id),
    applicationId: application_id === undefined ? null : await requireEverApplication(ctx, application_id),
    eventType: event_type ?? null,
    idempotencyKey: idempotency_key ?? null,
    status: status ?? null,
  };
}

/** The keys of a page: from `first` on, and before `before`. Keys begin with their time. */
function rangeOf(ctx: WorkspaceContext, { from, to }: Query, cursor: string | undefined) {
  const oldest = ctx.clock.now().getTime() - retentionMs(ctx);
  const firstMs = from === undefined ? oldest : Math.max(oldest, new Date(from).getTime());
  const toMs = to === undefined ? undefined : Math.max(new Date(to).getTime(), firstMs);
  const end = toMs === undefined || toMs > MAX_MS ? LAST_KEY : lowestKeyAt(new Date(toMs));
  return { first: lowestKeyAt(new Date(firstMs)), before: cursor !== undefined && cursor < end ? cursor : end };
}

/** The last instant of a key: 48 bits of milliseconds. */
const MAX_MS = 2 ** 48 - 1;
