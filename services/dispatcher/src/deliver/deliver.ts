import { setTimeout as delay } from 'node:timers/promises';
import type { Sender } from '@posthorn/destinations/kind';
import type { Claim, ClaimedDelivery, ClaimRequest } from '@posthorn/ledger/claim';
import type { DeliverJob } from '@posthorn/queue/jobs';
import type { Admit, Admitted, TimeInRate } from '../admission/admit.ts';
import type { AttemptOutcome } from '../admission/endpoint-load.ts';
import { createIsolation, type Isolation } from '../admission/isolation.ts';
import { msOfLife } from '../agents/life.ts';
import type { ExpiredLeaseTimer } from '../recovery/expired-lease-timer.ts';
import type { EndedResult } from './classify.ts';
import { type DeferDeps, defer, type Later } from './defer-delivery.ts';
import { type MemoryDeps, reserveMemory } from './large-payloads.ts';
import { type LeaseDeps, type LeaseUnderWay, openLease } from './lease-under-way.ts';
import { type PrepareDeps, prepareOrDefer } from './prepare.ts';
import { type SettleAttemptDeps, settleAttempt, settleUnsent } from './settle-attempt.ts';
import type { AttemptTrace, StartAttemptTrace } from './tracing.ts';

export type DeliverDeps = PrepareDeps &
  SettleAttemptDeps &
  DeferDeps &
  LeaseDeps &
  MemoryDeps & {
    admit: Admit;
    /** The owner of a workspace. */
    ownerOf: (workspaceId: string) => string;
    claim: (request: ClaimRequest) => Promise<Claim>;
    expiredLeases: ExpiredLeaseTimer;
    sender: Pick<Sender, 'send'>;
    startTrace: StartAttemptTrace;
    settings: {
      /** The timeout for an endpoint without its own. */
      timeoutSeconds: number;
      /** Isolated deliveries run one at a time, and this many may wait. The reconciler enqueues the others again. */
      maxWaitingIsolated: number;
    };
    /** Set when the drain window begins. */
    shutdown: { draining: boolean };
  };

const LIMITS_CHANGED: Later = { delaySeconds: 0, reason: 'limits_changed' };
const DRAINING: Later = { delaySeconds: 0, reason: 'draining' };
/** The operator's proxy failed, so the request did not reach the endpoint. */
const NO_PROXY: Later = { delaySeconds: 30, reason: 'proxy_error' };
/** All connections to brokers are in use. */
const TOO_MANY_CONNECTIONS: Later = { delaySeconds: 5, reason: 'connections_busy' };
const STALLED: Later = { delaySeconds: 0, reason: 'stalled' };
/** The agent's subscription has expired since the claim, or was refreshed. The next claim finds out. */
const LAPSED: Later = { delaySeconds: 1, reason: 'subscription_lapsed' };

export type Deliver = {
  /** Processes a deliver job. Rejects only for our own faults, and then the reconciler enqueues the delivery again. */
  process(job: DeliverJob): Promise<void>;
  /** Claims and attempts a delivery that is already admitted. Resolves with the outcome if a request was made. */
  claimAndAttempt(job: DeliverJob, admitted: AttemptOptions['admitted']): Promise<AttemptOutcome | undefined>;
  /**
   * Claims and attempts a delivery whose turn it is in the line of its endpoint. A suspect must also have its isolated
   * turn. `onClaimed` is called once the claim has ended.
   */
  takeTurn(job: DeliverJob, turn: Turn): Promise<AttemptOutcome | undefined>;
  /** Gives the isolated turns of this process: to suspect jobs, and to suspect deliveries of lines. */
  isolated: Isolation;
  /** Defers deliveries in batches, without a job for them. */
  defer: DeferDeps['defer'];
  /** Attempts a delivery that is already claimed and admitted. Resolves with the outcome if a request was made. */
  attempt(claim: ClaimedDelivery, options: AttemptOptions): Promise<AttemptOutcome | undefined>;
};

export type Turn = {
  admitted: AttemptOptions['admitted'];
  /** Its place in the line, to which it returns if it is not sent. */
  place: string;
  onClaimed: () => void;
};

/** Delivers: admit, claim, prepare, send, settle. Each step continues, defers the delivery, or ends the job. */
export function createDeliver(deps: DeliverDeps): Deliver {
  const isolated = createIsolation(deps.settings.maxWaitingIsolated, deps.ownerOf);
  const process = async (job: DeliverJob) => {
    deps.metrics.jobsReceived.inc({ queue: 'deliver' });
    const admission = await deps.admit(job);
    if (admission.kind === 'refused') return defer(deps, job, admission);
    let outcome: AttemptOutcome | undefined;
    try {
      outcome = await claimAndAttempt(deps, job, { admitted: admission });
    } finally {
      admission.release(outcome);
    }
  };
  return {
    process: (job) => (job.mode === 'isolated' ? isolated(job.workspaceId, () => process(job)) : process(job)),
    claimAndAttempt: (job, admitted) => claimAndAttempt(deps, job, { admitted }),
    takeTurn: (job, turn) => claimAndAttempt(deps, job, turn),
    isolated,
    defer: deps.defer,
    attempt: (claim, options) => attempt(deps, claim, options),
  };
}

type Claiming = Pick<Turn, 'admitted'> & Partial<Turn>;

async function claimAndAttempt(deps: DeliverDeps, job: DeliverJob, { admitted, place, onClaimed }: Claiming) {
  const traceOf = deps.startTrace();
  const fromLine = place !== undefined;
  const claim = await deps.claim({ ...job, isolated: job.mode === 'isolated', fromLine });
  onClaimed?.();
  deps.metrics.countClaim(claim);
  if (claim.kind !== 'leased' && claim.kind !== 'nothing') deps.live.deliveryChanged(job);
  switch (claim.kind) {
    case 'claimed':
      return attempt(deps, claim, { job, admitted, place, trace: traceOf(claim) });
    case 'breaker_open':
      deps.metrics.deferred.inc({ reason: 'breaker' });
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
  admitted: Pick<Admitted, 'endpointRevision' | 'time'>;
  place?: string | undefined;
  trace: AttemptTrace;
};

async function attempt(deps: DeliverDeps, claim: ClaimedDelivery, options: AttemptOptions) {
  const lease = openLease(deps, claim);
  try {
    return await attemptUnderLease(deps, claim, { ...options, lease });
  } finally {
    lease.close();
  }
}

async function attemptUnderLease(
  deps: DeliverDeps,
  claim: ClaimedDelivery,
  options: AttemptOptions & { lease: LeaseUnderWay },
) {
  const release = async (later: Later) => {
    options.trace.released();
    const { job, place } = options;
    await defer(deps, job, place === undefined ? later : { ...later, entersLine: true, place }, claim.leaseToken);
    return undefined;
  };
  const memory = await reserveMemory(deps, options.job, claim.event?.leftOutBytes ?? 0);
  if (memory.kind === 'later') return release(memory.later);
  try {
    return await prepareAndSend(deps, claim, { ...options, release });
  } finally {
    // Free the memory only after the settle, which keeps the request for as long as Postgres is away.
    memory.free();
  }
}

type SendOptions = AttemptOptions & { lease: LeaseUnderWay; release: (later: Later) => Promise<undefined> };

async function prepareAndSend(
  deps: DeliverDeps,
  claim: ClaimedDelivery,
  { admitted, trace, lease, release }: SendOptions,
) {
  const prepared = await prepareOrDefer(deps, claim, { admittedRevision: admitted.endpointRevision, ...trace });
  if (prepared.kind === 'later') return release(prepared.later);
  if (prepared.kind === 'limits_changed') return release(LIMITS_CHANGED);
  if (prepared.kind === 'ended') {
    await settleUnsent(deps, claim, { reason: prepared.reason, trace });
    return undefined;
  }
  if (prepared.kind === 'untransformed') {
    const { cancelReason } = prepared;
    if (cancelReason !== undefined) {
      await settleUnsent(deps, claim, { reason: 'cancelled_by_transformation', cancelReason, trace });
      return undefined;
    }
    return settleAttempt(deps, claim, { ...prepared, startedAt: deps.clock.now(), trace });
  }
  const { time } = admitted;
  if (time !== undefined && (await isTooLateFor(deps, claim, time))) return release(LIMITS_CHANGED);
  if (deps.shutdown.draining) return release(DRAINING);
  const held = await lease.beforeSending();
  if (held === 'stalled') return release(STALLED);
  if (held === 'lost') {
    trace.released();
    return undefined;
  }

  const { request, target } = prepared;
  const lifeMs = claim.lifeMs === undefined ? Number.POSITIVE_INFINITY : msOfLife(claim.lifeMs, claim, deps.clock);
  if (lifeMs <= 0) return release(LAPSED);
  const startedAt = deps.clock.now();
  const startedMs = deps.clock.monotonicMs();
  const result = await trace.send(() =>
    deps.sender.send({
      ...request,
      timeoutMs: Math.min(1_000 * (target.timeoutSeconds ?? deps.settings.timeoutSeconds), lifeMs),
    }),
  );
  if (result.kind === 'aborted') return release(result.isCrowded ? TOO_MANY_CONNECTIONS : DRAINING);
  if (result.kind === 'error' && result.errorCode === 'proxy_error') return release(NO_PROXY);
  time?.tellLate(startedMs - time.atMs + connectingMs(result.timings));
  return settleAttempt(deps, claim, { request, target, result, startedAt, trace });
}

/**
 * After a longer wait, the endpoint is looked up again if it has changed, so that no request goes out in its old form.
 */
const LONG_WAIT_MS = 20;

/** Waits until the request's time. Returns whether the endpoint has changed in the meantime. */
async function isTooLateFor({ clock, endpoints }: DeliverDeps, claim: ClaimedDelivery, { atMs }: TimeInRate) {
  const waitMs = atMs - clock.monotonicMs();
  if (waitMs > 0) await delay(waitMs);
  return waitMs > LONG_WAIT_MS && !(await endpoints.isAtRevision(claim.endpointId, claim.endpointRevision));
}

function connectingMs({ dnsMs, connectMs, tlsMs }: EndedResult['timings']): number {
  return (dnsMs ?? 0) + (connectMs ?? 0) + (tlsMs ?? 0);
}
