import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { among } from '@posthorn/db/uuid-range';
import { deliveryIdFor } from './delivery-id.ts';
import { STATUS_NOW } from './lease.ts';

/** The selection of an operation: deliveries, and events without a delivery to an endpoint that should have one. */
export type OperationScope = {
  workspaceId: string;
  environmentId?: string | undefined;
  applicationId?: string | undefined;
  /** Names of event types. Undefined selects every type, and events without a type. */
  eventTypes?: readonly string[] | undefined;
  /** Deliveries in these statuses. */
  statuses: readonly DeliveryStatus[];
  /** Classes of the last response. A delivery or an event without a response has the class `none`. */
  responseClasses?: readonly string[] | undefined;
  /** Also selects events that the endpoint would get now but has no delivery of. */
  missed: boolean;
  /** The time range as keys: after `after`, and below `end`. */
  after: string;
  end: string;
  /** Set if an erasure erases the customer itself. */
  isWhole?: boolean | undefined;
};

type DeliveryStatus = 'pending' | 'delivering' | 'delivered' | 'scheduled_retry' | 'failed' | 'dead_letter';

export type SelectedDelivery = {
  deliveryId: string;
  eventId: string;
  manualRetries: number;
};

export type MissedEvent = { eventId: string; environmentId: string; eventType: string; payloadSize: number };

/** A page of a walk in key order: the matching rows, and the key after which the walk continues, if it does. */
export type Page<Row> = { rows: Row[]; next: string | undefined };

export type Walk = {
  endpointId: string;
  after: string;
  /** The most rows to read. */
  read: number;
  /** The most rows to return. If more match, the walk continues after the last returned row. */
  most?: number;
};

/**
 * The next selected deliveries of an endpoint, in key order. Rows are read by the index on endpoint and key, and then
 * filtered, so that a page reads a limited number of rows even if none matches.
 */
export async function selectedDeliveries(
  db: Db | DbTransaction,
  scope: OperationScope,
  { endpointId, after, read, most = read }: Walk,
): Promise<Page<SelectedDelivery>> {
  const found = await db.$queryRaw<FoundRow[]>`
    with page as materialized (
      select d.id, d.event_id, d.manual_retries, ${isSelected(scope)} as is_selected from delivery d
      where d.endpoint_id = ${endpointId}::uuid and ${pageHint(scope.statuses)}
        and d.id > ${after}::uuid and d.id < ${scope.end}::uuid
      order by d.id limit ${read}::int
    )
    select (select count(*)::int from page) as read, (select id from page order by id desc limit 1) as last,
      m.id as "deliveryId", m.event_id as "eventId", m.manual_retries as "manualRetries"
    from (select 1) one left join lateral (
      select * from page where is_selected order by id limit ${most}::int) m on true
    order by m.id`;
  const rows = found.flatMap(({ deliveryId, eventId, manualRetries }) =>
    deliveryId === null ? [] : [{ deliveryId, eventId, manualRetries }],
  );
  if (rows.length === most && most < read) return { rows, next: rows.at(-1)?.deliveryId };
  const [first] = found;
  return { rows, next: first?.read === read ? (first.last ?? undefined) : undefined };
}

/** The given deliveries that the scope selects, in its time range. */
export async function selectedAmong(
  db: Db | DbTransaction,
  scope: OperationScope,
  deliveryIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (deliveryIds.length === 0) return new Set();
  const rows = await db.$queryRaw<{ id: string }[]>`
    select d.id from delivery d
    where ${among('d.id', deliveryIds)} and d.id > ${scope.after}::uuid and d.id < ${scope.end}::uuid
      and ${isSelected(scope)}`;
  return new Set(rows.map((row) => row.id));
}

type FoundRow = { read: number; last: string | null } & (SelectedDelivery | ({ deliveryId: null } & SelectedDelivery));

/** The next events, in key order, that the endpoint would get now but has no delivery of. */
export async function missedEvents(
  db: Db | DbTransaction,
  scope: OperationScope,
  { endpointId, after, read, most = read }: Walk,
): Promise<Page<MissedEvent>> {
  if (!includesNone(scope)) return { rows: [], next: undefined };
  const found = await db.$queryRaw<({ read: number; last: string | null } & (MissedEvent | { eventId: null }))[]>`
    with page as materialized (
      select e.id, e.environment_id, e.event_type, e.payload_size, ${wouldReceive(scope, endpointId)} as would_receive
      from event e
      where e.workspace_id = ${scope.workspaceId}::uuid and e.id > ${after}::uuid and e.id < ${scope.end}::uuid
      order by e.id limit ${read}::int
    )
    select (select count(*)::int from page) as read, (select id from page order by id desc limit 1) as last,
      m.id as "eventId", m.environment_id as "environmentId", m.event_type as "eventType",
      m.payload_size as "payloadSize"
    from (select 1) one left join lateral (
      select * from page where would_receive) m on true
    order by m.id`;
  const matching = found.flatMap(({ read: _read, last: _last, ...event }) => (event.eventId === null ? [] : [event]));
  const missed = await withoutDelivery(db, matching, endpointId);
  const rows = missed.slice(0, most);
  if (missed.length > most) return { rows, next: rows.at(-1)?.eventId };
  const [first] = found;
  return { rows, next: first?.read === read ? (first.last ?? undefined) : undefined };
}

async function withoutDelivery(
  db: Db | DbTransaction,
  events: readonly MissedEvent[],
  endpointId: string,
): Promise<MissedEvent[]> {
  if (events.length === 0) return [];
  const ids = new Map(events.map((event) => [deliveryIdFor(event.eventId, endpointId), event]));
  const existing = await db.$queryRaw<{ id: string }[]>`select id from delivery where ${among('id', [...ids.keys()])}`;
  for (const { id } of existing) ids.delete(id);
  return [...ids.values()];
}

/** What a scope selects now. Times are those of the oldest and the newest event. */
export type Summary = {
  matched: number;
  oldest: string | null;
  newest: string | null;
  eventTypes: Record<string, number>;
};

/** The number of selected deliveries for each event type, at all endpoints or the given one. */
export async function countSelected(db: Db, scope: OperationScope, endpointId?: string): Promise<CountRow[]> {
  return scope.statuses.length === 0 ? [] : countDeliveries(db, scope, endpointId);
}

/**
 * The number of events that an erasure selects, for each event type: events of the customer, and events sent only to
 * one of its endpoints.
 */
export async function countErasable(db: Db, scope: OperationScope): Promise<CountRow[]> {
  return [...(await countOfApplication(db, scope)), ...(await countDirect(db, scope))];
}

/**
 * Counts events that were sent directly to an endpoint of the customer: those with a delivery, and those with an
 * ordering key, which have no delivery before their time. The latter have no type. (The dispatcher's `erase` finds the
 * same events.)
 */
function countDirect(db: Db, scope: OperationScope): Promise<CountRow[]> {
  const { workspaceId, applicationId, eventTypes, after, end, isWhole = false } = scope;
  const ofType =
    eventTypes === undefined ? Prisma.sql`true` : Prisma.sql`d.event_type = any(${[...eventTypes]}::text[])`;
  return db.$queryRaw<CountRow[]>`
    select e.event_type as "eventType", count(*)::int as count, ${TIMES('e.id')}
    from endpoint p cross join lateral (
      select d.event_id as id from delivery d
      where d.endpoint_id = p.id and d.id > ${after}::uuid and d.id < ${end}::uuid and ${ofType}
      union
      select w.id from event w
      where ${eventTypes === undefined}::bool and w.endpoint_id = p.id and w.ordering_key is not null
        and w.id > ${after}::uuid and w.id < ${end}::uuid and (w.payload is not null or ${isWhole}::bool)) d
    cross join lateral (select id, event_type from event where id = d.id and endpoint_id = p.id offset 0) e
    where p.workspace_id = ${workspaceId}::uuid and p.application_id = ${applicationId ?? null}::uuid
    group by e.event_type`;
}

function countOfApplication(db: Db, scope: OperationScope): Promise<CountRow[]> {
  return db.$queryRaw<CountRow[]>`
    select e.event_type as "eventType", count(*)::int as count, ${TIMES('e.id')} from event e
    where ${ofErasure(scope)} and e.id > ${scope.after}::uuid and ${hasErasableType(scope)}
    group by e.event_type`;
}

/** The next events that an erasure selects, in key order. */
export async function erasableEvents(
  db: Db | DbTransaction,
  scope: OperationScope,
  { after, read }: Pick<Walk, 'after' | 'read'>,
): Promise<Page<string>> {
  const found = await db.$queryRaw<{ id: string; isSelected: boolean }[]>`
    select e.id, ${hasErasableType(scope)} as "isSelected" from event e
    where ${ofErasure(scope)} and e.id > ${after}::uuid order by e.id limit ${read}::int`;
  const rows = found.flatMap(({ id, isSelected }) => (isSelected ? [id] : []));
  return { rows, next: found.length === read ? found.at(-1)?.id : undefined };
}

function ofErasure({ workspaceId, applicationId, end }: OperationScope): Prisma.Sql {
  return Prisma.sql`e.application_id = ${applicationId ?? null}::uuid and e.workspace_id = ${workspaceId}::uuid
    and e.id < ${end}::uuid`;
}

function hasErasableType({ eventTypes }: OperationScope): Prisma.Sql {
  return eventTypes === undefined
    ? Prisma.sql`true`
    : Prisma.sql`coalesce(e.event_type = any(${[...eventTypes]}::text[]), false)`;
}

/** The number of missed events for each event type, before the endpoint's filters. */
export async function countMissed(db: Db, scope: OperationScope, endpointId: string): Promise<CountRow[]> {
  return scope.missed && includesNone(scope) ? countEvents(db, scope, endpointId) : [];
}

export function summaryOf(counts: readonly CountRow[]): Summary {
  const summary: Omit<Summary, 'eventTypes'> = { matched: 0, oldest: null, newest: null };
  // A Map, because an event type may have the name of a property that every object has.
  const eventTypes = new Map<string, number>();
  for (const { eventType, count, oldest, newest } of counts) {
    summary.matched += count;
    if (summary.oldest === null || oldest < summary.oldest) summary.oldest = oldest;
    if (summary.newest === null || newest > summary.newest) summary.newest = newest;
    if (eventType !== null) eventTypes.set(eventType, (eventTypes.get(eventType) ?? 0) + count);
  }
  return { ...summary, eventTypes: Object.fromEntries(eventTypes) };
}

export type CountRow = { eventType: string | null; count: number; oldest: string; newest: string };

/** The first 13 characters of a key are its time. */
const TIMES = (key: string) =>
  Prisma.raw(`min(left(${key}::text, 13)) || '-7000-8000-000000000000' as oldest,
    max(left(${key}::text, 13)) || '-7000-8000-000000000000' as newest`);

function countDeliveries(db: Db, scope: OperationScope, endpointId: string | undefined): Promise<CountRow[]> {
  const ofEndpoint = endpointId === undefined ? Prisma.empty : Prisma.sql`and d.endpoint_id = ${endpointId}::uuid`;
  return db.$queryRaw<CountRow[]>`
    select d.event_type as "eventType", count(*)::int as count, ${TIMES('d.id')} from delivery d
    where d.workspace_id = ${scope.workspaceId}::uuid ${ofEndpoint} and ${countHint(scope.statuses)}
      and d.id > ${scope.after}::uuid and d.id < ${scope.end}::uuid and ${isSelected(scope)}
    group by d.event_type`;
}

function countEvents(db: Db, scope: OperationScope, endpointId: string): Promise<CountRow[]> {
  return db.$queryRaw<CountRow[]>`
    select e.event_type as "eventType", count(*)::int as count, ${TIMES('e.id')} from event e
    where e.workspace_id = ${scope.workspaceId}::uuid and e.id > ${scope.after}::uuid and e.id < ${scope.end}::uuid
      and ${wouldReceive(scope, endpointId)}
      and not exists (select from delivery d where d.endpoint_id = ${endpointId}::uuid and d.event_id = e.id
        and d.id > ${scope.after}::uuid and d.id < ${scope.end}::uuid)
    group by e.event_type`;
}

/** A delivery has no application of its own, but its endpoint has. */
function ofApplication(applicationId: string): Prisma.Sql {
  return Prisma.sql`and d.endpoint_id in (select id from endpoint where application_id = ${applicationId}::uuid)`;
}

/** Condition on a row `d` of the table of deliveries with all its columns, because a filter may need any. */
function isSelected({
  environmentId,
  applicationId,
  eventTypes,
  statuses,
  responseClasses,
}: OperationScope): Prisma.Sql {
  // An event that the endpoint's own code cancelled has not failed.
  return Prisma.sql`${STATUS_NOW} = any(${[...statuses]}::delivery_status[]) and not d.is_test
    and d.failure_reason is distinct from 'cancelled_by_transformation'
    ${environmentId === undefined ? Prisma.empty : Prisma.sql`and d.environment_id = ${environmentId}::uuid`}
    ${applicationId === undefined ? Prisma.empty : ofApplication(applicationId)}
    ${eventTypes === undefined ? Prisma.empty : Prisma.sql`and d.event_type = any(${[...eventTypes]}::text[])`}
    ${
      responseClasses === undefined
        ? Prisma.empty
        : Prisma.sql`and case
            when d.last_response_status is null then 'none'
            when d.last_response_status between 200 and 599 then (d.last_response_status / 100)::text || 'xx'
            else 'other'
          end = any(${[...responseClasses]}::text[])`
    }`;
}

/**
 * Condition on a row `e` of the table of events: the endpoint as it is now would get the event, which is neither waiting
 * for its time or its fan-out nor cancelled. Fan-out has the same conditions (packages/routing). An event whose type
 * was unpublished waits for its time without a row in `scheduled_event`.
 */
function wouldReceive({ eventTypes }: OperationScope, endpointId: string): Prisma.Sql {
  return Prisma.sql`not e.is_test and (e.deliver_at is null or e.deliver_at <= now()) and exists (
      select from endpoint p where p.id = ${endpointId}::uuid and p.environment_id = e.environment_id
        and p.is_active and p.deleted_at is null
        and (e.application_id is null or e.application_id = p.application_id))
    and e.event_type in (
      select t.name from subscription s join event_type t on t.id = s.event_type_id
      join published_event_type v on v.event_type_id = t.id
      join endpoint p on p.id = s.endpoint_id and p.environment_id = v.environment_id
      where s.endpoint_id = ${endpointId}::uuid)
    ${eventTypes === undefined ? Prisma.empty : Prisma.sql`and e.event_type = any(${[...eventTypes]}::text[])`}
    and not exists (select from pending_fan_out w where w.event_id = e.id)
    and not exists (select from scheduled_event w where w.event_id = e.id)
    and not exists (select from cancelled_event c where c.event_id = e.id)`;
}

/** Whether the filter by last response allows missed events, which have no response. */
function includesNone({ responseClasses }: OperationScope): boolean {
  return responseClasses === undefined || responseClasses.includes('none');
}

/**
 * A condition that follows from the statuses, and that all rows of one index on endpoint and key meet. Otherwise a page
 * would read any number of rows before it has enough that meet the condition.
 */
function pageHint(statuses: readonly DeliveryStatus[]): Prisma.Sql {
  const areFailed = statuses.every((status) => status === 'failed' || status === 'dead_letter');
  return areFailed ? Prisma.sql`d.failure_reason is not null` : Prisma.sql`true`;
}

/** A condition that follows from the statuses, written as in the partial indexes, so that Postgres uses one of them. */
function countHint(statuses: readonly DeliveryStatus[]): Prisma.Sql {
  const isOpen = (status: DeliveryStatus) => ['pending', 'scheduled_retry', 'delivering'].includes(status);
  return statuses.every(isOpen) ? Prisma.sql`d.due_at is not null` : pageHint(statuses);
}
