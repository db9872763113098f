import type { Db } from '@posthorn/db/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { among } from '@posthorn/db/uuid-range';
import { cancelReasonOf, storableAcknowledgement, storableText, toBase64 } from './attempt-columns.ts';
import { outcomesCounted, successesToGather } from './breaker.ts';
import type { AttemptTrigger } from './claim.ts';
import { type GatheredSuccesses, takeGathered } from './gathered-successes.ts';
import type { NextState } from './next-state.ts';
import { endsOfHeads, type Head, headsOf } from './ordering.ts';

/** One request and its result. The row is written once and never changed. */
export type AttemptRecord = {
  id: string;
  number: number;
  trigger: AttemptTrigger;
  succeeded: boolean;
  startedAt: Date;
  durationMs: number;
  timings: { dnsMs: number | null; connectMs: number | null; tlsMs: number | null; ttfbMs: number | null };
  url: string;
  /** Credentials are already redacted. */
  requestHeaders: Record<string, string>;
  /** The beginning of the sent body, sealed, where the kind of endpoint keeps it. */
  requestBody?: Uint8Array | null;
  responseStatus: number | null;
  /** What the receiver answered, sealed: it may repeat the payload. */
  responseHeadersSealed: Uint8Array | null;
  responseBodySealed: Uint8Array | null;
  responseTruncated: boolean;
  errorCode: string | null;
  errorMessage: string | null;
  remoteAddress: string | null;
  /** The kept connection ended before a byte of the answer, and the attempt went on over a new one. */
  reconnected?: boolean;
  /** What a broker or a store said about the message that it has. */
  acknowledgement?: Readonly<Record<string, string | number | boolean>> | null;
};

export type Settlement = {
  deliveryId: string;
  endpointId: string;
  leaseToken: string;
  /** Null when no request could be made. */
  attempt: AttemptRecord | null;
  next: NextState;
  /** The ordering key of the claim. When the head of an order ends, the same statement releases the next head. */
  orderingKey?: string | null;
};

export type Settled =
  /** The status changed. A retry is due in `delayMs`; enqueue it under this generation. */
  | {
      kind: 'settled';
      generation: number;
      delayMs: number | null;
      /** The delivery that this settlement released because this one ended: it is due. */
      follower?: Head | undefined;
    }
  /** The caller had lost the lease: the attempt is stored, and the row changed only if the attempt was a success. */
  | { kind: 'stale' };

/**
 * Writes attempts and the states after them in one statement. Returns one Settled for each, in order. A stale lease may
 * only make an undelivered row delivered, and only when its attempt is new: a settle that is repeated because its reply
 * was lost must not undo a manual retry in between. A repeated settle writes no duplicate, and is `settled` again while
 * the row is as it wrote it, so that its caller can count and enqueue. The endpoint's health is written only when it
 * changes, and a test never changes it. With `gathered`, a success that changes only the count of attempts is added
 * there. It is written later by `writeGathered`, or with the next failure of the endpoint.
 */
export async function settleDeliveries(
  db: Db,
  settlements: readonly Settlement[],
  gathered?: GatheredSuccesses,
): Promise<Settled[]> {
  const answers = new Map<Settlement, Settled>();
  for (const round of roundsOf(settlements)) {
    const settled = await settleOnce(db, round, gathered);
    for (const [index, settlement] of round.entries()) answers.set(settlement, settled[index] ?? { kind: 'stale' });
  }
  return settlements.map((settlement) => answers.get(settlement) ?? { kind: 'stale' });
}

/**
 * One statement changes a row only once. If there are two results for a delivery, because a lease was lost, the second
 * goes into the next statement.
 */
function roundsOf(settlements: readonly Settlement[]): Settlement[][] {
  const rounds: Settlement[][] = [];
  const seen = new Map<string, number>();
  for (const settlement of settlements) {
    const round = seen.get(settlement.deliveryId) ?? 0;
    seen.set(settlement.deliveryId, round + 1);
    rounds[round] = [...(rounds[round] ?? []), settlement];
  }
  return rounds;
}

/** Failures that say nothing about the receiver: they change neither the breaker nor the health. */
const SAYS_NOTHING = ['internal', 'throttled', 'transformation_failed'];
const saysSomething = ({ errorCode }: AttemptRecord) => errorCode === null || !SAYS_NOTHING.includes(errorCode);

async function settleOnce(
  db: Db,
  settlements: readonly Settlement[],
  gathered: GatheredSuccesses | undefined,
): Promise<Settled[]> {
  if (settlements.length === 0) return [];
  const sorted = [...settlements].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
  // In the update, `attempts` is read by a subquery of one value, which Postgres evaluates before it looks again at a row that
  // another transaction has changed. With `in (select …)`, it would run the insert at that point, and fail with XX000:
  // "ModifyTable should not be called during EvalPlanQual".
  // One JSON text instead of 26 arrays: the driver would spend a third of the time on the arrays.
  const results = JSON.stringify(sorted.map(toResult));
  const failing = sorted
    .filter(({ attempt }) => attempt?.succeeded === false && attempt.trigger !== 'test' && saysSomething(attempt))
    .map(({ endpointId }) => endpointId);
  const heads = endsOfHeads(
    sorted.flatMap(({ endpointId, orderingKey }) =>
      orderingKey === null || orderingKey === undefined ? [] : [{ endpointId, orderingKey }],
    ),
  );
  const carried = JSON.stringify(takeGathered(gathered ?? new Map(), failing));
  const deliveryIds = sorted.map((settlement) => settlement.deliveryId);
  const rows = await retryConflicts(
    () => db.$queryRaw<ChangedRow[]>`
      with ${heads.locks}result as materialized (
        select * from json_to_recordset(${results}::json) as r(
          delivery_id uuid, endpoint_id uuid, lease_token uuid, status delivery_status, failure_reason text, cancel_reason text,
          delay_seconds float8, attempt_id uuid, number int, trigger attempt_trigger, succeeded bool,
          started_at timestamptz, duration_ms real, dns_ms real, connect_ms real, tls_ms real, ttfb_ms real, url text,
          request_headers json, request_body text, response_status smallint, response_headers_sealed text,
          response_body_sealed text,
          response_truncated bool, error_code text, error_message text, remote_address text,
          reconnected bool, acknowledgement json)
      ), attempts as (
        insert into attempt (delivery_id, id, number, trigger, succeeded, started_at, duration_ms, dns_ms, connect_ms,
          tls_ms, ttfb_ms, url, request_headers, request_body, response_status, response_headers_sealed, response_body_sealed,
          response_truncated, error_code, error_message, remote_address, reconnected,
          acknowledgement)
        select delivery_id, attempt_id, number, trigger, succeeded, started_at, duration_ms, dns_ms, connect_ms,
          tls_ms, ttfb_ms, url, request_headers, decode(request_body, 'base64'), response_status,
          decode(response_headers_sealed, 'base64'), decode(response_body_sealed, 'base64'),
          response_truncated, error_code, error_message, remote_address, coalesce(reconnected, false),
          acknowledgement
        from result where attempt_id is not null
        on conflict do nothing
        returning id
      ), outcome as materialized (
        select r.endpoint_id, (count(*) + coalesce(max(c.attempts), 0))::int as attempts,
          (count(*) filter (where not succeeded))::int as failures, bool_or(succeeded) as succeeded
        from result r
        left join json_to_recordset(${carried}::json) as c(endpoint_id uuid, attempts int) on c.endpoint_id = r.endpoint_id
        where attempt_id in (select id from attempts) and (error_code is null or error_code <> all(${SAYS_NOTHING}::text[]))
          and trigger <> 'test'
        group by r.endpoint_id
      ), gathers as materialized (${successesToGather} and ${gathered !== undefined}::bool
      ), ${outcomesCounted}${heads.opening}
      update delivery d set
        status = r.status,
        failure_reason = r.failure_reason,
        cancel_reason = r.cancel_reason,
        due_at = now() + make_interval(secs => r.delay_seconds),
        generation = d.generation + 1,
        lease_token = null,
        leased_until = null,
        lost_leases = 0,
        schedule_step = d.schedule_step + (r.status = 'scheduled_retry')::int,
        next_trigger = 'schedule',
        total_attempts = greatest(d.total_attempts, r.number),
        last_response_status = case when r.attempt_id is null then d.last_response_status else r.response_status end,
        first_attempt_at = coalesce(d.first_attempt_at, r.started_at),
        delivered_at = case when r.status = 'delivered' then coalesce(d.delivered_at, now()) else d.delivered_at end,
        updated_at = now()
      from result r
      where ${among('d.id', deliveryIds)} and d.id = r.delivery_id ${heads.condition}
        and ((d.status = 'delivering' and d.lease_token = r.lease_token)
          or (r.succeeded and d.status <> 'delivered'
            and r.attempt_id = any((select array_agg(id) from attempts)::uuid[])))
      returning d.id, d.generation, d.endpoint_id,
        r.succeeded and d.endpoint_id in (select endpoint_id from gathers) as gathers${heads.closing}`,
  );
  const changed = new Map(rows.map((row) => [row.id, row]));
  for (const { endpoint_id, gathers } of changed.values()) {
    if (gathers) gathered?.set(endpoint_id, (gathered.get(endpoint_id) ?? 0) + 1);
  }
  const left = settlements.filter(({ deliveryId }) => !changed.has(deliveryId));
  const repeated = await findRepeated(db, left);
  return settlements.map(({ deliveryId, next }) => {
    const row = changed.get(deliveryId);
    if (row === undefined) return repeated.get(deliveryId) ?? { kind: 'stale' };
    return {
      kind: 'settled',
      generation: row.generation,
      delayMs: next.status === 'scheduled_retry' ? next.delaySeconds * 1_000 : null,
      follower: row.deliveryId ? row : undefined,
    };
  });
}

/**
 * Of the settlements that changed nothing, finds those that took effect before, when their reply was lost: the
 * transaction that wrote the attempt also wrote the row as it is now. After any later change, as a manual retry, the
 * settlement is stale.
 */
async function findRepeated(db: Db, settlements: readonly Settlement[]): Promise<Map<string, Settled>> {
  const sent = settlements.filter(({ attempt }) => attempt !== null);
  if (sent.length === 0) return new Map();
  const deliveryIds = sent.map(({ deliveryId }) => deliveryId);
  const attemptIds = sent.flatMap(({ attempt }) => attempt?.id ?? []);
  const rows = await db.$queryRaw<{ id: string; generation: number; delayMs: number | null }[]>`
    select d.id, d.generation,
      case when d.due_at is not null then greatest(0, ceil(extract(epoch from d.due_at - now()) * 1000))::int end
        as "delayMs"
    from delivery d cross join lateral (
      select xmin as writer from attempt where delivery_id = d.id and id = any(${attemptIds}::uuid[]) offset 0) a
    where ${among('d.id', deliveryIds)} and d.xmin = a.writer`;
  const found = new Map(rows.map(({ id, ...row }) => [id, row]));
  const ended = sent.flatMap(({ deliveryId, endpointId, orderingKey, next }) =>
    found.has(deliveryId) && orderingKey && next.status !== 'scheduled_retry' ? [{ endpointId, orderingKey }] : [],
  );
  const heads = await headsOf(db, ended);
  return new Map(
    sent.flatMap(({ deliveryId, endpointId, orderingKey }) => {
      const row = found.get(deliveryId);
      if (row === undefined) return [];
      const follower = heads.find((head) => head.endpointId === endpointId && head.orderingKey === orderingKey);
      return [[deliveryId, { kind: 'settled', ...row, follower }] as const];
    }),
  );
}

/** The columns of `Head` are those of the delivery that follows. They are null or missing if none follows. */
type ChangedRow = { id: string; generation: number; endpoint_id: string; gathers: boolean | null } & (
  | Head
  | { deliveryId?: null }
);

function toResult({ deliveryId, endpointId, leaseToken, attempt, next }: Settlement): Record<string, unknown> {
  return {
    delivery_id: deliveryId,
    endpoint_id: endpointId,
    lease_token: leaseToken,
    status: next.status,
    failure_reason: 'failureReason' in next ? next.failureReason : null,
    cancel_reason: cancelReasonOf(next),
    delay_seconds: 'delaySeconds' in next ? next.delaySeconds : null,
    ...(attempt === null ? {} : attemptColumns(attempt)),
  };
}

function attemptColumns(attempt: AttemptRecord): Record<string, unknown> {
  return {
    attempt_id: attempt.id,
    number: attempt.number,
    trigger: attempt.trigger,
    succeeded: attempt.succeeded,
    started_at: attempt.startedAt,
    duration_ms: attempt.durationMs,
    dns_ms: attempt.timings.dnsMs,
    connect_ms: attempt.timings.connectMs,
    tls_ms: attempt.timings.tlsMs,
    ttfb_ms: attempt.timings.ttfbMs,
    url: attempt.url,
    request_headers: attempt.requestHeaders,
    request_body: toBase64(attempt.requestBody),
    response_status: attempt.responseStatus,
    response_headers_sealed: toBase64(attempt.responseHeadersSealed),
    response_body_sealed: toBase64(attempt.responseBodySealed),
    response_truncated: attempt.responseTruncated,
    error_code: attempt.errorCode,
    error_message: attempt.errorMessage === null ? null : storableText(attempt.errorMessage),
    remote_address: attempt.remoteAddress,
    reconnected: attempt.reconnected,
    acknowledgement: storableAcknowledgement(attempt.acknowledgement),
  };
}
