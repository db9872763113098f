import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { among } from '@posthorn/db/uuid-range';
import { cancelReasonOf, storableText, toBase64 } from './attempt-columns.ts';
import { type AttemptTrigger, eventAgeSeconds } from './claim.ts';
import { hasOneAttempt } from './claimed-event.ts';
import type { Lease } from './lease-deliveries.ts';
import type { AfterLease } from './lease-outcome.ts';
import { LOCKS_ARE_TAKEN, locksOfChosen } from './ordering.ts';
import { dueOf } from './waiting.ts';

/** A delivery that a consumer holds, or was the last to hold. Nobody has leased it since. */
export type HeldDelivery = Lease & {
  eventId: string;
  workspaceId: string;
  endpointId: string;
  eventType: string | null;
  orderingKey: string | null;
  isTest: boolean;
  /** The event keeps no payload for a retry. */
  hasOneAttempt: boolean;
  /** False after the end of the lease. */
  isHeld: boolean;
  /** Increases with every change. `settleLeases` compares it. */
  generation: number;
  totalAttempts: number;
  trigger: AttemptTrigger;
  scheduleStep: number;
  lostLeases: number;
  eventAgeSeconds: number;
};

const HELD_COLUMNS = Prisma.sql`d.id as "deliveryId", d.lease_token as "leaseToken", d.event_id as "eventId",
  d.workspace_id as "workspaceId", d.endpoint_id as "endpointId", d.event_type as "eventType",
  d.ordering_key as "orderingKey", d.is_test as "isTest",
  ${hasOneAttempt('d.event_id')} as "hasOneAttempt", d.status = 'delivering' as "isHeld", d.generation,
  d.total_attempts as "totalAttempts", d.next_trigger as trigger, d.schedule_step as "scheduleStep",
  d.lost_leases as "lostLeases", ${eventAgeSeconds('d.event_id')} as "eventAgeSeconds"`;

/** The given leases whose deliveries nobody else has leased since, by delivery. */
export async function heldDeliveries(
  db: Db,
  endpointId: string,
  leases: readonly Lease[],
): Promise<Map<string, HeldDelivery>> {
  if (leases.length === 0) return new Map();
  const deliveryIds = leases.map((lease) => lease.deliveryId);
  const rows = await db.$queryRaw<HeldDelivery[]>`
    select ${HELD_COLUMNS} from delivery d
    where ${among('d.id', deliveryIds)} and d.endpoint_id = ${endpointId}::uuid and d.is_pulled
      and (d.id, d.lease_token) in (select * from unnest(${deliveryIds}::uuid[],
        ${leases.map((lease) => lease.leaseToken)}::uuid[]))`;
  return new Map(rows.map((row) => [row.deliveryId, row]));
}

/** The most ended leases to look at in one call. More follow once these are settled. */
const ENDED_LOOKED_AT = 5_000;

export type ExpiredLease = HeldDelivery & { retrySchedule: number[] | null; url: string };

/**
 * Finds the list in a config that JSON.stringify wrote. `->` would read the whole config, and fail on a text with
 * U+0000 or half a surrogate pair, which `json` keeps. Inside a text, a backslash precedes each quote, so this cannot
 * match there.
 */
const RETRY_SCHEDULE = String.raw`"retrySchedule": *(\[[0-9, ]*\])`;

/**
 * Leases that have ended by Postgres' clock, beginning with those that ended first. The owners of their workspaces take
 * turns, so that many leases of one owner do not delay others. The status is checked, because version 0.3.0 left the
 * end of a lease in deliveries that a claim had ended.
 */
export function expiredLeases(db: Db, most: number): Promise<ExpiredLease[]> {
  return db.$queryRaw<ExpiredLease[]>`
    select ${HELD_COLUMNS}, p.url,
      substring(p.config::text from ${RETRY_SCHEDULE}::text)::json as "retrySchedule"
    from (
      select l.*, row_number() over (partition by coalesce(o.created_by, l.workspace_id) order by l.pull_leased_until, l.id) as place
      from (
        select * from delivery where is_pulled and pull_leased_until <= now() and status = 'delivering'
        order by pull_leased_until limit ${ENDED_LOOKED_AT}::int) l
      left join workspace o on o.id = l.workspace_id) d join endpoint p on p.id = d.endpoint_id
    order by d.place, d.pull_leased_until limit ${most}::int`;
}

/** The attempt that a lease stands for. */
export type LeaseAttempt = {
  id: string;
  succeeded: boolean;
  startedAt: Date;
  durationMs: number;
  url: string;
  responseStatus: number | null;
  /** The consumer's own words, sealed, with empty headers; null if it said nothing. */
  responseHeadersSealed: Uint8Array | null;
  responseBodySealed: Uint8Array | null;
  errorCode: string | null;
  errorMessage: string | null;
};

export type LeaseSettlement = {
  held: HeldDelivery;
  after: AfterLease;
  /** Null if the consumer was given nothing. */
  attempt: LeaseAttempt | null;
  /** Whether the consumer may still answer, as long as nobody else leases the delivery. */
  mayStillAnswer: boolean;
};

/**
 * Writes how leases ended, and their attempts, in one statement. Returns the ids of the changed deliveries. A delivery
 * that has changed since it was read is left as it is.
 */
export async function settleLeases(db: Db, settlements: readonly LeaseSettlement[]): Promise<Set<string>> {
  if (settlements.length === 0) return new Set();
  const sorted = [...settlements].sort((a, b) => (a.held.deliveryId < b.held.deliveryId ? -1 : 1));
  const deliveryIds = sorted.map(({ held }) => held.deliveryId);
  const results = JSON.stringify(sorted.map(toResult));
  const isOrdered = sorted.some(({ held }) => held.orderingKey !== null);
  const order = isOrdered
    ? { locks: Prisma.sql`${locksOfChosen(among('id', deliveryIds))}, `, condition: Prisma.sql`and ${LOCKS_ARE_TAKEN}` }
    : { locks: Prisma.empty, condition: Prisma.empty };
  const rows = await retryConflicts(
    () => db.$queryRaw<{ id: string }[]>`
      with ${order.locks}result as materialized (
        select * from json_to_recordset(${results}::json) as r(
          delivery_id uuid, lease_token uuid, generation int, status delivery_status, failure_reason text, cancel_reason text,
          delay_seconds float8, schedule_step int, lost_leases int, keeps_token bool, trigger attempt_trigger,
          attempt_id uuid, succeeded bool, started_at timestamptz, duration_ms real, url text, response_status smallint,
          response_headers_sealed text, response_body_sealed text, error_code text, error_message text)
      ), changed as (
        update delivery d set
          status = r.status, failure_reason = r.failure_reason, cancel_reason = r.cancel_reason,
          due_at = ${dueOf(Prisma.sql`now() + make_interval(secs => r.delay_seconds)`, Prisma.sql`true`)},
          generation = d.generation + 1, lease_token = case when r.keeps_token then d.lease_token end,
          leased_until = null, pull_leased_until = null, lost_leases = r.lost_leases, schedule_step = r.schedule_step, next_trigger = 'schedule',
          total_attempts = d.total_attempts + (r.attempt_id is not null)::int,
          last_response_status = case when r.attempt_id is null then d.last_response_status else r.response_status end,
          first_attempt_at = coalesce(d.first_attempt_at, r.started_at),
          delivered_at = case when r.status = 'delivered' then coalesce(d.delivered_at, now()) else d.delivered_at end,
          updated_at = now()
        from result r
        where ${among('d.id', deliveryIds)} and d.id = r.delivery_id and d.lease_token = r.lease_token
          and d.generation = r.generation and d.status <> 'delivered' ${order.condition}
        returning d.id, d.total_attempts
      ), attempts as (
        insert into attempt (delivery_id, id, number, trigger, succeeded, started_at, duration_ms, url, request_headers,
          response_status, response_headers_sealed, response_body_sealed, error_code, error_message)
        select r.delivery_id, r.attempt_id, c.total_attempts, r.trigger, r.succeeded, r.started_at, r.duration_ms, r.url,
          '{}', r.response_status, decode(r.response_headers_sealed, 'base64'),
          decode(r.response_body_sealed, 'base64'), r.error_code, r.error_message
        from result r join changed c on c.id = r.delivery_id where r.attempt_id is not null
        on conflict do nothing
      )
      select id from changed`,
  );
  return new Set(rows.map((row) => row.id));
}

/**
 * The ids of given attempts that are already stored with the same success or failure: an answer is repeated if its
 * first result was lost.
 */
export async function storedAttempts(
  db: Db,
  attempts: readonly { deliveryId: string; id: string; succeeded: boolean }[],
): Promise<Set<string>> {
  if (attempts.length === 0) return new Set();
  const rows = await db.attempt.findMany({
    where: { OR: attempts.map(({ deliveryId, id, succeeded }) => ({ deliveryId, id, succeeded })) },
    select: { id: true },
  });
  return new Set(rows.map((row) => row.id));
}

function toResult({ held, after, attempt, mayStillAnswer }: LeaseSettlement): Record<string, unknown> {
  const { next, scheduleStep, lostLeases } = after;
  return {
    delivery_id: held.deliveryId,
    lease_token: held.leaseToken,
    generation: held.generation,
    status: next.status,
    failure_reason: 'failureReason' in next ? next.failureReason : null,
    cancel_reason: cancelReasonOf(next),
    delay_seconds: 'delaySeconds' in next ? next.delaySeconds : null,
    schedule_step: scheduleStep,
    lost_leases: lostLeases,
    keeps_token: mayStillAnswer,
    trigger: held.trigger,
    ...(attempt === null ? {} : attemptColumns(attempt)),
  };
}

function attemptColumns(attempt: LeaseAttempt): Record<string, unknown> {
  return {
    attempt_id: attempt.id,
    succeeded: attempt.succeeded,
    started_at: attempt.startedAt,
    duration_ms: attempt.durationMs,
    url: attempt.url,
    response_status: attempt.responseStatus,
    response_headers_sealed: toBase64(attempt.responseHeadersSealed),
    response_body_sealed: toBase64(attempt.responseBodySealed),
    error_code: attempt.errorCode,
    error_message: attempt.errorMessage === null ? null : storableText(attempt.errorMessage),
  };
}
