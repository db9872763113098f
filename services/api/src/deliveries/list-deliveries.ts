import type {
  DeliveryStatus,
  listDeliveriesQuery,
  listEndpointDeliveriesQuery,
  searchDeliveriesBody,
} from '@posthorn/contract/deliveries';
import { uuidTime } from '@posthorn/contract/ids';
import { Prisma } from '@posthorn/db/generated/client';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { deliveryIdsOf } from '@posthorn/ledger/delivery-id';
import type { z } from 'zod';
import { requireEndpointKey } from '../endpoints/endpoints.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { environmentsAsked, requireEverApplication, requireEverEndpoint } from '../operation/history-filters.ts';
import { openPageCursor, sealPageCursor } from '../operation/page-cursor.ts';
import { hasTerms, readTerms, scanOfTerms, type Term } from '../search/search-terms.ts';
import { retentionMs } from '../workspaces/retention.ts';
import { DELIVERY_COLUMNS, type DeliveryRow, type EventPart, presentDeliveries } from './present-delivery.ts';

/** An endpoint's deliveries, newest first, only within the retention. */
export async function listEndpointDeliveries(
  ctx: WorkspaceContext,
  id: string,
  query: z.output<typeof listEndpointDeliveriesQuery>,
) {
  const endpointId = await requireEndpointKey(ctx, id);
  const filters = { endpointId, status: query.status };
  return pageOf(ctx, filters, { ...query, name: 'endpoint deliveries' });
}

/**
 * The workspace's deliveries, newest first, only within the retention. A filter may name a deleted resource: its
 * deliveries still exist.
 */
export async function listDeliveries(ctx: WorkspaceContext, query: z.output<typeof listDeliveriesQuery>) {
  const { endpoint_id, environment_id, application_id, event_type: eventType, status, from, to, search } = query;
  const endpointId =
    endpoint_id === undefined ? undefined : (await requireEverEndpoint(ctx, endpoint_id, environment_id)).id;
  const environmentIds = await environmentsAsked(ctx, environment_id);
  const applicationId = application_id === undefined ? undefined : await requireEverApplication(ctx, application_id);
  const filters = { endpointId, environmentIds, applicationId, eventType, status, search };
  return pageOf(ctx, filters, { ...query, name: 'deliveries' }, { from: instantOf(from), to: instantOf(to) });
}

/** Lists deliveries by the filters of a body. */
export function searchDeliveries(ctx: WorkspaceContext, body: z.output<typeof searchDeliveriesBody>) {
  const { endpointId, environmentId, applicationId, eventType, ...same } = body;
  return listDeliveries(ctx, {
    ...same,
    endpoint_id: endpointId,
    environment_id: environmentId,
    application_id: applicationId,
    event_type: eventType,
  });
}

type Filters = {
  endpointId?: string | undefined;
  /** Null or absent for all environments. */
  environmentIds?: readonly string[] | null;
  applicationId?: string | undefined;
  eventType?: string | undefined;
  status?: DeliveryStatus | undefined;
  /** The terms to search for, as the caller gave them. */
  search?: readonly string[] | undefined;
};

/** `name` is the list's name, to which its cursors are bound. */
type Page = { name: string; limit: number; cursor?: string | undefined };
type Span = { from?: Date | undefined; to?: Date | undefined };

async function pageOf(ctx: WorkspaceContext, filters: Filters, { name, limit, cursor }: Page, { from, to }: Span = {}) {
  const list = [
    name,
    ...[filters.endpointId, filters.environmentIds, filters.eventType, filters.status].map((value) => value ?? null),
    ...[from, to].map((instant) => instant?.getTime() ?? null),
    ...(filters.applicationId === undefined ? [] : [filters.applicationId]),
    ...(filters.search ?? []),
  ];
  const before = cursor === undefined ? undefined : openPageCursor(ctx, cursor, list);
  // Do this last of everything that may refuse the request, because it enters the search in the audit log.
  const terms = await readTerms(ctx, filters.search, filters.environmentIds ?? null);
  const oldest = new Date(ctx.clock.now().getTime() - retentionMs(ctx));
  // Keys begin with their time. Deliveries older than the retention are never queried, so no bound lies before 1970.
  const first = from !== undefined && from > oldest ? from : oldest;
  const end = to === undefined || to > first ? to : first;
  const conditions = [
    Prisma.sql`workspace_id = ${ctx.workspace.id}::uuid and id >= ${lowestKeyAt(first)}::uuid`,
    ...(end === undefined ? [] : [Prisma.sql`id < ${lowestKeyAt(end)}::uuid`]),
    ...(before === undefined ? [] : [Prisma.sql`id < ${before}::uuid`]),
    ...conditionsOf(filters),
  ];
  // One statement, where Prisma needs two. The limit is a parameter: then Postgres plans each list for its values. One plan
  // for all values reads every row of the workspace to find those of a rare event type.
  const read = (rows: Prisma.Sql) => ctx.listDb.$queryRaw<(DeliveryRow & EventPart)[]>`
    select ${DELIVERY_COLUMNS}, e.idempotency_key as "idempotencyKey", coalesce(e.payload_size, 0) as "payloadSize"
    from (${rows}) d
    left join lateral (select idempotency_key, payload_size from event where id = d.event_id offset 0) e on true
    order by d.id desc`;
  const wanted = { applicationId: filters.applicationId, first, limit: limit + 1 };
  const found =
    terms === undefined
      ? { rows: await read(pageOfRows(conditions, wanted)), end: null }
      : await readFound(ctx, terms, {
          read: (events, of) => read(deliveriesOfFound(events, [...conditions, ...ofApplication(wanted)], of)),
          first: lowestKeyAt(first),
          before: before ?? (end === undefined ? LAST_KEY : lowestKeyAt(end)),
          limit: limit + 1,
        });
  const page = found.rows.slice(0, limit);
  const isMore = found.rows.length > limit;
  return {
    deliveries: await presentDeliveries(ctx.listDb, page, (row) => row),
    nextCursor: isMore ? sealPageCursor(ctx, page.at(-1)?.id, list) : sealPageCursor(ctx, found.end ?? undefined, list),
  };
}

const LAST_KEY = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * The newest deliveries of these events with keys from `from` on. It reads at most `limit` deliveries of each event.
 */
function deliveriesOfFound(
  eventIds: readonly string[],
  conditions: readonly Prisma.Sql[],
  { from, limit }: { from: string; limit: number },
): Prisma.Sql {
  const ranges = eventIds.map(deliveryIdsOf);
  return Prisma.sql`
    select d.* from unnest(${[...eventIds]}::uuid[], ${ranges.map(({ lowest }) => lowest)}::uuid[],
      ${ranges.map(({ highest }) => highest)}::uuid[]) as f(event_id, lowest, highest)
    cross join lateral (
      select * from delivery where id between f.lowest and f.highest and delivery.event_id = f.event_id
        and id >= ${from}::uuid and ${Prisma.join([...conditions], ' and ')} order by id desc limit ${limit}::int) d
    order by d.id desc limit ${limit}::int`;
}

function ofApplication({ applicationId }: Rows): Prisma.Sql[] {
  if (applicationId === undefined) return [];
  return [Prisma.sql`endpoint_id in (select p.id from endpoint p where p.application_id = ${applicationId}::uuid)`];
}

type ReadFound = {
  read: (eventIds: readonly string[], of: { from: string; limit: number }) => Promise<(DeliveryRow & EventPart)[]>;
  first: string;
  before: string;
  limit: number;
};

/** The most events that one request reads for a search, and how many it reads at once. */
const MOST_EVENTS = 10_000;
const EVENTS_AT_ONCE = 1_000;

/**
 * Reads the newest deliveries of the events that a search finds. The key of a delivery begins with the millisecond of
 * its event. So events are read newest first, and the deliveries of a millisecond once all its events are known. `end`
 * is the key down to which everything was read; null for the whole range.
 */
async function readFound(ctx: WorkspaceContext, terms: readonly Term[], { read, first, before, limit }: ReadFound) {
  const rows: (DeliveryRow & EventPart)[] = [];
  let upTo = afterMillisecond(before);
  let most = EVENTS_AT_ONCE;
  for (let events = 0; events < MOST_EVENTS && rows.length < limit; ) {
    const { scan, rest } = await scanOfTerms(ctx, terms, { first, before: upTo, most });
    const found = await ctx.listDb.$queryRaw<{ id: string; isFound: boolean }[]>`
      select s.event_id as id, ${hasTerms(rest, Prisma.sql`s.event_id`)} as "isFound" from (${scan}) s order by s.event_id desc`;
    const isLast = found.length < most;
    const from = isLast ? first : afterMillisecond(found.at(-1)?.id ?? first);
    events += found.length;
    if (!isLast && from >= upTo) {
      // One millisecond has more matching events than are read at once.
      most = MOST_EVENTS;
      continue;
    }
    const ids = found.flatMap(({ id, isFound }) => (isFound ? [id] : []));
    rows.push(...(await read(ids, { from, limit: limit - rows.length })));
    if (isLast) return { rows, end: null };
    upTo = from;
  }
  return { rows, end: upTo };
}

/** The lowest key of the next millisecond. */
function afterMillisecond(key: string): string {
  return key === LAST_KEY ? key : lowestKeyAt(new Date(uuidTime(key).getTime() + 1));
}

type Rows = { applicationId: string | undefined; first: Date; limit: number };

/**
 * The newest deliveries. The deliveries of an application are read endpoint by endpoint, by index: the deliveries of
 * a small customer may lie far apart among all deliveries of the workspace. An endpoint deleted before `first` has none.
 */
function pageOfRows(conditions: readonly Prisma.Sql[], { applicationId, first, limit }: Rows): Prisma.Sql {
  const all = Prisma.join(conditions, ' and ');
  if (applicationId === undefined)
    return Prisma.sql`select * from delivery where ${all} order by id desc limit ${limit}::int`;
  return Prisma.sql`
    select d.* from endpoint p cross join lateral (
      select * from delivery where endpoint_id = p.id and ${all} order by id desc limit ${limit}::int) d
    where p.application_id = ${applicationId}::uuid and (p.deleted_at is null or p.deleted_at > ${first}::timestamptz)
    order by d.id desc limit ${limit}::int`;
}

function conditionsOf({ endpointId, environmentIds = null, eventType, status }: Filters): Prisma.Sql[] {
  return [
    ...(endpointId === undefined ? [] : [Prisma.sql`endpoint_id = ${endpointId}::uuid`]),
    ...(environmentIds === null ? [] : [Prisma.sql`environment_id = any(${environmentIds}::uuid[])`]),
    ...(eventType === undefined ? [] : [Prisma.sql`event_type = ${eventType}`]),
    ...(status === undefined ? [] : [Prisma.sql`status = ${status}::delivery_status`, indexHint(status)]),
  ];
}

/**
 * The condition that a status implies, in the words of the partial indexes. Without it a page of a rare status reads
 * every row of a healthy endpoint (360 ms with 100,000 rows).
 */
function indexHint(status: DeliveryStatus): Prisma.Sql {
  switch (status) {
    case 'failed':
    case 'dead_letter':
      return Prisma.sql`failure_reason is not null`;
    case 'pending':
    case 'scheduled_retry':
    case 'delivering':
      return Prisma.sql`due_at is not null`;
    case 'delivered':
      return Prisma.sql`true`;
  }
}

function instantOf(given: string | undefined): Date | undefined {
  return given === undefined ? undefined : new Date(given);
}
