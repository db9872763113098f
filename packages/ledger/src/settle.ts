import type { Db } from '@posthorn/db/client';
import { retryConflicts } from '@posthorn/db/transaction';
import { among, rangeOf } from '@posthorn/db/uuid-range';
import { cancelReasonOf, storableAcknowledgement, storableText, toBase64 } from './attempt-columns.ts';
import type { AttemptTrigger } from './claim.ts';
import { type GatheredSuccesses, takeGathered } from './gathered-successes.ts';
import type { NextState } from './next-state.ts';
import { type Head, headsOf } from './ordering.ts';
import { readStatement } from './statement.ts';

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
  /** The beginning of the sent body, sealed, if the kind of endpoint stores it. */
  requestBody?: Uint8Array | null;
  responseStatus: number | null;
  /** The receiver's response, sealed because it may repeat the payload. */
  responseHeadersSealed: Uint8Array | null;
  responseBodySealed: Uint8Array | null;
  responseTruncated: boolean;
  errorCode: string | null;
  errorMessage: string | null;
  remoteAddress: string | null;
  /**
   * Set if the kept connection ended before the first byte of the response, so that the attempt continued over a new
   * one.
   */
  reconnected?: boolean;
  /** What a broker or a store said about the message that it stored. */
  acknowledgement?: Readonly<Record<string, string | number | boolean>> | null;
};

export type Settlement = {
  deliveryId: string;
  endpointId: string;
  leaseToken: string;
  /** Null if no request could be made. */
  attempt: AttemptRecord | null;
  next: NextState;
  /** The ordering key from the claim. When the head of an order ends, the same statement releases the next head. */
  orderingKey?: string | null;
};

export type Settled =
  /** The status changed. A retry is due in `delayMs`. Enqueue it under this generation. */
  | {
      kind: 'settled';
      generation: number;
      delayMs: number | null;
      /** The due delivery that this settlement released by ending this one. */
      follower?: Head | undefined;
    }
  /** The caller had lost the lease. The attempt is stored, and the row changed only if the attempt was a success. */
  | { kind: 'stale' };

/**
 * Writes attempts and the resulting states in one statement. Returns one Settled for each, in order. A stale lease may
 * only make an undelivered row delivered, and only if its attempt is new: a settle that is repeated because its reply
 * was lost must not undo a manual retry in between. A repeated settle writes no duplicate, and is `settled` again while
 * the row is as it wrote it, so that its caller can count and enqueue. The endpoint's health is written only if it
 * changes, and a test never changes it. With `gathered`, a success that changes only the count of attempts is added
 * there. It is written later by `writeGathered`, or with the endpoint's next failure.
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
 * Splits settlements, because a statement changes a row only once. If a lease was lost, a delivery may have two
 * results; the second goes into the next statement.
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

/** Failures that say nothing about the receiver. They change neither the breaker nor the health. */
const SAYS_NOTHING = ['internal', 'throttled', 'transformation_failed'];
const saysSomething = ({ errorCode }: AttemptRecord) => errorCode === null || !SAYS_NOTHING.includes(errorCode);

const SETTLE_IN_ORDER = readStatement<ChangedRow>('settle');
/** For a batch without the head of an order. */
const SETTLE = readStatement<ChangedRow>('settle', { without: 'order' });

async function settleOnce(
  db: Db,
  settlements: readonly Settlement[],
  gathered: GatheredSuccesses | undefined,
): Promise<Settled[]> {
  if (settlements.length === 0) return [];
  const sorted = [...settlements].sort((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
  const results = JSON.stringify(sorted.map(toResult));
  const failing = sorted
    .filter(({ attempt }) => attempt?.succeeded === false && attempt.trigger !== 'test' && saysSomething(attempt))
    .map(({ endpointId }) => endpointId);
  const orders = sorted.filter(({ orderingKey }) => orderingKey !== null && orderingKey !== undefined);
  const carried = JSON.stringify(takeGathered(gathered ?? new Map(), failing));
  const deliveryIds = sorted.map((settlement) => settlement.deliveryId);
  const values = [results, carried, SAYS_NOTHING, gathered !== undefined, deliveryIds, ...rangeOf(deliveryIds)];
  const ofOrders = [orders.map((one) => one.endpointId), orders.map((one) => one.orderingKey ?? '')];
  const rows = await retryConflicts(() =>
    orders.length === 0 ? SETTLE.run(db, values) : SETTLE_IN_ORDER.run(db, [...values, ...ofOrders]),
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
 * Finds, among the settlements that changed nothing, those that took effect earlier but whose reply was lost: the
 * transaction that wrote the attempt also wrote the row as it is now. After any later change, such as a manual retry,
 * the settlement is stale.
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
