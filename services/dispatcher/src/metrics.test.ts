import { expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import type { Claim } from '@posthorn/ledger/claim';
import type { AttemptRecord, Settled, Settlement } from '@posthorn/ledger/settle';
import { systemClock } from '@posthorn/runtime/clock';
import { createMetrics, watchSettle } from './metrics.ts';

const eventId = newUuid(new Date());
const claimed = {
  kind: 'claimed',
  deliveryId: newUuid(new Date()),
  eventId,
  workspaceId: newUuid(new Date()),
  endpointId: newUuid(new Date()),
  endpointRevision: 'first',
  leaseToken: newUuid(new Date()),
  attemptNumber: 1,
  trigger: 'schedule',
  scheduleStep: 0,
  lostLeases: 0,
  askedAtMs: 0,
  askedAtWallMs: 0,
  eventAgeSeconds: 0,
  event: null,
  orderingKey: null,
} satisfies Claim;

const record: AttemptRecord = {
  id: newUuid(new Date()),
  number: 1,
  trigger: 'schedule',
  succeeded: true,
  startedAt: new Date(),
  durationMs: 30,
  timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null },
  url: 'https://receiver.test/',
  requestHeaders: {},
  responseStatus: 200,
  responseHeadersSealed: null,
  responseBodySealed: null,
  responseTruncated: false,
  errorCode: null,
  errorMessage: null,
  remoteAddress: null,
};

/** The samples of a metric that are not 0, as Prometheus reads them. */
async function samples({ registry }: ReturnType<typeof createMetrics>, name: string): Promise<string[]> {
  const text = await registry.getSingleMetricAsString(name);
  return text.split('\n').filter((line) => !line.startsWith('#') && !line.endsWith(' 0'));
}

test('an expired lease is counted once, whether its delivery is attempted again or quarantined', async () => {
  const metrics = createMetrics();
  metrics.countClaim(claimed);
  metrics.countClaim({ ...claimed, lostLeases: 1 });
  metrics.countClaim({ kind: 'ended', reason: 'quarantined', eventType: null, isTest: false, orderingKey: null });
  metrics.countClaim({ kind: 'ended', reason: 'endpoint_deleted', eventType: null, isTest: false, orderingKey: null });
  metrics.countClaim({ kind: 'nothing' });
  expect(await samples(metrics, 'posthorn_lease_expired_total')).toEqual(['posthorn_lease_expired_total 2']);
  expect(await samples(metrics, 'posthorn_stale_jobs_total')).toEqual(['posthorn_stale_jobs_total 1']);
  expect(await samples(metrics, 'posthorn_deliveries_ended_total')).toEqual([
    'posthorn_deliveries_ended_total{reason="quarantined"} 1',
    'posthorn_deliveries_ended_total{reason="endpoint_deleted"} 1',
  ]);
});

test('the end of a test is not counted, also where a claim ends it', async () => {
  const metrics = createMetrics();
  metrics.countClaim({ kind: 'ended', reason: 'retries_exhausted', eventType: null, isTest: true, orderingKey: null });
  expect(await samples(metrics, 'posthorn_deliveries_ended_total')).toEqual([]);
});

test('attempts are counted by outcome, and the delay of first attempts is measured', async () => {
  const metrics = createMetrics();
  metrics.countAttempt(record, 200);
  metrics.countAttempt({ ...record, number: 2, succeeded: false, errorCode: 'timeout' }, null);
  expect(await samples(metrics, 'posthorn_attempts_total')).toEqual([
    'posthorn_attempts_total{outcome="success"} 1',
    'posthorn_attempts_total{outcome="timeout"} 1',
  ]);
  const delays = await samples(metrics, 'posthorn_first_attempt_delay_seconds');
  expect(delays).toContain('posthorn_first_attempt_delay_seconds_sum 0.2');
  expect(delays).toContain('posthorn_first_attempt_delay_seconds_count 1');
});

test('an end is counted only when the settle made it: not for a retry, not for a lost lease', async () => {
  const metrics = createMetrics();
  const clock = { ...systemClock, monotonicMs: () => 0 };
  const settle = (answer: Settled) => watchSettle(metrics, clock, async () => answer);
  const settled = settle({ kind: 'settled', generation: 1, delayMs: null });
  const settlement: Settlement = { ...claimed, attempt: record, next: { status: 'delivered' } };
  await settled(settlement);
  await settled({ ...settlement, next: { status: 'scheduled_retry', delaySeconds: 5 } });
  await settled({ ...settlement, next: { status: 'failed', failureReason: 'payload_unreadable' } });
  await settle({ kind: 'stale' })(settlement);
  expect(await samples(metrics, 'posthorn_deliveries_ended_total')).toEqual([
    'posthorn_deliveries_ended_total{reason="payload_unreadable"} 1',
    'posthorn_deliveries_ended_total{reason="delivered"} 1',
  ]);
});
