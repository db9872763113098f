import { newUuid, toId } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { seal } from '@posthorn/crypto/seal';
import { DOCTOR_CHECKS } from '@posthorn/destinations/examination';
import { settleDeliveries } from '@posthorn/ledger/settle';
import { claimTestDelivery } from '@posthorn/ledger/test-deliveries';
import type { ProbeJob } from '@posthorn/queue/jobs';
import type { ApiUnderTest } from './api-under-test.ts';

export type ProbeStandIn = { jobs: ProbeJob[]; close: () => Promise<void> };

/**
 * Takes the API's probes instead of a dispatcher: a test is settled as a success without a request, and an
 * examination finds nothing wrong, unless `reportOn` gives another report, as it must for a challenge. An attempt at a
 * playground has a body. `before` runs when a probe has begun.
 */
export function takeProbes(
  api: ApiUnderTest,
  before: () => Promise<void> = async () => {},
  reportOn: (endpointId: string) => unknown = healthy,
): ProbeStandIn {
  const jobs: ProbeJob[] = [];
  const begin = async () => {
    const queues = await api.openQueues();
    const replies = queues.openProbeReplies();
    const consumer = queues.consumeProbes({
      concurrency: 20,
      async handle(job) {
        jobs.push(job);
        await replies.begun(job);
        await before();
        if (job.kind === 'test') await settleAsSuccess(api, job);
        await replies.ended(job, replyTo(job, reportOn));
      },
      onJobError: () => {},
    });
    return { replies, consumer };
  };
  const begun = begin();
  return {
    jobs,
    async close() {
      const { replies, consumer } = await begun;
      await consumer.close();
      replies.close();
    },
  };
}

function replyTo(job: ProbeJob, reportOn: (endpointId: string) => unknown): unknown {
  if (job.kind === 'doctor' || job.kind === 'challenge') return reportOn(job.endpointId);
  if (job.kind !== 'source') return null;
  const sourceId = toId('src', job.sourceId);
  return { sourceId, outcome: 'success', error: null, topics: [], record: null, durationMs: 1 };
}

async function settleAsSuccess({ db, services }: ApiUnderTest, job: Extract<ProbeJob, { kind: 'test' }>) {
  const claim = await claimTestDelivery(db, job, { defaultTimeoutSeconds: 15 });
  if (claim === undefined) return;
  const { deliveryId, endpointId, leaseToken, attemptNumber, trigger } = claim;
  const endpoint = await db.endpoint.findUniqueOrThrow({ where: { id: endpointId } });
  const id = newUuid(new Date());
  const body = seal(services.sealingKeys, Buffer.from('{}'), sealContext.requestBody(id));
  const attempt = {
    id,
    number: attemptNumber,
    trigger,
    succeeded: true,
    startedAt: new Date(),
    durationMs: 3,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null },
    url: endpoint.url,
    requestBody: endpoint.type === 'playground' ? body : null,
    requestHeaders: { 'content-type': claim.event?.contentType ?? '' },
    responseStatus: 204,
    responseHeadersSealed: seal(services.sealingKeys, Buffer.from('{}'), sealContext.responseHeaders(id)),
    responseBodySealed: null,
    responseTruncated: false,
    errorCode: null,
    errorMessage: null,
    remoteAddress: null,
  };
  await settleDeliveries(db, [{ deliveryId, endpointId, leaseToken, attempt, next: { status: 'delivered' } }]);
}

function healthy(endpointId: string) {
  const check = { outcome: 'pass', detail: 'as it should be', advice: null, durationMs: 1 };
  return {
    endpointId: toId('ep', endpointId),
    verdict: 'healthy',
    checks: DOCTOR_CHECKS.map((name) => ({ name, ...check })),
    startedAt: new Date().toISOString(),
    durationMs: 10,
  };
}
