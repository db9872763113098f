import { newUuid, toId } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { open, type SealingKeys } from '@posthorn/crypto/seal';
import type { Claim, ClaimedDelivery, ClaimRequest } from '@posthorn/ledger/claim';
import type { DisableEndpoint, DisableReason } from '@posthorn/ledger/disable-endpoint';
import type { HandBack, HandedBack } from '@posthorn/ledger/hand-back';
import { type EndReason, nextState } from '@posthorn/ledger/next-state';
import type { Moved, PutOff } from '@posthorn/ledger/put-off';
import type { AttemptRecord, Settled, Settlement } from '@posthorn/ledger/settle';
import type { DeliverJob, DeliveryTicket } from '@posthorn/queue/deliver-job';
import type { Clock } from '@posthorn/runtime/clock';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import type { Entered, Gate, PutOffUntil } from '../admission/admit.ts';
import type { AttemptOutcome } from '../admission/endpoint-load.ts';
import { createLine } from '../line.ts';
import type { DispatcherMetrics } from '../metrics.ts';
import type { Leased } from '../recovery/expired-lease-timer.ts';
import type { Sender } from '../send/send.ts';
import { recordAttempt } from './attempt-record.ts';
import { buildRequest, type WebhookRequest } from './build-request.ts';
import { classify } from './classify.ts';
import type { DeliveryTarget, TargetResult } from './endpoint-cache.ts';
import { retryDelaySeconds } from './retry-schedule.ts';

/** What delivering stands on. The ledger's calls come coalesced, and settle comes patient: it outlives an outage. */
export type DeliverDeps = {
  claim: (request: ClaimRequest) => Promise<Claim>;
  settle: (settlement: Settlement) => Promise<Settled>;
  handBack: (lease: HandBack) => Promise<HandedBack | undefined>;
  putOff: (delivery: PutOff) => Promise<Moved | undefined>;
  gate: Gate;
  disableEndpoint: (input: DisableEndpoint) => Promise<boolean>;
  ring: (ticket: DeliveryTicket) => void;
  ringAfterLease: (job: DeliverJob, leased: Leased) => void;
  target: (endpointId: string, version: number) => Promise<TargetResult>;
  sender: Sender;
  keys: SealingKeys;
  clock: Clock;
  random: () => number;
  logger: Logger;
  metrics: DispatcherMetrics;
  settings: {
    timeoutSeconds: number;
    retrySchedule: readonly number[];
    retentionDays: number;
    /** Deliveries that may have killed their process run one at a time; this many wait for their turn. */
    mostWaitingAlone: number;
  };
  /** Aborted when the drain window ends; `draining` is set when it begins. */
  shutdown: { signal: AbortSignal; draining: boolean };
};

/** Looks at one delivery: passes the gate, claims it, makes the attempt, settles. Throws only for our own faults. */
export function createDeliver(deps: DeliverDeps): (job: DeliverJob) => Promise<void> {
  const oneByOne = createLine(deps.settings.mostWaitingAlone);
  const look = async (job: DeliverJob) => {
    deps.metrics.looks.inc();
    const entry = await deps.gate.enter(job);
    if (entry.kind === 'put_off') {
      deps.metrics.putOffs.inc({ reason: entry.reason });
      return ringLater(deps, job, entry, await deps.putOff({ deliveryId: job.deliveryId, ...entry }));
    }
    let outcome: AttemptOutcome | undefined;
    try {
      outcome = await claimAndAttempt(deps, job, entry);
    } finally {
      entry.leave(outcome);
    }
  };
  return (job) => (job.alone === true ? oneByOne(() => look(job)) : look(job));
}

async function claimAndAttempt(
  deps: DeliverDeps,
  job: DeliverJob,
  entry: Entered,
): Promise<AttemptOutcome | undefined> {
  const claim = await deps.claim(job);
  deps.metrics.countClaim(claim);
  if (claim.kind === 'held') {
    deps.metrics.putOffs.inc({ reason: 'breaker' });
    ringLater(deps, job, { delaySeconds: claim.delayMs / 1_000 }, claim);
  }
  if (claim.kind === 'leased') deps.ringAfterLease(job, claim);
  if (claim.kind !== 'claimed') return undefined;
  const ready = await prepareOrWait(deps, claim);
  if (ready.kind === 'later') {
    ringLater(deps, job, ready.until, await deps.handBack({ ...lease(claim), ...ready.until }));
    return undefined;
  }
  if (ready.kind === 'ended') {
    await settleWithoutAttempt(deps, claim, ready.reason);
    return undefined;
  }
  const until = deps.shutdown.draining ? AT_ONCE : await confirm(deps, entry, ready.target);
  if (until === undefined) return attempt(deps, claim, ready);
  ringLater(deps, job, until, await deps.handBack({ ...lease(claim), ...until }));
  return undefined;
}

type Until = Pick<PutOffUntil, 'delaySeconds' | 'reservedAtMs'>;
const AT_ONCE: Until = { delaySeconds: 0 };
/** When what is needed could not be asked: a store is away, and nothing is rung meanwhile. */
const ASK_AGAIN: Until = { delaySeconds: 5 };

/** The claim told of limits that were not known at the gate; a lease in hand is given back rather than lost. */
async function confirm(deps: DeliverDeps, entry: Entered, target: DeliveryTarget): Promise<Until | undefined> {
  try {
    const refused = await entry.confirm(target);
    if (refused !== undefined) deps.metrics.putOffs.inc({ reason: refused.reason });
    return refused;
  } catch (error) {
    deps.logger.warn('the limits of an endpoint could not be asked', errorFields(error));
    return ASK_AGAIN;
  }
}

function ringLater(deps: DeliverDeps, job: DeliverJob, until: Until, moved: { generation: number } | undefined): void {
  if (moved === undefined) return;
  const { reservedAtMs: _past, ...ids } = job;
  const reserved = until.reservedAtMs === undefined ? {} : { reservedAtMs: until.reservedAtMs };
  deps.ring({ ...ids, ...reserved, generation: moved.generation, delayMs: Math.ceil(until.delaySeconds * 1_000) });
}

type Ready = { kind: 'ready'; request: WebhookRequest; target: DeliveryTarget };

/** A fault of ours before anything was sent gives the lease back: lost, it would count against the delivery. */
async function prepareOrWait(deps: DeliverDeps, claim: ClaimedDelivery) {
  try {
    return await prepare(deps, claim);
  } catch (error) {
    deps.logger.warn('a request could not be prepared yet', errorFields(error));
    return { kind: 'later' as const, until: ASK_AGAIN };
  }
}

/** Everything short of sending, or why there will be nothing to send. */
async function prepare(
  deps: DeliverDeps,
  claim: ClaimedDelivery,
): Promise<Ready | { kind: 'ended'; reason: EndReason }> {
  if (claim.event === null || secondsToRetentionEnd(deps, claim) <= 0) {
    return { kind: 'ended', reason: 'payload_expired' };
  }
  const found = await deps.target(claim.endpointId, claim.endpointVersion);
  if (found.kind !== 'found') return { kind: 'ended', reason: 'invalid_request' };
  const body = openPayload(deps.keys, claim.eventId, claim.event.payload);
  if (body === undefined) return { kind: 'ended', reason: 'payload_unreadable' };
  const { target } = found;
  const request = buildRequest({ delivery: claim, event: claim.event, target, body, now: deps.clock.now() });
  return { kind: 'ready', request, target };
}

async function attempt(
  deps: DeliverDeps,
  claim: ClaimedDelivery,
  { request, target }: Ready,
): Promise<AttemptOutcome | undefined> {
  const startedAt = deps.clock.now();
  const result = await deps.sender.send({
    ...request,
    timeoutMs: 1_000 * (target.timeoutSeconds ?? deps.settings.timeoutSeconds),
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    signal: deps.shutdown.signal,
  });
  if (result.kind === 'aborted') {
    ringLater(deps, ticketOf(claim), AT_ONCE, await deps.handBack({ ...lease(claim), ...AT_ONCE }));
    return undefined;
  }

  const verdict = classify(result, deps.clock.now());
  // Before the settle: if this process dies in between, the next attempt is told the same again.
  const disabled = await disable(deps, target, verdict.disable);
  const next = nextState({
    outcome: verdict.outcome,
    retryDelaySeconds: retryDelaySeconds({
      schedule: target.retrySchedule ?? deps.settings.retrySchedule,
      step: claim.scheduleStep,
      retryAfterSeconds: verdict.retryAfterSeconds,
      random: deps.random(),
    }),
    secondsLeft: secondsToRetentionEnd(deps, claim) - result.durationMs / 1_000,
  });
  const record = recordAttempt(claim, request, result, startedAt);
  const settled = await deps.settle({ ...lease(claim), attempt: record, next });
  // The settle has outlived what was in the way.
  if (!disabled) await disable(deps, target, verdict.disable);
  report(deps, claim, record, next.status, settled);
  if (settled.kind === 'settled' && settled.delayMs !== null) {
    deps.ring({ ...ticketOf(claim), generation: settled.generation, delayMs: settled.delayMs });
  }
  return { succeeded: record.succeeded, durationMs: record.durationMs };
}

/** Whether it is done, or nothing was to do. A fault here must not cost the result of what was sent. */
async function disable(
  deps: DeliverDeps,
  { endpointId, version }: DeliveryTarget,
  reason: DisableReason | undefined,
): Promise<boolean> {
  if (reason === undefined) return true;
  const publicId = toId('ep', endpointId);
  try {
    await deps.disableEndpoint({ endpointId, version, reason, auditEntryId: newUuid(deps.clock.now()), publicId });
    return true;
  } catch (error) {
    deps.logger.warn('an endpoint could not be deactivated', { endpointId: publicId, ...errorFields(error) });
    return false;
  }
}

async function settleWithoutAttempt(deps: DeliverDeps, claim: ClaimedDelivery, reason: EndReason): Promise<void> {
  const settled = await deps.settle({
    ...lease(claim),
    attempt: null,
    next: { status: 'failed', failureReason: reason },
  });
  deps.logger.warn('a delivery could not be built', {
    deliveryId: toId('dlv', claim.deliveryId),
    reason,
    settled: settled.kind,
  });
}

/** One wide line for each attempt. */
function report(
  deps: DeliverDeps,
  claim: ClaimedDelivery,
  record: AttemptRecord,
  status: string,
  settled: Settled,
): void {
  deps.metrics.countAttempt(record, claim.eventId);
  deps.logger.info('delivery.attempted', {
    deliveryId: toId('dlv', claim.deliveryId),
    eventId: toId('msg', claim.eventId),
    endpointId: toId('ep', claim.endpointId),
    workspaceId: toId('ws', claim.workspaceId),
    attempt: record.number,
    trigger: record.trigger,
    outcome: record.succeeded ? 'success' : 'failure',
    responseStatus: record.responseStatus,
    errorCode: record.errorCode,
    durationMs: Math.round(record.durationMs),
    status,
    stale: settled.kind === 'stale',
  });
}

function openPayload(keys: SealingKeys, eventId: string, payload: Uint8Array | null): Buffer | undefined {
  if (payload === null) return Buffer.alloc(0);
  const opened = open(keys, payload, sealContext.payload(eventId));
  return opened.kind === 'opened' ? opened.plaintext : undefined;
}

/** At the claim, by Postgres' clock. */
function secondsToRetentionEnd({ settings }: DeliverDeps, { eventAgeSeconds }: ClaimedDelivery): number {
  return settings.retentionDays * 86_400 - eventAgeSeconds;
}

function ticketOf({ deliveryId, eventId, endpointId, workspaceId }: ClaimedDelivery): DeliverJob {
  return { deliveryId, eventId, endpointId, workspaceId };
}

function lease({ deliveryId, endpointId, leaseToken }: ClaimedDelivery) {
  return { deliveryId, endpointId, leaseToken };
}

const CONNECT_TIMEOUT_MS = 5_000;
