import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { NIL_UUID, within } from '@posthorn/db/uuid-range';
import { IS_LIVE } from './agent-subscriptions.ts';
import { type ClaimedDelivery, eventAgeSeconds } from './claim.ts';
import { EVENT_COLUMNS, type EventRow, toClaimedEvent } from './claimed-event.ts';
import { type AskedLease, askForLease, LEASE_MARGIN_SECONDS } from './lease.ts';
import { enterLines } from './line.ts';
import { isFirstOfKey } from './ordering.ts';
import { dueOf, placeInLine } from './waiting.ts';

export type NewDelivery = {
  /** Derived from the event and the endpoint (`deliveryIdFor`), so a repeated insert creates no duplicate. */
  deliveryId: string;
  eventId: string;
  endpointId: string;
  workspaceId: string;
  environmentId: string;
  eventType: string;
};

/** The further columns of a source whose rows have an ordering key. */
const ORDERED_COLUMNS = Prisma.sql`, ordering_key, ordering_number`;
/** The locks of ordering keys are taken in the sequence of insertion, which is the same in all processes. */
const LOCK_SEQUENCE = Prisma.sql`order by case when ordering_key is not null then ordering_lock(endpoint_id, ordering_key) end,
      ordering_number, id`;

export type CreateOptions = {
  /** The recovery that the deliveries are part of. */
  operationId?: string | undefined;
  /** The source also has the columns `due_at, ordering_key, ordering_number`. */
  isOrdered?: boolean;
};

/**
 * The statement that inserts a `pending` delivery, due now, for each row of `source` (columns `id, event_id,
 * endpoint_id, workspace_id, environment_id, event_type`). It returns the ids of the new rows, and whether they are
 * due: a delivery with an ordering key waits if its order has a head, and one that is fetched waits for a consumer
 * (`is_pulled`). It may be part of another statement.
 */
export function createDeliveries(source: Prisma.Sql, { operationId, isOrdered }: CreateOptions = {}): Prisma.Sql {
  const recovers = operationId !== undefined;
  const columns = recovers ? Prisma.sql`, operation_id, next_trigger` : Prisma.empty;
  const values = recovers ? Prisma.sql`, ${operationId}::uuid, 'recovery'::attempt_trigger` : Prisma.empty;
  const ordered = isOrdered
    ? { columns: ORDERED_COLUMNS, order: LOCK_SEQUENCE }
    : { columns: Prisma.empty, order: Prisma.empty };
  return Prisma.sql`insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, due_at,
      is_pulled, matched_at${columns}${ordered.columns})
    select id, event_id, endpoint_id, workspace_id, environment_id, event_type,
      ${dueOf(isOrdered ? Prisma.sql`due_at` : Prisma.sql`now()`, Prisma.sql`is_pulled`)}, is_pulled,
      ${matchedAt('event_id')}${values}${ordered.columns}
    from (select given.*, p.is_pulled from (select * from ${source}) given
      left join lateral (select * from endpoint p where p.id = given.endpoint_id offset 0) p on true
      where p.id is null or ${IS_LIVE}) new_deliveries ${ordered.order}
    on conflict do nothing returning id, due_at <= now() as due, is_pulled`;
}

/** The rows of `createDeliveries` for events that may have an ordering key. */
export function orderedRowsOf(deliveries: readonly NewDelivery[]): Prisma.Sql {
  return Prisma.sql`(
    select d.*, now() as due_at, case when p.is_fifo then e.ordering_key end as ordering_key,
      case when p.is_fifo then e.ordering_number end as ordering_number
    from ${rowsOf(deliveries)} join endpoint p on p.id = d.endpoint_id
    join lateral (select ordering_key, ordering_number from event where id = d.event_id offset 0) e on true) d`;
}

/** A change of the set-up takes effect within a second, so a trace needs no more exact time of the fan-out. */
const LATE_FAN_OUT_SECONDS = 0.5;

/** The time of fan-out, or null if it is not late: null costs no storage. */
function matchedAt(eventId: 'd.event_id' | 'event_id'): Prisma.Sql {
  return Prisma.sql`case when ${eventAgeSeconds(eventId)} > ${LATE_FAN_OUT_SECONDS}::float8 then now() end`;
}

export type UnmatchedEvent = { eventId: string; workspaceId: string };

/**
 * The statement that stores which events match no endpoint, and so the time of their fan-out. `condition` is the end of
 * a select from these events as `u(event_id, workspace_id)`. It may be part of another statement.
 */
export function keepUnmatched(events: readonly UnmatchedEvent[], condition = Prisma.empty): Prisma.Sql {
  return Prisma.sql`insert into unmatched_event (event_id, workspace_id)
    select u.event_id, u.workspace_id from unnest(${events.map((event) => event.eventId)}::uuid[],
      ${events.map((event) => event.workspaceId)}::uuid[]) as u(event_id, workspace_id) ${condition}
    on conflict do nothing`;
}

/** The rows of `createDeliveries`. */
export function rowsOf(deliveries: readonly NewDelivery[]): Prisma.Sql {
  return Prisma.sql`${columnsOf(deliveries)}) as d(id, event_id, endpoint_id, workspace_id, environment_id, event_type)`;
}

export type FanOutBatch = {
  /**
   * All deliveries of the events. For a claimed one, this process has reserved a slot. A delay is 0 by default. It is
   * always 0 for ordered events: a head that is due later would count as a delivery that waits. With `entersLine`, the
   * delivery enters the line of its endpoint, whose next turn is at the latest after the delay.
   */
  deliveries: readonly (NewDelivery & { isClaimed: boolean; delaySeconds?: number; entersLine?: boolean })[];
  events: readonly { eventId: string; workspaceId: string; environmentId: string }[];
  /** The routing revision of each environment under which the events were matched. */
  routingRevisions: ReadonlyMap<string, string>;
  defaultTimeoutSeconds: number;
  /** The events have ordering keys: each is fanned out only together with or after all earlier ones of its key. */
  isOrdered?: boolean;
};

export type CreatedDeliveries = {
  /** The events that were waiting for fan-out and are now fanned out. */
  eventIds: Set<string>;
  deliveryIds: Set<string>;
  /** Those of `deliveryIds` that wait behind the head of their order, or for a consumer: no job is to be enqueued. */
  waitingIds: Set<string>;
  /** The endpoints whose consumers can fetch some of them. */
  pulledEndpointIds: Set<string>;
  /** The deliveries that are leased to this process. */
  claimed: ClaimedDelivery[];
};

/**
 * A delivery that consumers fetch is due since its event was accepted, or since the time that the event was scheduled for.
 * Events are fanned out in parallel, so their times of fan-out may have another order.
 */
const DUE_FOR_CONSUMERS = Prisma.sql`least(now(),
  coalesce(s.deliver_at, now() - make_interval(secs => ${eventAgeSeconds('d.event_id')})))`;

/**
 * Creates all deliveries of the events that still wait for fan-out, and marks these events as fanned out, in one
 * statement. A delivery is `pending`, and due now or after its delay. A delivery with `isClaimed` is `delivering`,
 * leased by this process, if the breaker of its endpoint is closed. An event whose environment has another routing
 * revision is not changed: it must be matched again.
 */
export async function createAndClaim(db: Db, batch: FanOutBatch): Promise<CreatedDeliveries> {
  const { deliveries, events, routingRevisions, defaultTimeoutSeconds } = batch;
  const eventIds = events.map((event) => event.eventId);
  const lease = askForLease();
  const unmatched = withoutDelivery(batch);
  const order = batch.isOrdered ? orderParts(eventIds) : NO_ORDER;
  const rows = await retryConflicts(
    () => db.$queryRaw<DoneRow[]>`
      with current as materialized (${environmentsAt(routingRevisions)}), done as (
        delete from pending_fan_out w
        using unnest(${eventIds}::uuid[], ${events.map((event) => event.environmentId)}::uuid[])
          as g(event_id, environment_id)
        where w.event_id = g.event_id and w.event_id = any(${eventIds}::uuid[])
          and g.environment_id in (select environment_id from current)${order.condition}
        returning w.event_id${order.returned}
      ), made as (
        insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, due_at, is_pulled,
          status, lease_token, leased_until, matched_at${order.columns})
        select d.id, d.event_id, d.endpoint_id, d.workspace_id, d.environment_id, d.event_type,
          case when p.is_pulled then ${dueOf(DUE_FOR_CONSUMERS, Prisma.sql`true`)}
            when d.enters_line then ${placeInLine(Prisma.sql`false`)}
            else now() + make_interval(secs => d.delay_seconds) end,
          p.is_pulled,
          (case when c.claims then 'delivering' else 'pending' end)::delivery_status,
          case when c.claims then ${lease.leaseToken}::uuid end,
          case when c.claims then now() + make_interval(secs =>
            coalesce(p.timeout_seconds, ${defaultTimeoutSeconds}::int) + ${LEASE_MARGIN_SECONDS}::int) end,
          ${matchedAt('d.event_id')}${order.values}
        from ${columnsOf(deliveries)}, ${deliveries.map((delivery) => delivery.isClaimed)}::bool[],
          ${deliveries.map((delivery) => delivery.delaySeconds ?? 0)}::float8[],
          ${deliveries.map((delivery) => delivery.entersLine === true)}::bool[])
          as d(id, event_id, endpoint_id, workspace_id, environment_id, event_type, is_claimed, delay_seconds, enters_line)
        join done on done.event_id = d.event_id
        join endpoint p on p.id = d.endpoint_id and ${IS_LIVE}
        left join lateral (select deliver_at from event where p.is_pulled and id = d.event_id
          and ${within('id', eventIds)} offset 0) s on true
        cross join lateral (select d.is_claimed and not p.is_pulled and not p.is_temporary and not exists (
          select from endpoint_health h where h.endpoint_id = d.endpoint_id and h.open_until is not null) as claims) c
        ${order.sort}
        on conflict do nothing
        returning id, event_id, endpoint_id, workspace_id, status = 'delivering' as claimed, is_pulled${order.made}
      ), first_claims as (
        select min(id::text)::uuid as id from made where claimed group by event_id
      )${linesOf(deliveries)}${unmatched.length === 0 ? Prisma.empty : Prisma.sql`, unmatched as (${keepUnmatched(unmatched, OF_DONE)})`}
      select o.event_id, m.id, m.endpoint_id, m.workspace_id, m.claimed, m.is_pulled, p.revision${order.shown},
        case when m.claimed then ${eventAgeSeconds('m.event_id')} end as event_age_seconds, e.id is not null as brings_event,
        ${EVENT_COLUMNS}
      from done o left join made m on m.event_id = o.event_id left join endpoint p on p.id = m.endpoint_id
      left join lateral (select * from event where id = m.event_id and ${within('id', eventIds)} offset 0) e
        on m.id in (select id from first_claims)`,
  );
  const created = rows.filter(isCreated);
  return {
    eventIds: new Set(rows.map((row) => row.event_id)),
    deliveryIds: new Set(created.map((row) => row.id)),
    waitingIds: new Set(created.filter((row) => row.due === false || row.is_pulled).map((row) => row.id)),
    pulledEndpointIds: new Set(created.filter((row) => row.is_pulled).map((row) => row.endpoint_id)),
    claimed: toClaims(created, lease),
  };
}

/** The environments whose routing revision is still the given one. */
function environmentsAt(routingRevisions: ReadonlyMap<string, string>): Prisma.Sql {
  return Prisma.sql`
        select v.environment_id
        from unnest(${[...routingRevisions.keys()]}::uuid[], ${[...routingRevisions.values()]}::uuid[])
          as v(environment_id, revision)
        left join environment n on n.id = v.environment_id
        where coalesce(n.routing_revision, ${NIL_UUID}::uuid) = v.revision`;
}

/** The endpoints whose lines deliveries enter. If no delivery enters a line, its next turn ends it. */
function linesOf(deliveries: FanOutBatch['deliveries']): Prisma.Sql {
  const lines = new Map<string, { workspaceId: string; seconds: number }>();
  for (const { endpointId, workspaceId, delaySeconds = 0, entersLine } of deliveries) {
    if (entersLine !== true) continue;
    const seconds = Math.min(delaySeconds, lines.get(endpointId)?.seconds ?? delaySeconds);
    lines.set(endpointId, { workspaceId, seconds });
  }
  if (lines.size === 0) return Prisma.empty;
  const rows = [...lines.values()];
  return Prisma.sql`, lines as (${enterLines(Prisma.sql`
        select * from unnest(${[...lines.keys()]}::uuid[], ${rows.map((row) => row.workspaceId)}::uuid[],
          ${rows.map((row) => row.seconds)}::float8[]) as n(endpoint_id, workspace_id, seconds)`)})`;
}

type OrderParts = Record<'condition' | 'returned' | 'columns' | 'values' | 'sort' | 'made' | 'shown', Prisma.Sql>;

const { empty } = Prisma;
const NO_ORDER: OrderParts = {
  condition: empty,
  returned: empty,
  columns: empty,
  values: empty,
  sort: empty,
  made: empty,
  shown: empty,
};

/** All dispatchers lock these rows in the same order, so that two with the same events cannot deadlock. */
function orderParts(eventIds: readonly string[]): OrderParts {
  return {
    condition: Prisma.sql` and ${isFirstOfKey(eventIds)} and w.event_id in (
            select event_id from pending_fan_out where event_id = any(${[...eventIds]}::uuid[]) order by event_id for update)`,
    returned: Prisma.sql`, w.ordering_key, w.ordering_number`,
    columns: ORDERED_COLUMNS,
    values: Prisma.sql`, case when p.is_fifo then done.ordering_key end,
          case when p.is_fifo then done.ordering_number end`,
    sort: Prisma.sql`order by case when p.is_fifo then ordering_lock(p.id, done.ordering_key) end, done.ordering_number, d.id`,
    made: Prisma.sql`, due_at <= now() as due, ordering_key`,
    shown: Prisma.sql`, m.due, m.ordering_key`,
  };
}

const OF_DONE = Prisma.sql`join done on done.event_id = u.event_id`;

function withoutDelivery({ events, deliveries }: FanOutBatch): UnmatchedEvent[] {
  const matched = new Set(deliveries.map((delivery) => delivery.eventId));
  return events.filter((event) => !matched.has(event.eventId));
}

function columnsOf(deliveries: readonly NewDelivery[]): Prisma.Sql {
  return Prisma.sql`unnest(
    ${deliveries.map((delivery) => delivery.deliveryId)}::uuid[],
    ${deliveries.map((delivery) => delivery.eventId)}::uuid[],
    ${deliveries.map((delivery) => delivery.endpointId)}::uuid[],
    ${deliveries.map((delivery) => delivery.workspaceId)}::uuid[],
    ${deliveries.map((delivery) => delivery.environmentId)}::uuid[],
    ${deliveries.map((delivery) => delivery.eventType)}::text[]`;
}

/** An event without a delivery has one row, whose other columns are null. */
type DoneRow = { event_id: string } & (CreatedRow | { id: null });

function isCreated(row: DoneRow): row is CreatedRow {
  return row.id !== null;
}

type CreatedRow = EventRow & {
  id: string;
  event_id: string;
  endpoint_id: string;
  workspace_id: string;
  claimed: boolean;
  is_pulled: boolean;
  revision: string;
  /** Present with `isOrdered`. */
  due?: boolean;
  ordering_key?: string | null;
  /** Null where the row is not claimed. */
  event_age_seconds: number;
  /** Of the claimed rows of an event, one returns the event's columns. */
  brings_event: boolean;
};

function toClaims(rows: readonly CreatedRow[], lease: AskedLease): ClaimedDelivery[] {
  const events = new Map<string, ClaimedDelivery['event']>();
  for (const row of rows) {
    if (!row.brings_event) continue;
    events.set(row.event_id, toClaimedEvent(row));
  }
  return rows
    .filter((row) => row.claimed)
    .map((row) => ({
      deliveryId: row.id,
      eventId: row.event_id,
      workspaceId: row.workspace_id,
      endpointId: row.endpoint_id,
      endpointRevision: row.revision,
      orderingKey: row.ordering_key ?? null,
      ...lease,
      eventAgeSeconds: row.event_age_seconds,
      attemptNumber: 1,
      trigger: 'schedule',
      scheduleStep: 0,
      lostLeases: 0,
      event: events.get(row.event_id) ?? null,
    }));
}
