import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { among, keyMs, rangeOf } from '@posthorn/db/uuid-range';
import { IS_LIVE } from './agent-subscriptions.ts';
import { deferAtOpenBreaker } from './breaker.ts';
import { type ClaimedEvent, type EventRow, MAX_CLAIMED_PAYLOAD_BYTES, toClaimedEvent } from './claimed-event.ts';
import {
  type AskedLease,
  askForLease,
  LEASE_MARGIN_SECONDS,
  NOT_LEASED,
  QUARANTINE_LOST_LEASES,
  SUSPECT_LOST_LEASES,
} from './lease.ts';
import { readStatement } from './statement.ts';
import { dueOf, IN_LINE } from './waiting.ts';

/** A delivery to claim. The event's id finds the event's partition in the same statement. */
export type ClaimRequest = {
  deliveryId: string;
  eventId: string;
  endpointId: string;
  /**
   * The caller claims no other isolated row at the same time. Without this, a row that lost two leases in a row is not
   * claimed.
   */
  isolated?: boolean;
  /** It is the delivery's turn in the line of its endpoint. Without this, no delivery in a line is claimed. */
  fromLine?: boolean;
};

export type Claim =
  /** The caller holds the lease. Make the attempt and settle it, or defer the delivery with the token. */
  | ({ kind: 'claimed' } & ClaimedDelivery)
  /**
   * The claim ended the delivery: its endpoint is inactive or deleted, the agent's subscription has ended, it lost its
   * fifth lease in a row, or it is a test that did not begin in time or lost its lease.
   */
  | { kind: 'ended'; reason: ClaimEndReason; eventType: string | null; isTest: boolean; orderingKey: string | null }
  /**
   * The endpoint's breaker is open. The delivery waits in the endpoint's line, and no attempt is spent. It gets no job.
   */
  | { kind: 'breaker_open' }
  /** Leased by another worker, or claimable only in isolation. Enqueue it under this round for the end of the lease. */
  | { kind: 'leased'; generation: number; round: number; delayMs: number; isolated: boolean }
  /** Not due, or ended: the job is late or repeated. Drop it. */
  | { kind: 'nothing' };

export type ClaimEndReason =
  | 'endpoint_inactive'
  | 'endpoint_deleted'
  | 'subscription_ended'
  | 'quarantined'
  | 'cancelled'
  | 'retries_exhausted';

export type ClaimedDelivery = AskedLease & {
  deliveryId: string;
  eventId: string;
  workspaceId: string;
  endpointId: string;
  /** The endpoint's revision at the claim. A cached endpoint of this revision is up to date. */
  endpointRevision: string;
  /** Set if the delivery is the head of an order. Its end releases the next one. */
  orderingKey: string | null;
  attemptNumber: number;
  /** The number of retries that a person or an operation has asked for; absent if there are none. */
  manualRetries?: number;
  trigger: AttemptTrigger;
  scheduleStep: number;
  /** Leases lost in a row before this one. */
  lostLeases: number;
  /** For an offer, the milliseconds that were left of it when it was read. Absent for a lease. */
  offerLeftMs?: number;
  /**
   * How long the agent's subscription still lived when the lease was requested, in milliseconds. Absent for other
   * endpoints.
   */
  lifeMs?: number;
  /** The age of the event since its acceptance, by Postgres' clock. */
  eventAgeSeconds: number;
  /** The event as ingested, or null if retention has deleted it. */
  event: ClaimedEvent | null;
};

export type AttemptTrigger = 'schedule' | 'manual' | 'recovery' | 'test';

export type ClaimOptions = {
  /** The timeout for an endpoint without its own. */
  defaultTimeoutSeconds: number;
  /** Which ended leases to take over; all of them by default. */
  takeOver?: TakeOver;
};

/**
 * The rules for taking over ended leases. While Postgres is away, leases end whose results still wait to be written. So
 * a process takes over no lease that ended after its claim was sent, and none while it still waits for others' results.
 */
export type TakeOver = {
  /** A time of Postgres' clock: leases that had ended by then are taken over. Null takes over none. */
  endedBy: Date | null;
  /** After this time, an ended lease is claimed again. */
  againInMs: number;
};

const ANY_ENDED = { endedBy: 'infinity', againInMs: 0 };

/**
 * Claims the given rows that are due by Postgres' clock. Returns one Claim for each, in order. One statement claims the
 * row, checks the endpoint and returns the event, so a change or deletion of the endpoint applies to every attempt that
 * has not started. While an endpoint's breaker is open, its rows wait in its line. When a probe is due, one of them is
 * claimed. Further statements only look at rows that the first one did not claim, so they cost nothing for healthy
 * endpoints. A test delivery is never claimed here, only ended.
 */
export async function claimDeliveries(
  db: Db,
  requests: readonly ClaimRequest[],
  { defaultTimeoutSeconds, takeOver }: ClaimOptions,
): Promise<Claim[]> {
  const { endedBy, againInMs } =
    takeOver === undefined ? ANY_ENDED : { ...takeOver, endedBy: takeOver.endedBy?.toISOString() ?? '-infinity' };
  const options = { defaultTimeoutSeconds, endedBy };
  const claims = await claimDue(db, requests, { ...options, probeIds: [] });
  const left = requests.filter((request) => !claims.has(request.deliveryId));
  if (left.length > 0) {
    const probeIds: string[] = [];
    for (const { deliveryId, ...stopped } of await deferAtOpenBreaker(db, left, options)) {
      if (stopped.kind === 'probe') probeIds.push(deliveryId);
      else claims.set(deliveryId, stopped);
    }
    const probes = requests.filter((request) => probeIds.includes(request.deliveryId));
    if (probes.length > 0) {
      for (const [id, claim] of await claimDue(db, probes, { ...options, probeIds })) claims.set(id, claim);
    }
    const rest = left.filter((request) => !claims.has(request.deliveryId));
    const { leased, toEnd, toPull } = await findLeasedAndOrdered(db, rest);
    if (toPull.length > 0) await waitForConsumers(db, toPull);
    for (const { id, ...one } of leased) {
      claims.set(id, { kind: 'leased', ...one, delayMs: Math.max(one.delayMs, againInMs) });
    }
    const ends = rest.filter((request) => toEnd.has(request.deliveryId));
    if (ends.length > 0) {
      for (const [id, claim] of await claimDue(db, ends, { ...options, probeIds: [], endsOrdered: true })) {
        claims.set(id, claim);
      }
    }
  }
  return requests.map((request) => {
    const claim = claims.get(request.deliveryId) ?? { kind: 'nothing' };
    // Claim a delivery only once if a batch has it twice.
    claims.delete(request.deliveryId);
    return claim;
  });
}

/** The age of a row's event in seconds. */
export function eventAgeSeconds(eventId: 'c.event_id' | 's.event_id' | 'd.event_id'): Prisma.Sql {
  return Prisma.sql`(extract(epoch from now()) - ${keyMs(eventId)} / 1000.0)::float8`;
}

type ClaimDueOptions = {
  defaultTimeoutSeconds: number;
  /** A time of Postgres' clock: leases that had ended by then are taken over. */
  endedBy: string;
  probeIds: string[];
  /** Also ends deliveries with an ordering key, after taking the locks of their orders. */
  endsOrdered?: boolean;
};

/** Condition: claiming a row `d` quarantines it. A lease that a consumer lost says nothing about the delivery. */
const IS_QUARANTINED = Prisma.sql`(d.status = 'delivering' and not d.is_pulled and d.lost_leases + 1 >= ${QUARANTINE_LOST_LEASES}::int)`;

/** Condition: claiming a row `d` of an endpoint `p` ends it. The end of a test is separate. */
const CLAIM_ENDS = Prisma.sql`(p.deleted_at is not null or not p.is_active or not ${IS_LIVE} or ${IS_QUARANTINED})`;

const CLAIM_IN_ORDER = readStatement<ClaimRow>('claim');
/** The claim that ends no delivery with an ordering key. */
const CLAIM = readStatement<ClaimRow>('claim', { without: 'order' });

async function claimDue(
  db: Db,
  requests: readonly ClaimRequest[],
  { defaultTimeoutSeconds, endedBy, probeIds, endsOrdered = false }: ClaimDueOptions,
): Promise<Map<string, Claim>> {
  const deliveryIds = requests.map((request) => request.deliveryId).sort();
  const isolatedIds = requests.filter((request) => request.isolated === true).map((request) => request.deliveryId);
  const lineIds = requests.filter((request) => request.fromLine === true).map((request) => request.deliveryId);
  const eventIds = requests.map((request) => request.eventId);
  const endpointIds = [...new Set(requests.map((request) => request.endpointId))];
  const lease = askForLease();
  const { run } = endsOrdered ? CLAIM_IN_ORDER : CLAIM;
  const rows = await retryConflicts(() =>
    run(db, [
      deliveryIds,
      ...rangeOf(deliveryIds),
      ...rangeOf(eventIds),
      endpointIds,
      lease.leaseToken,
      defaultTimeoutSeconds,
      LEASE_MARGIN_SECONDS,
      isolatedIds,
      lineIds,
      probeIds,
      endedBy,
      SUSPECT_LOST_LEASES,
      QUARANTINE_LOST_LEASES,
      MAX_CLAIMED_PAYLOAD_BYTES,
    ]),
  );
  return new Map(rows.map((row) => [row.id, toClaim(row, lease)]));
}

/**
 * Condition: a dispatcher leases the row `d`, or has leased it. Excluded are deliveries that entered their endpoint's
 * line after losing a lease, which wait for their turn, and pulled deliveries, which wait for a consumer. Their due
 * times are moved 5,000 years ahead.
 */
const IS_LEASED = Prisma.sql`(d.status = 'delivering' and not d.is_pulled and not ${IN_LINE})`;

type LeasedRow = { id: string; generation: number; round: number; delayMs: number; isolated: boolean };

/**
 * Finds, among the rows that were not claimed, those that another worker leases, and those with an ordering key that a
 * claim must end. BullMQ may rerun the job of a dead process before its lease has ended. If that job were dropped, the
 * delivery would have to wait for the reconciler.
 */
async function findLeasedAndOrdered(
  db: Db,
  requests: readonly ClaimRequest[],
): Promise<{ leased: LeasedRow[]; toEnd: ReadonlySet<string>; toPull: readonly string[] }> {
  if (requests.length === 0) return { leased: [], toEnd: new Set(), toPull: [] };
  const deliveryIds = requests.map((request) => request.deliveryId);
  const lineIds = requests.filter((request) => request.fromLine === true).map((request) => request.deliveryId);
  const rows = await db.$queryRaw<(LeasedRow & { isLeased: boolean; ends: boolean; isPulled: boolean })[]>`
    select d.id, d.generation, case when ${IS_LEASED} then
        floor(extract(epoch from coalesce(d.leased_until, d.due_at)))::int else 0 end as round,
      case when ${IS_LEASED} then
        greatest(0, ceil(extract(epoch from greatest(d.leased_until, d.due_at) - now()) * 1000))::int else 0 end as "delayMs",
      d.lost_leases + 1 >= ${SUSPECT_LOST_LEASES}::int as isolated,
      ${IS_LEASED} as "isLeased", d.is_pulled and not ${CLAIM_ENDS} as "isPulled",
      d.ordering_key is not null and (d.due_at <= now() or ${IN_LINE}) and ${NOT_LEASED} and ${CLAIM_ENDS} as ends
    from delivery d join endpoint p on p.id = d.endpoint_id
    where ${among('d.id', deliveryIds)} and (d.status = 'delivering' or d.is_pulled
      or d.ordering_key is not null and (d.due_at <= now() or ${IN_LINE} and d.id = any(${lineIds}::uuid[])))`;
  return {
    leased: rows.flatMap(({ isLeased, ends: _ends, isPulled: _pulled, ...row }) => (isLeased ? [row] : [])),
    toEnd: new Set(rows.filter((row) => row.ends).map((row) => row.id)),
    toPull: rows.filter((row) => row.isPulled).map((row) => row.id),
  };
}

/** Puts deliveries back to wait for consumers: their pull endpoint was activated again before they were ended. */
async function waitForConsumers(db: Db, deliveryIds: readonly string[]): Promise<void> {
  await db.$executeRaw`
    update delivery d set due_at = ${dueOf(Prisma.sql`d.due_at`, Prisma.sql`d.is_pulled`)}
    where ${among('d.id', deliveryIds)} and d.is_pulled and d.due_at <= now() and ${NOT_LEASED}`;
}

export type ClaimRow = EventRow & {
  id: string;
  event_id: string;
  workspace_id: string;
  endpoint_id: string;
  revision: string;
  status: 'delivering' | 'failed' | 'dead_letter';
  failure_reason: ClaimEndReason | null;
  total_attempts: number;
  manual_retries: number;
  next_trigger: AttemptTrigger;
  schedule_step: number;
  lost_leases: number;
  delivery_event_type: string | null;
  is_test: boolean;
  ordering_key: string | null;
  event_age_seconds: number;
  /** Absent if only endpoints without an expiry are claimed. */
  life_ms?: number | null;
  has_event: boolean;
};

function toClaim(row: ClaimRow, lease: AskedLease): Claim {
  if (row.failure_reason !== null) {
    const { failure_reason: reason, delivery_event_type: eventType, is_test: isTest, ordering_key: orderingKey } = row;
    return { kind: 'ended', reason, eventType, isTest, orderingKey };
  }
  return { kind: 'claimed', ...toClaimed(row, lease) };
}

/** The claimed delivery of a row. */
export function toClaimed(row: ClaimRow, lease: AskedLease): ClaimedDelivery {
  return {
    deliveryId: row.id,
    eventId: row.event_id,
    workspaceId: row.workspace_id,
    endpointId: row.endpoint_id,
    endpointRevision: row.revision,
    orderingKey: row.ordering_key,
    ...lease,
    eventAgeSeconds: row.event_age_seconds,
    ...(row.life_ms == null ? {} : { lifeMs: row.life_ms }),
    // A lost lease spent no attempt, so its attempt number is used again.
    attemptNumber: row.total_attempts + 1,
    manualRetries: row.manual_retries,
    trigger: row.next_trigger,
    scheduleStep: row.schedule_step,
    lostLeases: row.lost_leases,
    event: row.has_event ? toClaimedEvent(row) : null,
  };
}
