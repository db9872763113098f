import { uuidTime } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';
import { afterLease, attemptIdOf } from '@posthorn/ledger/lease-outcome';
import { type ExpiredLease, expiredLeases, type LeaseSettlement, settleLeases } from '@posthorn/ledger/settle-leases';
import { retryDelaySeconds } from '@posthorn/messages/retry-schedule';
import type { LivePublisher } from '@posthorn/queue/live';
import type { Clock } from '@posthorn/runtime/clock';
import { bytesOfAttempt } from '@posthorn/stats/attempt-bytes';
import type { Gatherer } from '@posthorn/stats/gather';
import type { DispatcherMetrics } from '../metrics.ts';

export type ExpireLeasesDeps = {
  db: Db;
  clock: Clock;
  random: () => number;
  stats: Pick<Gatherer, 'countAttempt' | 'countAttemptBytes'>;
  live: Pick<LivePublisher, 'deliveryChanged'>;
  metrics: Pick<DispatcherMetrics, 'countAttempt' | 'ended'>;
  wakeConsumers: (endpointIds: Iterable<string>) => void;
  retrySchedule: readonly number[];
  retentionDays: number;
};

const PAGE = 500;

/**
 * Ends leases of consumers that did not answer in time. Each counts as an attempt. Any dispatcher may do this, and two
 * at once do no harm, because the second finds the deliveries changed. Returns whether there may be more.
 */
export async function expireLeases(deps: ExpireLeasesDeps): Promise<boolean> {
  const { db, live, stats, metrics, wakeConsumers } = deps;
  const expired = await expiredLeases(db, PAGE);
  const settlements = expired.map((lease) => settlementOf(deps, lease));
  const changed = await settleLeases(db, settlements);
  for (const { held, after, attempt } of settlements) {
    if (!changed.has(held.deliveryId) || attempt === null) continue;
    const { next } = after;
    const ended = next.status === 'dead_letter' ? next.status : undefined;
    const { durationMs } = attempt;
    stats.countAttemptBytes(held.workspaceId, bytesOfAttempt(attempt));
    live.deliveryChanged(held);
    if (held.isTest) continue;
    metrics.countAttempt({ ...attempt, number: held.totalAttempts + 1, trigger: held.trigger, ...NO_REQUEST }, null);
    if (ended !== undefined) metrics.ended.inc({ reason: 'retries_exhausted' });
    stats.countAttempt(held, { succeeded: false, durationMs, delayMs: null }, ended);
  }
  wakeConsumers(expired.map(({ endpointId }) => endpointId));
  return expired.length === PAGE;
}

const NO_REQUEST = {
  timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null },
  requestHeaders: {},
  responseTruncated: false,
  remoteAddress: null,
};

function settlementOf(deps: ExpireLeasesDeps, lease: ExpiredLease): LeaseSettlement {
  const { retrySchedule, url, ...held } = lease;
  const startedAt = uuidTime(held.leaseToken);
  const after = afterLease({ kind: 'expired' }, held, {
    retryDelaySeconds: retryDelaySeconds({
      schedule: retrySchedule ?? deps.retrySchedule,
      step: held.scheduleStep,
      retryAfterSeconds: undefined,
      random: deps.random(),
    }),
    secondsLeft: deps.retentionDays * 86_400 - held.eventAgeSeconds,
  });
  const attempt = {
    id: attemptIdOf(held, 'expired'),
    succeeded: false,
    startedAt,
    durationMs: Math.max(0, deps.clock.now().getTime() - startedAt.getTime()),
    url,
    responseStatus: null,
    responseHeadersSealed: null,
    responseBodySealed: null,
    errorCode: 'lease_expired',
    errorMessage: 'The lease ended without an answer of the consumer',
  };
  return { held, after, attempt, mayStillAnswer: true };
}
