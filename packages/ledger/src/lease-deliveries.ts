import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { among } from '@posthorn/db/uuid-range';
import { type AttemptTrigger, eventAgeSeconds } from './claim.ts';
import { IS_ERASED } from './claimed-event.ts';
import { END_TO_BEGIN, TEST_BEGINS_WITHIN_SECONDS } from './test-deliveries.ts';
import { dueOf, IN_LINE } from './waiting.ts';

// The leases of consumers (docs/interface.md, Pull; docs/adr/0016). Waiting deliveries are in the line of their
// endpoint, ordered by due time. While a delivery is leased, its place is at the end of its lease, so that no other
// lease reads it before that. The lease ends at `leased_until`, and at `pull_leased_until`, which has an index.

export type LeaseRequest = {
  endpointId: string;
  /** Identifies the lease. It is the fencing token of each of its deliveries. */
  leaseToken: string;
  most: number;
  leaseSeconds: number;
  /** The most bytes of all payloads except the first. */
  mostBytes: number;
};

export type LeasedDelivery = {
  deliveryId: string;
  eventId: string;
  workspaceId: string;
  endpointRevision: string;
  leasedUntil: Date;
  /** Its place in the line, to which it returns if the consumer never gets it. */
  place: string;
  attemptNumber: number;
  trigger: AttemptTrigger;
  isTest: boolean;
  eventAgeSeconds: number;
  /**
   * The event as ingested, or null if retention has deleted it or its payload was erased. The payload is sealed; null
   * for an empty body.
   */
  event: {
    eventType: string | null;
    idempotencyKey: string | null;
    orderingKey: string | null;
    contentType: string | null;
    payload: Uint8Array | null;
  } | null;
};

const DUE_NOW = dueOf(Prisma.sql`now()`, Prisma.sql`true`);

/** Excludes a test that has not begun in time: its request has been answered already. */
const IN_TIME = Prisma.sql`(not d.is_test
  or d.due_at > ${DUE_NOW} - make_interval(secs => ${TEST_BEGINS_WITHIN_SECONDS}::int))`;

/** The size of a message apart from its payload, in bytes. */
const BYTES_OF_A_MESSAGE = 2_048;

/**
 * Leases the due deliveries of an active endpoint, oldest first, in one statement. Two consumers never get the same
 * delivery, because each skips rows that another is leasing. Of an order, only the head is due.
 */
export async function leaseDeliveries(db: Db, request: LeaseRequest): Promise<LeasedDelivery[]> {
  const { endpointId, leaseToken, most, leaseSeconds, mostBytes } = request;
  const rows = await retryConflicts(
    () => db.$queryRaw<LeasedRow[]>`
      with place as materialized (
        select p.revision from endpoint p
        where p.id = ${endpointId}::uuid and p.is_active and p.deleted_at is null and p.is_pulled
      ), due as materialized (
        select d.id, d.event_id, d.due_at from delivery d
        where d.endpoint_id = ${endpointId}::uuid and ${IN_LINE} and d.due_at <= ${DUE_NOW}
          and d.status in ('pending', 'scheduled_retry') and ${IN_TIME} and exists (select from place)
        order by d.due_at limit ${most}::int for update skip locked
      ), sized as materialized (
        select due.*, e.id is not null and not ${IS_ERASED} as has_event, e.event_type, e.idempotency_key, e.ordering_key,
          e.content_type, e.payload,
          row_number() over ordered as place,
          sum(coalesce(e.payload_size, 0) + ${BYTES_OF_A_MESSAGE}::int) over ordered as bytes
        from due left join lateral (select * from event where id = due.event_id offset 0) e on true
        window ordered as (order by due.due_at, due.id)
      ), leased as (
        update delivery d set status = 'delivering', lease_token = ${leaseToken}::uuid,
          leased_until = now() + make_interval(secs => ${leaseSeconds}::int),
          pull_leased_until = now() + make_interval(secs => ${leaseSeconds}::int),
          due_at = ${DUE_NOW} + make_interval(secs => ${leaseSeconds}::int),
          generation = d.generation + 1, updated_at = now()
        from sized s
        where d.id = s.id and d.id >= (select min(id::text)::uuid from sized) and d.id <= (select max(id::text)::uuid from sized)
          and (s.bytes <= ${mostBytes}::bigint or s.place = 1)
        returning d.id, d.workspace_id, d.leased_until, d.total_attempts, d.next_trigger, d.is_test
      )
      select l.id as "deliveryId", s.event_id as "eventId", l.workspace_id as "workspaceId",
        (select revision from place) as "endpointRevision", l.leased_until as "leasedUntil",
        s.due_at::text as "linePlace", l.total_attempts + 1 as "attemptNumber", l.next_trigger as trigger, l.is_test as "isTest",
        ${eventAgeSeconds('s.event_id')} as "eventAgeSeconds", s.has_event as "hasEvent", s.event_type as "eventType",
        s.idempotency_key as "idempotencyKey", s.ordering_key as "orderingKey", s.content_type as "contentType", s.payload
      from leased l join sized s on s.id = l.id order by s.place`,
  );
  return rows.map(({ hasEvent, linePlace, eventType, idempotencyKey, orderingKey, contentType, payload, ...row }) => ({
    ...row,
    place: linePlace,
    event: hasEvent ? { eventType, idempotencyKey, orderingKey, contentType, payload } : null,
  }));
}

type LeasedRow = Omit<LeasedDelivery, 'event' | 'place'> & { hasEvent: boolean; linePlace: string } & NonNullable<
    LeasedDelivery['event']
  >;

/** A delivery, and the lease with which a consumer holds it. */
export type Lease = { deliveryId: string; leaseToken: string };

/** Extends leases that are still held, counted from now. Returns them with their new ends; lost leases are left out. */
export async function extendLeases(
  db: Db,
  endpointId: string,
  leases: readonly (Lease & { leaseSeconds: number })[],
): Promise<(Lease & { leasedUntil: Date })[]> {
  const sorted = [...leases].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
  const deliveryIds = sorted.map((lease) => lease.deliveryId);
  return retryConflicts(
    () => db.$queryRaw<(Lease & { leasedUntil: Date })[]>`
      update delivery d set leased_until = now() + make_interval(secs => l.seconds),
        pull_leased_until = now() + make_interval(secs => l.seconds),
        due_at = ${DUE_NOW} + make_interval(secs => l.seconds), generation = d.generation + 1, updated_at = now()
      from unnest(${deliveryIds}::uuid[], ${sorted.map((lease) => lease.leaseToken)}::uuid[],
        ${sorted.map((lease) => lease.leaseSeconds)}::int[]) as l(delivery_id, lease_token, seconds)
      where ${among('d.id', deliveryIds)} and d.id = l.delivery_id and ${isHeld(endpointId)}
      returning d.id as "deliveryId", d.lease_token as "leaseToken", d.leased_until as "leasedUntil"`,
  );
}

/**
 * Ends leases whose messages were never written to the consumer. No attempt is spent, and the deliveries return to
 * their places.
 */
export async function releaseLeases(
  db: Db,
  endpointId: string,
  leases: readonly (Lease & Pick<LeasedDelivery, 'place'>)[],
): Promise<void> {
  if (leases.length === 0) return;
  const deliveryIds = leases.map((lease) => lease.deliveryId);
  await retryConflicts(
    () => db.$executeRaw`
      update delivery d set
        status = (case when d.schedule_step = 0 then 'pending' else 'scheduled_retry' end)::delivery_status,
        due_at = l.place, lease_token = null, leased_until = case when d.is_test then ${END_TO_BEGIN} end,
        pull_leased_until = case when d.is_test then ${END_TO_BEGIN} end,
        generation = d.generation + 1, updated_at = now()
      from unnest(${deliveryIds}::uuid[], ${leases.map((lease) => lease.leaseToken)}::uuid[],
        ${leases.map((lease) => lease.place)}::timestamptz[]) as l(delivery_id, lease_token, place)
      where ${among('d.id', deliveryIds)} and d.id = l.delivery_id and ${isHeld(endpointId)}`,
  );
}

/**
 * Condition on a delivery `d` and a lease `l`: the lease has not been lost. A lease is held until it is ended, even
 * after its time.
 */
function isHeld(endpointId: string): Prisma.Sql {
  return Prisma.sql`d.endpoint_id = ${endpointId}::uuid and d.is_pulled and d.status = 'delivering'
    and d.lease_token = l.lease_token`;
}
