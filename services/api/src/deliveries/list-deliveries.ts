import type { DeliveryStatus, listDeliveriesQuery, listEndpointDeliveriesQuery } from '@posthorn/contract/deliveries';
import { Prisma } from '@posthorn/db/generated/client';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import type { z } from 'zod';
import { requireEndpointKey } from '../endpoints/endpoints.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { environmentsAsked, requireEverApplication, requireEverEndpoint } from '../operation/history-filters.ts';
import { openPageCursor, sealPageCursor } from '../operation/page-cursor.ts';
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
  const { endpoint_id, environment_id, application_id, event_type: eventType, status, from, to } = query;
  const endpointId =
    endpoint_id === undefined ? undefined : (await requireEverEndpoint(ctx, endpoint_id, environment_id)).id;
  const environmentIds = await environmentsAsked(ctx, environment_id);
  const applicationId = application_id === undefined ? undefined : await requireEverApplication(ctx, application_id);
  const filters = { endpointId, environmentIds, applicationId, eventType, status };
  return pageOf(ctx, filters, { ...query, name: 'deliveries' }, { from: instantOf(from), to: instantOf(to) });
}

type Filters = {
  endpointId?: string | undefined;
  /** Null or absent for all. */
  environmentIds?: readonly string[] | null;
  applicationId?: string | undefined;
  eventType?: string | undefined;
  status?: DeliveryStatus | undefined;
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
  ];
  const before = cursor === undefined ? undefined : openPageCursor(ctx, cursor, list);
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
  const rows = await ctx.listDb.$queryRaw<(DeliveryRow & EventPart)[]>`
    select ${DELIVERY_COLUMNS}, e.idempotency_key as "idempotencyKey", coalesce(e.payload_size, 0) as "payloadSize"
    from (${pageOfRows(conditions, { applicationId: filters.applicationId, first, limit: limit + 1 })}) d
    left join lateral (select idempotency_key, payload_size from event where id = d.event_id offset 0) e on true
    order by d.id desc`;
  const page = rows.slice(0, limit);
  return {
    deliveries: await presentDeliveries(ctx.listDb, page, (row) => row),
    nextCursor: rows.length > limit ? sealPageCursor(ctx, page.at(-1)?.id, list) : null,
  };
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
