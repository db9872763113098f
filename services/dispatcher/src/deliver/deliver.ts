import type { Claim, ClaimedDelivery, ClaimRequest } from '@posthorn/ledger/claim';
import { LEASE_MARGIN_SECONDS } from '@posthorn/ledger/lease';
import type { DeliverJob } from '@posthorn/queue/jobs';
import { errorFields } from '@posthorn/runtime/logger';
import { createSerial } from '@posthorn/runtime/serial';
import type { Admit, Admitted } from '../admission/admit.ts';
import type { AttemptOutcome } from '../admission/endpoint-load.ts';
import type { PayloadMemory } from '../admission/payload-memory.ts';
import type { Slots } from '../admission/slots.ts';
import type { ExpiredLeaseTimer } from '../recovery/expired-lease-timer.ts';
import { type DeliverySender, playgroundAnswer } from '../send/playground.ts';
import { type DeferDeps, defer, enqueueLater, type Later } from './defer-delivery.ts';
import { type PrepareDeps, type Prepared, prepare } from './prepare.ts';
import { type SettleAttemptDeps, settleAttempt, settleUnsent } from './settle-attempt.ts';
import type { AttemptTrace, StartAttemptTrace } from './tracing.ts';

export type DeliverDeps = PrepareDeps &
  SettleAttemptDeps &
  DeferDeps & {
    admit: Admit;
    payloadMemory: PayloadMemory;
    returnSeconds: Slots['returnSeconds'];
    claim: (request: ClaimRequest) => Promise<Claim>;
    expiredLeases: ExpiredLeaseTimer;
    sender: Pick<DeliverySender, 'send'>;
    startTrace: StartAttemptTrace;
    settings: {
      /** The timeout of an endpoint without its own timeout. */
      timeoutSeconds: number;
      /** Isolated deliveries run one at a time, and this many may wait. The reconciler enqueues the others again. */
      maxWaitingIsolated: number;
    };
    /** Set when the drain window begins. */
    shutdown: { draining: boolean };
  };

/** The reason when a store did not answer. The delay is about the time of a restart. */
const STORE_AWAY: Later = { delaySeconds: 5, reason: 'store_away' };
const LIMITS_CHANGED: Later = { delaySeconds: 0, reason: 'limits_changed' };
const DRAINING: Later = { delaySeconds: 0, reason: 'draining' };
const PROCESS_STALLED: Later = { delaySeconds: 0, reason: 'process_stalled' };

export type Deliver = {
  /** Processes a deliver job. It rejects only for our own faults; the reconciler then enqueues the delivery again. */
  process(job: DeliverJob): Promise<void>;
  /** Claims and attempts a delivery that is already admitted. It resolves with the outcome if a request was made. */
  claimAndAttempt(job: DeliverJob, admitted: Pick<Admitted, 'endpointVersion'>): Promise<AttemptOutcome | undefined>;
  /** Attempts a delivery that is already claimed and admitted. It resolves with the outcome if a request was made. */
  attempt(claim: ClaimedDelivery, options: AttemptOptions): Promise<AttemptOutcome | undefined>;
};

/** Delivers: admit, claim, prepare, send, settle. Each step continues, defers the delivery, or ends the job. */
export function createDeliver(deps: DeliverDeps): Deliver {
  const isolated = createSerial(deps.settings.maxWaitingIsolated);
  const process = async (job: DeliverJob) => {
    deps.metrics.jobsReceived.inc({ queue: 'deliver' });
    const admission = await deps.admit(job);
    if (admission.kind === 'refused') return defer(deps, job, admission);
    let outcome: AttemptOutcome | undefined;
    try {
      outcome = await claimAndAttempt(deps, job, admission);
    } finally {
      admission.release(outcome);
    }
  };
  return {
    process: (job) => (job.mode === 'isolated' ? isolated(job.workspaceId, () => process(job)) : process(job)),
    claimAndAttempt: (job, admitted) => claimAndAttempt(deps, job, admitted),
    attempt: (claim, options) => attempt(deps, claim, options),
  };
}

async function claimAndAttempt(deps: DeliverDeps, job: DeliverJob, admitted: AttemptOptions['admitted']) {
  const traceOf = deps.startTrace();
  const claim = await deps.claim({ ...job, isolated: job.mode === 'isolated' });
  deps.metrics.countClaim(claim);
  if (claim.kind !== 'leased' && claim.kind !== 'nothing') deps.live.deliveryChanged(job);
  switch (claim.kind) {
    case 'claimed':
      return attempt(deps, claim, { job, admitted, trace: traceOf(claim) });
    case 'breaker_open':
      deps.metrics.deferred.inc({ reason: 'breaker' });
      enqueueLater(deps, job, claim);
      return undefined;
    case 'leased':
      deps.expiredLeases.enqueueAtEnd(job, claim);
      return undefined;
    case 'ended':
      if (!claim.isTest) {
        const status = claim.reason === 'quarantined' ? 'dead_letter' : 'failed';
        deps.stats.countEnded({ ...job, eventType: claim.eventType }, status);
      }
      if (claim.orderingKey !== null) {
        deps.followHead({ endpointId: job.endpointId, orderingKey: claim.orderingKey });
      }
      return undefined;
    case 'nothing':
      return undefined;
  }
}

export type AttemptOptions = {
  job: DeliverJob;
  admitted: Pick<Admitted, 'endpointVersion'>;
  trace: AttemptTrace;
};

/** The memory is held until the settle, which keeps the request for as long as Postgres is away. */
async function attempt(
  deps: DeliverDeps,
  claim: ClaimedDelivery,
  options: AttemptOptions,
): Promise<AttemptOutcome | undefined> {
  const { job, trace } = options;
  const { workspaceId, endpointId } = claim;
  const release = async (later: Later) => {
    trace.released();
    await defer(deps, job, later, claim.leaseToken);
    return undefined;
  };
  const freeMemory = await deps.payloadMemory.reserve({ workspaceId, bytes: claim.event?.leftOutBytes ?? 0 });
  if (freeMemory === undefined) {
    const delaySeconds = deps.returnSeconds({ endpointId, workspaceId, maxConcurrency: null });
    return release({ delaySeconds, reason: 'payload_memory' });
  }
  try {
    return await attemptInMemory(deps, claim, { ...options, release });
  } finally {
    freeMemory();
  }
}

type InMemory = AttemptOptions & { release: (later: Later) => Promise<undefined> };

async function attemptInMemory(
  deps: DeliverDeps,
  claim: ClaimedDelivery,
  { admitted, trace, release }: InMemory,
): Promise<AttemptOutcome | undefined> {
  const prepared = await tryPrepare(deps, claim, { admittedVersion: admitted.endpointVersion, ...trace });
  if (prepared.kind === 'later') return release(prepared.later);
  if (prepared.kind === 'limits_changed') return release(LIMITS_CHANGED);
  if (prepared.kind === 'ended') {
    await settleUnsent(deps, claim, { reason: prepared.reason, trace });
    return undefined;
  }
  if (deps.shutdown.draining) return release(DRAINING);
  // After a pause longer than the lease's margin, the lease may expire before the attempt ends.
  if (deps.clock.monotonicMs() - claim.askedAtMs > 1_000 * LEASE_MARGIN_SECONDS) return release(PROCESS_STALLED);

  const { request, target } = prepared;
  const startedAt = deps.clock.now();
  const result = await trace.send(() =>
    deps.sender.send({
      ...request,
      timeoutMs: 1_000 * (target.timeoutSeconds ?? deps.settings.timeoutSeconds),
      playground: target.playground === null ? undefined : playgroundAnswer(target.playground, claim.attemptNumber),
    }),
  );
  if (result.kind === 'aborted') return release(DRAINING);
  return settleAttempt(deps, claim, { request, target, result, startedAt, trace });
}

/** If our own fault prevents the request, the lease is released. A lost lease would count against the delivery. */
async function tryPrepare(
  deps: DeliverDeps,
  claim: ClaimedDelivery,
  options: Parameters<typeof prepare>[2],
): Promise<Prepared | { kind: 'later'; later: Later }> {
  try {
    return await prepare(deps, claim, options);
  } catch (error) {
    deps.logger.warn('a request could not be prepared yet', errorFields(error));
    return { kind: 'later', later: STORE_AWAY };
  }
}
