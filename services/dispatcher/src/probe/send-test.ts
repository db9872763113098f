import type { Sender, SendResult } from '@posthorn/destinations/kind';
import type { ClaimedDelivery } from '@posthorn/ledger/claim';
import { LEASE_MARGIN_SECONDS, msSinceAsked } from '@posthorn/ledger/lease';
import type { Settled, Settlement } from '@posthorn/ledger/settle';
import type { LivePublisher } from '@posthorn/queue/live';
import { bytesOfAttempt } from '@posthorn/stats/attempt-bytes';
import type { Gatherer } from '@posthorn/stats/gather';
import { recordAttempt } from '../deliver/attempt-record.ts';
import { classify, type EndedResult } from '../deliver/classify.ts';
import { type PrepareDeps, type Prepared, prepare } from '../deliver/prepare.ts';

export type SendTestDeps = PrepareDeps & {
  claimTest: (test: { deliveryId: string; eventId: string }) => Promise<ClaimedDelivery | undefined>;
  /** Settles, and keeps the result through an outage of Postgres. */
  settle: (settlement: Settlement) => Promise<Settled>;
  sender: Pick<Sender, 'send'>;
  live: Pick<LivePublisher, 'deliveryChanged'>;
  stats: Pick<Gatherer, 'countAttemptBytes'>;
  settings: { timeoutSeconds: number };
};

/** `expired`: it was not claimed in time, so nothing was sent. `unsent`: no request can be made to the endpoint. */
export type TestOutcome = 'success' | 'failure' | 'expired' | 'unsent';

/**
 * Sends the delivery of a test once and settles it (docs/interface.md, Test). A failure ends it: there is no retry and
 * no breaker, and the endpoint stays as it is, whatever it answers.
 */
export async function sendTest(
  deps: SendTestDeps,
  test: { deliveryId: string; eventId: string },
): Promise<TestOutcome> {
  const claim = await deps.claimTest(test);
  if (claim === undefined) return 'expired';
  deps.live.deliveryChanged(claim);
  const prepared = await prepare(deps, claim, { admittedRevision: 'any' });
  if (prepared.kind === 'limits_changed') throw new Error('the limits of an endpoint held back a test');
  if (prepared.kind === 'ended') {
    await deps.settle({ ...leaseOf(claim), attempt: null, next: { status: 'failed', failureReason: prepared.reason } });
    deps.live.deliveryChanged(claim);
    return 'unsent';
  }
  if (prepared.kind === 'later') throw new Error('a test was deferred');
  if (prepared.kind === 'untransformed') return settleUntransformed(deps, claim, prepared);
  // After a pause of the process, the lease may have expired, and the API may have given up.
  if (msSinceAsked(claim, deps.clock) > 1_000 * LEASE_MARGIN_SECONDS) return 'expired';

  const { request, target } = prepared;
  const startedAt = deps.clock.now();
  const startedMs = deps.clock.monotonicMs();
  const sent = await deps.sender.send({
    ...request,
    timeoutMs: 1_000 * (target.timeoutSeconds ?? deps.settings.timeoutSeconds),
  });
  const result = endedResult(sent, Math.round(deps.clock.monotonicMs() - startedMs));
  const succeeded = classify(result, deps.clock.now(), target.place.kind).outcome.kind === 'delivered';
  const keepsRequestBody = target.place.kind.keepsRequestBody || request.isTransformed;
  const attempt = recordAttempt(claim, request, result, { succeeded, startedAt, keys: deps.keys, keepsRequestBody });
  await deps.settle({
    ...leaseOf(claim),
    attempt,
    next: succeeded ? { status: 'delivered' } : { status: 'dead_letter', failureReason: 'retries_exhausted' },
  });
  deps.stats.countAttemptBytes(claim.workspaceId, bytesOfAttempt(attempt));
  deps.live.deliveryChanged(claim);
  return succeeded ? 'success' : 'failure';
}

/**
 * Stores an attempt that shows the failure of the transformation. A cancelled test has one, too, so that its author
 * sees why.
 */
async function settleUntransformed(
  { clock, keys, settle, live, stats }: SendTestDeps,
  claim: ClaimedDelivery,
  { cancelReason, request, result }: Extract<Prepared, { kind: 'untransformed' }>,
): Promise<TestOutcome> {
  const options = { succeeded: false, startedAt: clock.now(), keys, keepsRequestBody: false };
  const attempt = recordAttempt(claim, request, result, options);
  await settle({
    ...leaseOf(claim),
    attempt,
    next:
      cancelReason === undefined
        ? { status: 'dead_letter', failureReason: 'retries_exhausted' }
        : { status: 'failed', failureReason: 'cancelled_by_transformation', cancelReason },
  });
  stats.countAttemptBytes(claim.workspaceId, bytesOfAttempt(attempt));
  live.deliveryChanged(claim);
  return 'failure';
}

/** A test that a shutdown aborts has ended, too: its request may have arrived, and it is not sent again. */
function endedResult(sent: SendResult, durationMs: number): EndedResult {
  if (sent.kind !== 'aborted') return sent;
  return {
    kind: 'error',
    errorCode: 'internal',
    message: 'The sending service stopped before the answer was complete',
    response: null,
    durationMs,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null },
    remoteAddress: null,
  };
}

function leaseOf({ deliveryId, endpointId, leaseToken }: ClaimedDelivery) {
  return { deliveryId, endpointId, leaseToken };
}
