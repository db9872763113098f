import type { DeliveryStatus } from '@posthorn/contract/deliveries';
import { namedEventType } from '@posthorn/contract/event-types';
import type { eventTraceQuery, SkipReason } from '@posthorn/contract/events';
import { toId, uuidTime } from '@posthorn/contract/ids';
import { openPayload } from '@posthorn/crypto/open-payload';
import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { lowestKeyAt, NIL_UUID } from '@posthorn/db/uuid-range';
import { type ClauseResult, firstObstacle, passes } from '@posthorn/filter/match-filter';
import type { Filter } from '@posthorn/filter/parse-filter';
import { type Payload, payloadOf } from '@posthorn/filter/payload';
import { deliveryIdsOf } from '@posthorn/ledger/delivery-id';
import { createWaitingFor } from '@posthorn/ledger/ordering';
import { createGiveWay } from '@posthorn/runtime/give-way';
import type { z } from 'zod';
import { enterView } from '../deliveries/enter-view.ts';
import { isExpired } from '../deliveries/payload.ts';
import { createNextRetryAt, failureReason } from '../deliveries/present-delivery.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { requireEverEndpoint } from '../operation/history-filters.ts';
import { openPosition, sealPageCursor } from '../operation/page-cursor.ts';
import { explain, explainFilter, skipReason } from './explain.ts';
import { requireEvent } from './get-event.ts';
import type { EventRow } from './present-accepted.ts';
import { circumstancesAt, type EndpointThen, readSetUp, type SetUp, timesAround } from './set-up-then.ts';

type Query = z.output<typeof eventTraceQuery>;

/**
 * For each endpoint that existed in the event's environment at its fan-out, whether it got the event and why not.
 * Endpoints with a delivery of the event come first, then the others by their id. It reports what held then, whatever
 * has changed since. A portal sees only the endpoints of its application.
 */
export async function traceEvent(ctx: WorkspaceContext, id: string, query: Query) {
  const event = await requireEvent(ctx, id);
  const reach = await reachOf(ctx, event, query);
  const fanOut = await readFanOut(ctx.listDb, event, reach);
  const list = [
    'trace',
    event.id,
    query.decision ?? null,
    ...(query.endpoint_id === undefined ? [] : [query.endpoint_id]),
  ];
  const position = query.cursor === undefined ? undefined : openPosition(ctx, query.cursor, list);
  const rest = { wanted: isRestWanted(fanOut, query), from: position?.part === REST ? position.before : NIL_UUID };
  const inMatched = position?.part !== REST && isWanted(query, 'matched');
  const matched = inMatched
    ? await readMatched(ctx.listDb, event, { reach, after: position?.before ?? NIL_UUID, take: query.limit + 1 })
    : [];
  const waitingFor = await createWaitingFor(ctx.listDb, matched);
  const nextRetryAt = await createNextRetryAt(ctx.listDb, matched);
  const first = matched.slice(0, query.limit).map((row) => {
    const cancelReason = ctx.sees.payloads ? row.cancelReason : null;
    return presentMatched(row, { event, waitingFor: waitingFor(row), nextRetryAt: nextRetryAt(row), cancelReason });
  });
  if (first.some(({ delivery }) => delivery.cancelReason !== null)) await enterView(ctx, toId('msg', event.id));
  const take = matched.length > query.limit ? 0 : query.limit - first.length;
  const others = await readOthers(ctx.listDb, event, {
    reach,
    fanOut,
    after: rest.from,
    take: rest.wanted ? take + 1 : 0,
  });
  const shown = others.ids.slice(0, take);
  const next = matched.length > query.limit ? matched.at(query.limit - 1)?.id : undefined;
  const isMore = rest.wanted && next === undefined && others.ids.length > take;
  return {
    eventId: toId('msg', event.id),
    ...namedEventType(event.eventType),
    environmentId: toId('env', event.environmentId),
    published: event.published,
    fannedOutAt: fanOut.at?.toISOString() ?? null,
    matched: fanOut.deliveries,
    skipped: fanOut.at === null ? 0 : others.count,
    reachedApplications: fanOut.reachedApplications,
    searchKeys: await countValues(ctx, event),
    endpoints: [...first, ...(await presentOthers(ctx, event, fanOut, shown))],
    nextCursor: isMore ? sealPageCursor(ctx, shown.at(-1) ?? rest.from, list, REST) : sealPageCursor(ctx, next, list),
  };
}

/** How many search values of the event were stored and left out; null if it has none. */
async function countValues({ listDb }: WorkspaceContext, { id, searchLeftOut }: EventRow) {
  const stored = await listDb.eventToken.count({ where: { eventId: id } });
  const leftOut = Math.max(0, searchLeftOut ?? 0);
  return stored === 0 && leftOut === 0 ? null : { stored, leftOut };
}

/** A condition on the rows `p` of endpoints: those that the caller reaches, and the one that the query names. */
async function reachOf(ctx: WorkspaceContext, event: EventRow, { endpoint_id: id }: Query): Promise<Prisma.Sql> {
  const { applicationId } = ctx.bounds;
  const environmentId = toId('env', event.environmentId);
  const endpointId = id === undefined ? undefined : (await requireEverEndpoint(ctx, id, environmentId)).id;
  return Prisma.sql`true ${applicationId === undefined ? Prisma.empty : Prisma.sql`and p.application_id = ${applicationId}::uuid`}
    ${endpointId === undefined ? Prisma.empty : Prisma.sql`and p.id = ${endpointId}::uuid`}`;
}

/** Marks cursors for the part of the list after the matched endpoints. */
const REST = 'rest';
/** `at` is null before the fan-out, and for an event that was cancelled before it. */
type FanOut = { at: Date | null; waits: boolean; deliveries: number; reachedApplications: number };

async function readFanOut(db: Db, event: EventRow, reach: Prisma.Sql): Promise<FanOut> {
  const { lowest, highest } = deliveryIdsOf(event.id);
  const acceptedAt = uuidTime(event.id);
  const [row] = await db.$queryRaw<
    (Omit<FanOut, 'at'> & { cancelled: boolean; unmatchedAt: Date | null; matchedAt: Date | null })[]
  >`
    select (exists (select from pending_fan_out where event_id = ${event.id}::uuid)
        or exists (select from scheduled_event where event_id = ${event.id}::uuid)) as waits,
      exists (select from cancelled_event where event_id = ${event.id}::uuid) as cancelled,
      (select fanned_out_at from unmatched_event where event_id = ${event.id}::uuid) as "unmatchedAt",
      count(*) filter (where ${reach})::int as deliveries,
      (count(distinct p.application_id) filter (where ${reach}))::int as "reachedApplications",
      min(coalesce(d.matched_at, ${acceptedAt}::timestamptz)) as "matchedAt"
    from delivery d join endpoint p on p.id = d.endpoint_id
    where d.id between ${lowest}::uuid and ${highest}::uuid and d.event_id = ${event.id}::uuid`;
  if (row === undefined) throw new Error('an aggregate without a row');
  const { waits, cancelled, deliveries, reachedApplications } = row;
  const at = row.unmatchedAt ?? row.matchedAt ?? (cancelled ? null : acceptedAt);
  return { at: waits ? null : at, waits, deliveries, reachedApplications };
}

function isWanted({ decision }: Query, one: Query['decision']): boolean {
  return decision === undefined || decision === one;
}

function isRestWanted({ at, waits }: FanOut, query: Query): boolean {
  return at === null ? waits && isWanted(query, 'waiting') : isWanted(query, 'skipped');
}

type MatchedRow = {
  id: string;
  endpointId: string;
  url: string;
  description: string;
  applicationId: string | null;
  status: DeliveryStatus;
  dueAt: Date | null;
  orderingKey: string | null;
  generation: number;
  totalAttempts: number;
  lastResponseStatus: number | null;
  failureReason: string | null;
  cancelReason: string | null;
};

type MatchedPage = { reach: Prisma.Sql; after: string; take: number };

function readMatched(db: Db, event: EventRow, page: MatchedPage): Promise<MatchedRow[]> {
  const { lowest, highest } = deliveryIdsOf(event.id);
  return db.$queryRaw<MatchedRow[]>`
    select d.id, d.endpoint_id as "endpointId", p.url, p.description, p.application_id as "applicationId", d.status,
      d.due_at as "dueAt", d.ordering_key as "orderingKey", d.generation, d.total_attempts as "totalAttempts",
      d.last_response_status as "lastResponseStatus", d.failure_reason as "failureReason",
      d.cancel_reason as "cancelReason"
    from delivery d join endpoint p on p.id = d.endpoint_id
    where d.id between ${lowest}::uuid and ${highest}::uuid and d.id > ${page.after}::uuid
      and d.event_id = ${event.id}::uuid and ${page.reach}
    order by d.id limit ${page.take}::int`;
}

type Shown = { event: EventRow; waitingFor: string | null; nextRetryAt: string | null; cancelReason: string | null };

function presentMatched(row: MatchedRow, { event, waitingFor, nextRetryAt, cancelReason }: Shown) {
  return {
    endpointId: toId('ep', row.endpointId),
    url: row.url,
    description: row.description,
    applicationId: row.applicationId === null ? null : toId('app', row.applicationId),
    decision: 'matched' as const,
    reason: null,
    detail: explain(null, event.endpointId === null ? event.eventType : null),
    delivery: {
      id: toId('dlv', row.id),
      status: row.status,
      totalAttempts: row.totalAttempts,
      nextRetryAt,
      lastResponseStatus: row.lastResponseStatus,
      failureReason: failureReason.parse(row.failureReason),
      cancelReason,
      waitingFor: waitingFor === null ? null : toId('dlv', waitingFor),
    },
  };
}

type OthersPage = { reach: Prisma.Sql; fanOut: FanOut; after: string; take: number };

/**
 * The endpoints without a delivery of the event that existed at its fan-out (or now, while it waits): their number, and
 * a page of their ids. An endpoint's id has the time of its creation. An event to one endpoint has no others.
 */
async function readOthers(db: Db, event: EventRow, { reach, fanOut, after, take }: OthersPage) {
  if (event.endpointId !== null || (fanOut.at === null && !fanOut.waits)) return { ids: [], count: 0 };
  const { lowest, highest } = deliveryIdsOf(event.id);
  const bornBefore = fanOut.at === null ? LAST_KEY : lowestKeyAt(new Date(fanOut.at.getTime() + 1));
  const [row] = await db.$queryRaw<{ ids: string[]; count: number }[]>`
    with others as materialized (
      select p.id from (
        select id, application_id from endpoint where environment_id = ${event.environmentId}::uuid
          and deleted_at is null and id < ${bornBefore}::uuid
        union all
        select id, application_id from endpoint where environment_id = ${event.environmentId}::uuid
          and deleted_at > ${fanOut.at === null ? NEVER : uuidTime(event.id)}::timestamptz and id < ${bornBefore}::uuid) p
      where ${reach} and not exists (select from delivery d where d.endpoint_id = p.id and d.event_id = ${event.id}::uuid
        and d.id between ${lowest}::uuid and ${highest}::uuid))
    select (select count(*)::int from others) as count,
      array(select id from others where id > ${after}::uuid order by id limit ${take}::int) as ids`;
  return row ?? { ids: [], count: 0 };
}

const LAST_KEY = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const NEVER = new Date('9999-12-31T00:00:00Z');

const UNREAD: Payload = { kind: 'unreadable' };

/** `payload` is undefined when it is gone. */
type Then = { event: EventRow; setUp: SetUp; at: Date | null; payload: Payload | undefined; seesPayload: boolean };

async function presentOthers(ctx: WorkspaceContext, event: EventRow, { at }: FanOut, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const facts = { workspaceId: ctx.workspace.id, environmentId: event.environmentId, eventType: event.eventType ?? '' };
  const setUp = await readSetUp(ctx.listDb, facts, ids, at ?? ctx.clock.now());
  const isFiltered = [...setUp.endpoints.values()].some(({ subscribed }) => subscribed.some(({ filter }) => filter));
  const payload = isFiltered && at !== null ? await readFilterPayload(ctx, event.id) : UNREAD;
  const then = { event, setUp, at, payload, seesPayload: ctx.sees.payloads && ctx.workspace.plan !== 'free' };
  const presented = [];
  let showsPayload = false;
  const giveWay = createGiveWay();
  for (const id of ids) {
    const endpoint = setUp.endpoints.get(id);
    if (endpoint === undefined) continue;
    const verdict = verdictOn(endpoint, then);
    showsPayload ||= verdict.showsPayload === true;
    presented.push({ ...presentEndpoint(id, endpoint), ...verdict });
    await giveWay();
  }
  if (showsPayload) await enterView(ctx, toId('msg', event.id));
  return presented;
}

function presentEndpoint(id: string, endpoint: EndpointThen) {
  return {
    endpointId: toId('ep', id),
    url: endpoint.url,
    description: endpoint.description,
    applicationId: endpoint.applicationId === null ? null : toId('app', endpoint.applicationId),
    delivery: null,
  };
}

type Verdict = { decision: 'skipped' | 'waiting'; reason: SkipReason | null; detail: string; showsPayload?: boolean };

function verdictOn(endpoint: EndpointThen, { event, setUp, at, payload, seesPayload }: Then): Verdict {
  if (at === null) return { decision: 'waiting', reason: null, detail: 'The event has not been matched yet.' };
  const { eventType } = event;
  const skipped = (reason: SkipReason, detail = explain(reason, eventType)) =>
    ({ decision: 'skipped', reason, detail }) as const;
  if (!event.published) return skipped('event_type_not_published');
  for (const time of timesAround(at)) {
    const { circumstances, filter } = circumstancesAt(setUp, endpoint, {
      sentTo: event.applicationId,
      at: time,
      // Without the payload, the filter cannot have matched: the endpoint would have a delivery.
      fits: (one) => payload !== undefined && passes(one, payload),
    });
    const reason = skipReason(circumstances);
    if (reason === 'filtered' && payload !== undefined) {
      const obstacle = obstacleOf(filter, payload);
      const showsPayload = seesPayload && obstacle !== undefined;
      return { ...skipped(reason, explainFilter(obstacle, seesPayload)), showsPayload };
    }
    if (reason !== null) return skipped(reason);
  }
  return skipped('not_subscribed');
}

/** The payload of an event as fan-out gives it to filters; undefined when it is gone, was erased, or the retention has ended. */
async function readFilterPayload(ctx: WorkspaceContext, eventId: string): Promise<Payload | undefined> {
  if (isExpired(ctx, eventId)) return undefined;
  const event = await ctx.listDb.event.findUnique({
    where: { id: eventId },
    select: { payload: true, payloadSize: true, contentType: true },
  });
  if (event === null || (event.payload === null && event.payloadSize > 0)) return undefined;
  return payloadOf(event.contentType, openPayload(ctx.sealingKeys, eventId, event.payload));
}

/** The clause at which a payload failed; undefined when it is not JSON. */
function obstacleOf(filter: Filter | null, payload: Payload): ClauseResult | undefined {
  return filter !== null && payload.kind === 'json' ? firstObstacle(filter, payload.value) : undefined;
}
