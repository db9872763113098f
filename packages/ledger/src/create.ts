import type { Db } from '@posthorn/db/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { rangeOf } from '@posthorn/db/uuid-range';
import type { ClaimedDelivery } from './claim.ts';
import { type EventRow, MAX_CLAIMED_PAYLOAD_BYTES, toClaimedEvent } from './claimed-event.ts';
import { type AskedLease, askForLease, LEASE_MARGIN_SECONDS } from './lease.ts';
import { FIRST_TURN_SECONDS } from './line.ts';
import { readStatement } from './statement.ts';

export type NewDelivery = {
  /** Derived from the event and the endpoint (`deliveryIdFor`), so a repeated insert creates no duplicate. */
  deliveryId: string;
  eventId: string;
  endpointId: string;
  workspaceId: string;
  environmentId: string;
  eventType: string;
};

/**
 * If its event is older than this, a delivery stores the time of its fan-out. Changes of the configuration take effect
 * within a second, so a trace needs no more precision, and null takes no storage.
 */
export const LATE_FAN_OUT_SECONDS = 0.5;

export type UnmatchedEvent = { eventId: string; workspaceId: string };

/** A new delivery in the form that the statements read. */
type NewDeliveryRow = {
  id: string;
  event_id: string;
  endpoint_id: string;
  workspace_id: string;
  environment_id: string;
  event_type: string;
};

export function newDeliveryRow({ deliveryId, eventId, endpointId, ...rest }: NewDelivery): NewDeliveryRow {
  return {
    id: deliveryId,
    event_id: eventId,
    endpoint_id: endpointId,
    workspace_id: rest.workspaceId,
    environment_id: rest.environmentId,
    event_type: rest.eventType,
  };
}

type CreatedOfPage = { id: string; due: boolean; is_pulled: boolean };
const CREATE_PAGE = readStatement<CreatedOfPage>('create-page');

export type FanOutPage = {
  deliveries: readonly NewDelivery[];
  event: UnmatchedEvent;
  /** The event stops waiting after this page. */
  isLast: boolean;
  /** No page had a delivery. */
  isUnmatched: boolean;
};

/**
 * Creates a page of the deliveries of an event that waits for its fan-out. Creates none if it no longer waits, or an
 * earlier event of its ordering key still does. Returns the new deliveries, each with whether it is due and whether a
 * consumer fetches it.
 */
export async function createPage(
  db: Db,
  { deliveries, event, isLast, isUnmatched }: FanOutPage,
): Promise<CreatedOfPage[]> {
  const rows = JSON.stringify(deliveries.map(newDeliveryRow));
  const workspaceId = isUnmatched ? event.workspaceId : null;
  return retryConflicts(() => CREATE_PAGE.run(db, [rows, event.eventId, isLast, workspaceId, LATE_FAN_OUT_SECONDS]));
}

export type FanOutBatch = {
  /**
   * All deliveries of the events. For each claimed one, this process has reserved a slot. The delay is 0 by default,
   * and always 0 for ordered events: a head that is due later would look like a delivery that waits. With `entersLine`,
   * the delivery enters the line of its endpoint, whose next turn comes after the delay at the latest.
   */
  deliveries: readonly (NewDelivery & { isClaimed: boolean; delaySeconds?: number; entersLine?: boolean })[];
  events: readonly { eventId: string; workspaceId: string; environmentId: string }[];
  /** For each environment, the routing revision under which the events were matched. */
  routingRevisions: ReadonlyMap<string, string>;
  defaultTimeoutSeconds: number;
  /** The events have ordering keys. Each is fanned out together with or after all earlier events of its key. */
  isOrdered?: boolean;
};

export type CreatedDeliveries = {
  /** The events that waited for fan-out and are now fanned out. */
  eventIds: Set<string>;
  deliveryIds: Set<string>;
  /** The `deliveryIds` that wait behind the head of their order or for a consumer, and need no job. */
  waitingIds: Set<string>;
  /** The endpoints whose consumers can fetch some of the deliveries. */
  pulledEndpointIds: Set<string>;
  /** The deliveries that are leased to this process. */
  claimed: ClaimedDelivery[];
};

const CREATE_IN_ORDER = readStatement<DoneRow>('create');
/** For events without ordering keys. */
const CREATE = readStatement<DoneRow>('create', { without: 'order' });

/**
 * Creates all deliveries of the events that still wait for fan-out, and marks these events as fanned out, in one
 * statement. A delivery is `pending`, and due now or after its delay. A delivery with `isClaimed` is `delivering` and
 * leased by this process, if its endpoint's breaker is closed. An event whose environment has another routing revision
 * is not changed, and must be matched again.
 */
export async function createAndClaim(db: Db, batch: FanOutBatch): Promise<CreatedDeliveries> {
  const { deliveries, events, routingRevisions, defaultTimeoutSeconds, isOrdered = false } = batch;
  const eventIds = events.map((event) => event.eventId);
  const lease = askForLease();
  const unmatched = withoutDelivery(batch);
  const { run } = isOrdered ? CREATE_IN_ORDER : CREATE;
  const rows = await retryConflicts(() =>
    run(db, [
      JSON.stringify(deliveries.map(toRow)),
      eventIds,
      events.map((event) => event.environmentId),
      ...rangeOf(eventIds),
      [...routingRevisions.keys()],
      [...routingRevisions.values()],
      lease.leaseToken,
      defaultTimeoutSeconds,
      LEASE_MARGIN_SECONDS,
      JSON.stringify(linesOf(deliveries)),
      FIRST_TURN_SECONDS,
      unmatched.map((event) => event.eventId),
      unmatched.map((event) => event.workspaceId),
      LATE_FAN_OUT_SECONDS,
      MAX_CLAIMED_PAYLOAD_BYTES,
    ]),
  );
  const created = rows.filter(isCreated);
  return {
    eventIds: new Set(rows.map((row) => row.event_id)),
    deliveryIds: new Set(created.map((row) => row.id)),
    waitingIds: new Set(created.filter((row) => (isOrdered && !row.due) || row.is_pulled).map((row) => row.id)),
    pulledEndpointIds: new Set(created.filter((row) => row.is_pulled).map((row) => row.endpoint_id)),
    claimed: toClaims(created, lease),
  };
}

/** A delivery in the form that `sql/create.sql` reads. */
type FanOutDelivery = NewDeliveryRow & { is_claimed: boolean; delay_seconds: number; enters_line: boolean };

function toRow(delivery: FanOutBatch['deliveries'][number]): FanOutDelivery {
  return {
    ...newDeliveryRow(delivery),
    is_claimed: delivery.isClaimed,
    delay_seconds: delivery.delaySeconds ?? 0,
    enters_line: delivery.entersLine === true,
  };
}

/** The endpoints whose lines get new deliveries, with the seconds until the next turn of each. */
function linesOf(deliveries: FanOutBatch['deliveries']) {
  const lines = new Map<string, { endpoint_id: string; workspace_id: string; seconds: number }>();
  for (const { endpointId, workspaceId, delaySeconds = 0, entersLine } of deliveries) {
    if (entersLine !== true) continue;
    const seconds = Math.min(delaySeconds, lines.get(endpointId)?.seconds ?? delaySeconds);
    lines.set(endpointId, { endpoint_id: endpointId, workspace_id: workspaceId, seconds });
  }
  return [...lines.values()];
}

function withoutDelivery({ events, deliveries }: FanOutBatch): UnmatchedEvent[] {
  const matched = new Set(deliveries.map((delivery) => delivery.eventId));
  return events.filter((event) => !matched.has(event.eventId));
}

/** An event without deliveries has one row, whose other columns are null. */
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
  due: boolean;
  ordering_key: string | null;
  /** Null if the row is not claimed. */
  event_age_seconds: number;
  /** Set in one of an event's claimed rows, which has the event's columns. */
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
      orderingKey: row.ordering_key,
      ...lease,
      eventAgeSeconds: row.event_age_seconds,
      attemptNumber: 1,
      trigger: 'schedule',
      scheduleStep: 0,
      lostLeases: 0,
      event: events.get(row.event_id) ?? null,
    }));
}
