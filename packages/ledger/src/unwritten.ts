import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { within } from '@posthorn/db/uuid-range';
import { type ClaimedDelivery, eventAgeSeconds, type Unwritten } from './claim.ts';
import { EVENT_COLUMNS, type EventRow, toClaimedEvent } from './claimed-event.ts';
import { environmentsAt, matchedAt, type NewDelivery } from './create.ts';
import { askForLease, LEASE_MARGIN_SECONDS } from './lease.ts';
import { MAY_BE_ATTEMPTED } from './pending-fan-out.ts';

// A first attempt that begins before its delivery has a row (docs/adr/0020). The event waits for its fan-out meanwhile,
// so it is fanned out again if the process ends. The row is written with the attempt (`settleDeliveries`), or as soon as
// the attempt takes long (`writeUnderWay`).

export type UnwrittenClaim = ClaimedDelivery & { unwritten: Unwritten };

export type ToAttempt = {
  /** Each is the only delivery of its event, and this process has reserved a slot for it. */
  deliveries: readonly NewDelivery[];
  /** The routing revision of each environment under which the events were matched. */
  routingRevisions: ReadonlyMap<string, string>;
  defaultTimeoutSeconds: number;
};

/**
 * Reads what an attempt of these deliveries needs, and writes nothing. It leaves out a delivery whose event no longer
 * waits, is soon enqueued again, or must be matched again, and one whose endpoint has an open breaker or is fetched by
 * consumers: `createAndClaim` decides about these.
 */
export async function readToAttempt(
  db: Pick<Db, '$queryRaw'>,
  { deliveries, routingRevisions, defaultTimeoutSeconds }: ToAttempt,
): Promise<UnwrittenClaim[]> {
  const eventIds = deliveries.map((delivery) => delivery.eventId);
  const lease = askForLease();
  const rows = await db.$queryRaw<ReadRow[]>`
    with current as materialized (${environmentsAt(routingRevisions)})
    select d.id as "deliveryId", p.revision, ${matchedAt('d.event_id')} as matched_at,
      coalesce(p.timeout_seconds, ${defaultTimeoutSeconds}::int) + ${LEASE_MARGIN_SECONDS}::int as lease_seconds,
      ${eventAgeSeconds('d.event_id')} as event_age_seconds, ${EVENT_COLUMNS}
    from unnest(${deliveries.map((delivery) => delivery.deliveryId)}::uuid[], ${eventIds}::uuid[],
      ${deliveries.map((delivery) => delivery.endpointId)}::uuid[],
      ${deliveries.map((delivery) => delivery.environmentId)}::uuid[]) as d(id, event_id, endpoint_id, environment_id)
    join pending_fan_out w on w.event_id = d.event_id and w.event_id = any(${eventIds}::uuid[]) and ${MAY_BE_ATTEMPTED}
    join endpoint p on p.id = d.endpoint_id and not p.is_pulled
    join lateral (select * from event where id = d.event_id and ${within('id', eventIds)} offset 0) e on true
    where d.environment_id in (select environment_id from current) and not exists (
      select from endpoint_health h where h.endpoint_id = d.endpoint_id and h.open_until is not null)`;
  const found = new Map(rows.map((row) => [row.deliveryId, row]));
  return deliveries.flatMap(({ deliveryId, eventId, workspaceId, endpointId, environmentId, eventType }) => {
    const row = found.get(deliveryId);
    if (row === undefined) return [];
    const claim: UnwrittenClaim = {
      ...{ deliveryId, eventId, workspaceId, endpointId },
      ...lease,
      endpointRevision: row.revision,
      orderingKey: null,
      eventAgeSeconds: row.event_age_seconds,
      attemptNumber: 1,
      trigger: 'schedule',
      scheduleStep: 0,
      lostLeases: 0,
      event: toClaimedEvent(row),
      unwritten: {
        ...{ eventId, workspaceId, environmentId, eventType },
        matchedAt: row.matched_at,
        leaseSeconds: row.lease_seconds,
      },
    };
    return [claim];
  });
}

type ReadRow = EventRow & {
  deliveryId: string;
  revision: string;
  matched_at: Date | null;
  lease_seconds: number;
  event_age_seconds: number;
};

/** A row to write. */
export type UnwrittenRow = Unwritten & { deliveryId: string; endpointId: string; leaseToken: string };

/** The columns of `unwrittenColumns`, for `json_to_recordset`. */
export const UNWRITTEN_COLUMNS = Prisma.sql`event_id uuid, workspace_id uuid, environment_id uuid, event_type text,
          matched_at timestamptz`;

export function unwrittenColumns(row: Unwritten): Record<string, unknown> {
  return {
    event_id: row.eventId,
    workspace_id: row.workspaceId,
    environment_id: row.environmentId,
    event_type: row.eventType,
    matched_at: row.matchedAt,
  };
}

/** The part of a statement that ends the waiting of these events, and returns those that waited. */
export function endOfTheirWaiting(eventIds: readonly string[]): Prisma.Sql {
  return Prisma.sql`delete from pending_fan_out w where w.event_id = any(${[...eventIds]}::uuid[]) returning w.event_id`;
}

/**
 * Writes the rows of deliveries whose attempts are under way: `delivering`, and leased by this process. If a row is there
 * already, because another process has fanned out the event, it stays as it is, and the settle finds that out. An event
 * that was cancelled meanwhile gets its delivery all the same, because its request is on the way.
 */
export async function writeUnderWay(db: Db, rows: readonly UnwrittenRow[]): Promise<void> {
  const given = JSON.stringify(
    rows.map((row) => ({
      delivery_id: row.deliveryId,
      endpoint_id: row.endpointId,
      lease_token: row.leaseToken,
      lease_seconds: row.leaseSeconds,
      ...unwrittenColumns(row),
    })),
  );
  const eventIds = rows.map((row) => row.eventId);
  const cancelled = await retryConflicts(
    () => db.$queryRaw<{ event_id: string }[]>`
      with ended as (${endOfTheirWaiting(eventIds)}), made as (
        insert into delivery (id, event_id, endpoint_id, workspace_id, environment_id, event_type, due_at, status,
          lease_token, leased_until, matched_at)
        select r.delivery_id, r.event_id, r.endpoint_id, r.workspace_id, r.environment_id, r.event_type, now(),
          'delivering', r.lease_token, now() + make_interval(secs => r.lease_seconds), r.matched_at
        from json_to_recordset(${given}::json)
          as r(delivery_id uuid, endpoint_id uuid, lease_token uuid, lease_seconds float8, ${UNWRITTEN_COLUMNS})
        join endpoint p on p.id = r.endpoint_id
        order by r.delivery_id
        on conflict do nothing
        returning event_id)
      select event_id from made where event_id not in (select event_id from ended)`,
  );
  await keepUncancelled(
    db,
    cancelled.map((row) => row.event_id),
  );
}

/**
 * These events were cancelled between the read and the write of their deliveries. They have a delivery now, so they are
 * not cancelled.
 */
export async function keepUncancelled(db: Db, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length > 0) await db.cancelledEvent.deleteMany({ where: { eventId: { in: [...eventIds] } } });
}
