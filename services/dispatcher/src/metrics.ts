import { createIngestMetrics } from '@posthorn/ingest/metrics';
import type { Claim } from '@posthorn/ledger/claim';
import type { AttemptRecord, Settled, Settlement } from '@posthorn/ledger/settle';
import type { Clock } from '@posthorn/runtime/clock';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type DispatcherMetrics = ReturnType<typeof createMetrics>;

/** The dispatcher's metrics, in their own registry. Counting an event takes well under a microsecond. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const ended = createEndCounter(registers);
  const claims = { ...createClaimCounters(registers), ended };
  const attempts = createAttemptMetrics(registers);
  return {
    registry,
    jobsReceived: new Counter({
      name: 'posthorn_jobs_received_total',
      help: 'Jobs received from Redis, by queue.',
      labelNames: ['queue'],
      registers,
    }),
    ...createIngestMetrics(registers),
    deferred: createDeferCounter(registers),
    deliveriesCreated: new Counter({
      name: 'posthorn_deliveries_created_total',
      help: 'Deliveries made by fan-out, and in the API deliveries made where their events were accepted.',
      registers,
    }),
    reconciled: new Counter({
      name: 'posthorn_reconciled_total',
      help: 'Overdue rows that the reconciler enqueued again, by queue.',
      labelNames: ['queue'],
      registers,
    }),
    linesRestored: new Counter({
      name: 'posthorn_lines_restored_total',
      help: 'Lines of endpoints that had deliveries and no turn, which should not happen.',
      registers,
    }),
    ...createOperationCounters(registers),
    settleSeconds: new Histogram({
      name: 'posthorn_settle_seconds',
      help: 'Time from the result of an attempt to its commit, the wait for a batch included.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
      registers,
    }),
    ...createSourceMetrics(registers),
    probes: createProbeCounter(registers),
    tokenRequests: new Counter({
      name: 'posthorn_oauth2_token_requests_total',
      help: 'Requests for a token to the token endpoints of customers (OAuth 2), by result: token, failed or aborted. If it grows with the deliveries, receivers refuse good tokens.',
      labelNames: ['result'],
      registers,
    }),
    ended,
    claimedRows: claims.claimedRows,
    countClaim: (claim: Claim) => countClaim(claims, claim),
    countAttempt: (record: AttemptRecord, delayMs: number | null) => countAttempt(attempts, record, delayMs),
    ...createGauges(registers),
  };
}

function createOperationCounters(registers: Registry[]) {
  return {
    operationDeliveries: new Counter({
      name: 'posthorn_operation_deliveries_total',
      help: 'Deliveries that operations enqueued or cancelled, by the type of the operation.',
      labelNames: ['type'],
      registers,
    }),
    alerts: new Counter({
      name: 'posthorn_alerts_total',
      help: 'Messages of alert rules, by channel (email or chat) and result: sent (a mail: queued), later (it is tried again), refused or given_up.',
      labelNames: ['channel', 'result'],
      registers,
    }),
    terminations: new Counter({
      name: 'posthorn_agent_terminations_total',
      help: 'Messages that tell callbacks of agents that their subscription has ended, by result: sent, later (it is tried again), given_up, or dropped (it has expired, the agent is back, or the host takes none).',
      labelNames: ['result'],
      registers,
    }),
    operationalEvents: new Counter({
      name: 'posthorn_operational_events_total',
      help: 'Operational events that were raised and sent on, by event type.',
      labelNames: ['type'],
      registers,
    }),
  };
}

function createSourceMetrics(registers: Registry[]) {
  return {
    sources: new Gauge({
      name: 'posthorn_sources',
      help: 'Sources that this process reads, by status: starting, running, paused, quota or failing.',
      labelNames: ['status'],
      registers,
    }),
    sourceLag: new Gauge({
      name: 'posthorn_source_lag_records',
      help: 'Records that wait in the topics of the sources that this process reads.',
      registers,
    }),
    sourceRejections: new Counter({
      name: 'posthorn_source_rejections_total',
      help: 'Records of sources that could not become events.',
      registers,
    }),
  };
}

function createProbeCounter(registers: Registry[]) {
  return new Counter({
    name: 'posthorn_probes_total',
    help: 'Tests and examinations of endpoints, by kind and result. No other metric of attempts counts them.',
    labelNames: ['kind', 'result'],
    registers,
  });
}

/** Wraps a settle to record its duration and the end of the delivery. */
export function watchSettle(
  { settleSeconds, ended }: Pick<DispatcherMetrics, 'settleSeconds' | 'ended'>,
  clock: Clock,
  settle: (settlement: Settlement) => Promise<Settled>,
): (settlement: Settlement) => Promise<Settled> {
  return async (settlement) => {
    const startedMs = clock.monotonicMs();
    const settled = await settle(settlement);
    settleSeconds.observe((clock.monotonicMs() - startedMs) / 1_000);
    const { next } = settlement;
    if (settled.kind === 'settled' && next.status !== 'scheduled_retry') {
      ended.inc({ reason: next.status === 'delivered' ? 'delivered' : next.failureReason });
    }
    return settled;
  };
}

function createClaimCounters(registers: Registry[]) {
  return {
    claims: new Counter({
      name: 'posthorn_claims_total',
      help: 'Claims made, by their result.',
      labelNames: ['result'],
      registers,
    }),
    claimedRows: new Histogram({
      name: 'posthorn_claimed_rows',
      help: 'Deliveries that one statement has claimed. About 1 at full load means that many dispatchers ask for the same rows.',
      // A statement claims at most 100.
      buckets: [0, 1, 2, 5, 10, 20, 50, 100],
      registers,
    }),
    leasesExpired: new Counter({
      name: 'posthorn_lease_expired_total',
      help: 'Expired leases found by a claim: the dispatcher of the delivery died or hung.',
      registers,
    }),
    staleJobs: new Counter({
      name: 'posthorn_stale_jobs_total',
      help: 'Jobs that found nothing to do: late, repeated, or already processed by another dispatcher.',
      registers,
    }),
  };
}

/** Reasons with an alert start at 0, because an alert on an increase needs a first value. */
function createDeferCounter(registers: Registry[]): Counter<'reason'> {
  const deferred = new Counter({
    name: 'posthorn_deferred_total',
    help: 'Deliveries moved to a later time without an attempt spent, by reason.',
    labelNames: ['reason'],
    registers,
  });
  deferred.inc({ reason: 'proxy_error' }, 0);
  return deferred;
}

function createEndCounter(registers: Registry[]): Counter<'reason'> {
  const ended = new Counter({
    name: 'posthorn_deliveries_ended_total',
    help: 'Deliveries that have ended, by reason: delivered, or the failure reason.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of ['quarantined', 'payload_unreadable', 'invalid_request', 'retries_exhausted'])
    ended.inc({ reason }, 0);
  return ended;
}

type ClaimCounters = ReturnType<typeof createClaimCounters> & { ended: Counter<'reason'> };

function countClaim(counters: ClaimCounters, claim: Claim): void {
  counters.claims.inc({ result: claim.kind });
  if (claim.kind === 'ended' && !claim.isTest) counters.ended.inc({ reason: claim.reason });
  if (claim.kind === 'nothing') counters.staleJobs.inc();
  const expired = claim.kind === 'claimed' ? claim.lostLeases > 0 : quarantines(claim);
  if (expired) counters.leasesExpired.inc();
}

/** A delivery is quarantined by the claim that finds its fifth lease expired. */
const quarantines = (claim: Claim) => claim.kind === 'ended' && claim.reason === 'quarantined';

function createAttemptMetrics(registers: Registry[]) {
  return {
    attempts: new Counter({
      name: 'posthorn_attempts_total',
      help: 'Attempts made, by outcome: success, or the error code of the attempt.',
      labelNames: ['outcome'],
      registers,
    }),
    attemptSeconds: new Histogram({
      name: 'posthorn_attempt_seconds',
      help: 'Duration of attempts.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
      registers,
    }),
    firstAttemptDelaySeconds: new Histogram({
      name: 'posthorn_first_attempt_delay_seconds',
      help: 'Time from the acceptance of an event, or from its deliverAt, to the first attempt of each of its deliveries.',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800],
      registers,
    }),
  };
}

/** `delayMs` is null unless it is the first attempt. The API's clock may be ahead, so a negative delay counts as 0. */
function countAttempt(
  metrics: ReturnType<typeof createAttemptMetrics>,
  record: AttemptRecord,
  delayMs: number | null,
): void {
  metrics.attempts.inc({ outcome: record.succeeded ? 'success' : (record.errorCode ?? 'failure') });
  metrics.attemptSeconds.observe(record.durationMs / 1_000);
  if (delayMs !== null) metrics.firstAttemptDelaySeconds.observe(Math.max(0, delayMs) / 1_000);
}

/** Values from the stores. The dispatcher that has the reconciler's turn sets them. */
function createGauges(registers: Registry[]) {
  return {
    queueDepth: new Gauge({
      name: 'posthorn_queue_depth',
      help: 'Jobs in Redis, or without Redis rows up to 10,000, by queue and state.',
      labelNames: ['queue', 'state'],
      registers,
    }),
    oldestDueSeconds: new Gauge({
      name: 'posthorn_oldest_due_age_seconds',
      help: 'Age of the most overdue event or delivery. Deliveries that limits or breakers defer are not due.',
      registers,
    }),
    oldestSnapshotSeconds: new Gauge({
      name: 'posthorn_oldest_snapshot_age_seconds',
      help: 'Age of the oldest snapshot in Postgres that this role sees: a dump, a forgotten session, a prepared transaction.',
      registers,
    }),
    busQueueUsage: new Gauge({
      name: 'posthorn_bus_queue_usage',
      help: 'The part of the queue of notifications of Postgres that is full, from 0 to 1: some session listens and does not read.',
      registers,
    }),
    pullWaiting: new Gauge({
      name: 'posthorn_pull_waiting',
      help: 'Deliveries that wait for consumers of pull endpoints, now or later, up to 10,000 for all endpoints together.',
      registers,
    }),
    oldestPullSeconds: new Gauge({
      name: 'posthorn_pull_oldest_age_seconds',
      help: 'How long the oldest delivery that no consumer has fetched has been due, of all pull endpoints; 0 when none is.',
      registers,
    }),
    lines: new Gauge({
      name: 'posthorn_lines',
      help: 'Endpoints at which deliveries wait for a rate limit, for maxConcurrency or for a breaker.',
      registers,
    }),
    catchUpWaiting: new Gauge({
      name: 'posthorn_catch_up_waiting',
      help: 'Deliveries and events that wait because of an outage of Posthorn, and are sent at a pace; at most 100,000 are counted.',
      registers,
    }),
    operations: new Gauge({
      name: 'posthorn_operations',
      help: 'Operations that have not ended, by type.',
      labelNames: ['type'],
      registers,
    }),
    breakers: new Gauge({
      name: 'posthorn_breakers',
      help: 'Endpoints whose breaker is open, by whether a probe may be made.',
      labelNames: ['state'],
      registers,
    }),
    agentSubscriptions: new Gauge({
      name: 'posthorn_agent_subscriptions',
      help: 'Live subscriptions of agents, at most 100,000 of them counted, and those of them that are suspended, by state: live or suspended.',
      labelNames: ['state'],
      registers,
    }),
    agentEnds: new Gauge({
      name: 'posthorn_agent_subscriptions_ended',
      help: 'Subscriptions of agents that ended within the last hour, at most 100,000 of them counted, by reason.',
      labelNames: ['reason'],
      registers,
    }),
  };
}
