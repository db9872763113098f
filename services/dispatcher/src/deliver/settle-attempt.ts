import { setTimeout as delay } from 'node:timers/promises';
import { newUuid, toId, uuidTime } from '@posthorn/contract/ids';
import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import type { DisableEndpoint, DisableReason } from '@posthorn/ledger/disable-endpoint';
import { LEASE_MARGIN_SECONDS, msSinceAsked } from '@posthorn/ledger/lease';
import { type EndReason, type NextState, nextState } from '@posthorn/ledger/next-state';
import type { AttemptRecord, Settled, Settlement } from '@posthorn/ledger/settle';
import type { WebhookRequest } from '@posthorn/messages/build-request';
import type { DeliveryTarget } from '@posthorn/messages/endpoint-cache';
import { retryDelaySeconds } from '@posthorn/messages/retry-schedule';
import type { DeliverRequest } from '@posthorn/queue/jobs';
import type { LivePublisher } from '@posthorn/queue/live';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { bytesOfAttempt } from '@posthorn/stats/attempt-bytes';
import type { Gatherer } from '@posthorn/stats/gather';
import type { AttemptOutcome } from '../admission/endpoint-load.ts';
import type { DispatcherMetrics } from '../metrics.ts';
import { recordAttempt } from './attempt-record.ts';
import { classify, type EndedResult } from './classify.ts';
import type { FollowHead } from './follow-head.ts';
import { type PrepareDeps, secondsToRetentionEnd } from './prepare.ts';
import type { AttemptTrace } from './tracing.ts';

export type SettleAttemptDeps = Pick<PrepareDeps, 'clock' | 'keys'> & {
  /** Settles. While Postgres is away, keeps the result and tries again. */
  settle: (settlement: Settlement) => Promise<Settled>;
  disableEndpoint: (input: DisableEndpoint) => Promise<boolean>;
  enqueue: (deliveries: DeliverRequest[]) => void;
  followHead: FollowHead;
  random: () => number;
  logger: Logger;
  metrics: DispatcherMetrics;
  stats: Pick<Gatherer, 'countAttempt' | 'countAttemptBytes' | 'countEnded'>;
  live: Pick<LivePublisher, 'deliveryChanged'>;
  settings: { retrySchedule: readonly number[]; retentionDays: number; timeoutSeconds: number };
};

export type Sent = {
  request: WebhookRequest;
  target: DeliveryTarget;
  result: EndedResult;
  startedAt: Date;
  trace: AttemptTrace;
};

/** Classifies the result of an attempt, settles the delivery, and enqueues its retry. */
export async function settleAttempt(
  deps: SettleAttemptDeps,
  claim: ClaimedDelivery,
  sent: Sent,
): Promise<AttemptOutcome> {
  const { request, target, result, startedAt, trace } = sent;
  const verdict = classify(result, deps.clock.now(), target.place.kind);
  const succeeded = verdict.outcome.kind === 'delivered';
  // Begin before the settle: if this process ends in between, the delivery is attempted again, and the receiver gives
  // the same answer. It may wait for a lock, so it gets only the time that the lease leaves. Otherwise the delivery
  // would be attempted again meanwhile.
  const disabling = disable(deps, target, verdict.disable);
  const disabled =
    verdict.disable === undefined ||
    (await Promise.race([disabling, delay(msForOthers(deps, claim, target), false, { ref: false })]));
  const next = nextState({
    outcome: verdict.outcome,
    retryDelaySeconds: retryDelaySeconds({
      schedule: target.retrySchedule ?? deps.settings.retrySchedule,
      step: claim.scheduleStep,
      retryAfterSeconds: verdict.retryAfterSeconds,
      random: deps.random(),
    }),
    secondsLeft: claim.event?.hasOneAttempt ? 0 : secondsToRetentionEnd(deps, claim) - result.durationMs / 1_000,
  });
  const keepsRequestBody = target.place.kind.keepsRequestBody || request.isTransformed;
  const attempt = recordAttempt(claim, request, result, { succeeded, startedAt, keys: deps.keys, keepsRequestBody });
  const settled = await trace.settle({ ...leaseOf(claim), attempt, next }, deps.settle);
  // The settle succeeded, so Postgres answers, and the endpoint can be deactivated now.
  if (!disabled && !(await disabling)) await disable(deps, target, verdict.disable);
  count(deps, claim, { attempt, next, settled });
  deps.live.deliveryChanged(claim);
  report(deps, claim, attempt, next.status, settled);
  follow(deps, settled);
  if (settled.kind === 'settled' && settled.delayMs !== null) {
    const { deliveryId, eventId, endpointId, workspaceId } = claim;
    const { generation, delayMs } = settled;
    deps.enqueue([{ deliveryId, eventId, endpointId, workspaceId, generation, delayMs }]);
  }
  return { succeeded, durationMs: attempt.durationMs };
}

/** Ends a delivery for which no request can be made. */
export async function settleUnsent(
  deps: SettleAttemptDeps,
  claim: ClaimedDelivery,
  { reason, cancelReason, trace }: { reason: EndReason; cancelReason?: string } & Pick<Sent, 'trace'>,
): Promise<void> {
  const next = { status: 'failed', failureReason: reason, cancelReason } as const;
  const settled = await trace.settle({ ...leaseOf(claim), attempt: null, next }, deps.settle);
  if (settled.kind === 'settled') {
    // If the endpoint's own code cancelled the event, nothing has failed.
    if (reason !== 'cancelled_by_transformation') deps.stats.countEnded(factsOf(claim), next.status);
    follow(deps, settled);
  }
  deps.live.deliveryChanged(claim);
  const facts = { deliveryId: toId('dlv', claim.deliveryId), reason, settled: settled.kind };
  // Omit the transformation's own words, which may repeat the payload.
  if (reason === 'cancelled_by_transformation') deps.logger.info('delivery.cancelled', facts);
  else deps.logger.warn('no request could be made for a delivery', facts);
}

/** A settle takes less than this unless it is slowed down. */
const SETTLE_MS = 2_000;

/** How long other work may take before the settle, within the lease. */
function msForOthers(
  { clock, settings }: SettleAttemptDeps,
  claim: ClaimedDelivery,
  { timeoutSeconds }: DeliveryTarget,
): number {
  const leaseMs = 1_000 * ((timeoutSeconds ?? settings.timeoutSeconds) + LEASE_MARGIN_SECONDS);
  return Math.max(0, leaseMs - SETTLE_MS - msSinceAsked(claim, clock));
}

/**
 * Deactivates the endpoint if its response asked for it. Returns whether nothing is left to do. Never throws, because a
 * fault here must not lose the result of a request that was sent.
 */
async function disable(
  deps: SettleAttemptDeps,
  { endpointId, revision }: DeliveryTarget,
  reason: DisableReason | undefined,
): Promise<boolean> {
  if (reason === undefined) return true;
  const publicId = toId('ep', endpointId);
  try {
    await deps.disableEndpoint({ endpointId, revision, reason, auditEntryId: newUuid(deps.clock.now()), publicId });
    return true;
  } catch (error) {
    deps.logger.warn('an endpoint could not be deactivated', { endpointId: publicId, ...errorFields(error) });
    return false;
  }
}

/** Counts the attempt for the metrics and, together with the end of its delivery, for the workspace's statistics. */
function count(
  { stats, metrics }: SettleAttemptDeps,
  claim: ClaimedDelivery,
  { attempt, next, settled }: { attempt: AttemptRecord; next: NextState; settled: Settled },
): void {
  const { number, succeeded, durationMs, startedAt } = attempt;
  // An event's id contains its acceptance time. A scheduled event is not late before its own time.
  const sinceMs = Math.max(uuidTime(claim.eventId).getTime(), claim.event?.deliverAt?.getTime() ?? 0);
  const delayMs = number > 1 ? null : startedAt.getTime() - sinceMs;
  const ended = settled.kind === 'settled' && next.status !== 'scheduled_retry' ? next.status : undefined;
  metrics.countAttempt(attempt, delayMs);
  stats.countAttempt(factsOf(claim), { succeeded, durationMs, delayMs }, ended);
  stats.countAttemptBytes(claim.workspaceId, bytesOfAttempt(attempt));
}

function factsOf({ workspaceId, endpointId, event }: ClaimedDelivery) {
  return { workspaceId, endpointId, eventType: event?.eventType ?? null };
}

/** Logs one line for each attempt, with all its facts. */
function report(
  deps: SettleAttemptDeps,
  claim: ClaimedDelivery,
  record: AttemptRecord,
  status: string,
  settled: Settled,
): void {
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

function leaseOf({ deliveryId, endpointId, leaseToken, orderingKey }: ClaimedDelivery) {
  return { deliveryId, endpointId, leaseToken, orderingKey };
}

function follow({ followHead }: SettleAttemptDeps, settled: Settled): void {
  if (settled.kind === 'settled' && settled.follower !== undefined) followHead(settled.follower);
}
