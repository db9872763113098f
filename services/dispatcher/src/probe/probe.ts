import { toId } from '@posthorn/contract/ids';
import type { DocumentReader } from '@posthorn/destinations/webhook/read-document';
import { USER_AGENT } from '@posthorn/messages/build-request';
import type { ProbeJob } from '@posthorn/queue/jobs';
import type { ProbeReplies } from '@posthorn/queue/probe-replies';
import type { Clock } from '@posthorn/runtime/clock';
import type { Logger } from '@posthorn/runtime/logger';
import { type ChallengeDeps, sendChallenge } from '../agents/challenge.ts';
import type { DispatcherMetrics } from '../metrics.ts';
import { type TestSourceDeps, testSource } from '../sources/test-source.ts';
import { type ExamineDeps, examineEndpoint } from './doctor.ts';
import { type SendTestDeps, sendTest } from './send-test.ts';

export type ProbeDeps = {
  clock: Clock;
  replies: Pick<ProbeReplies, 'begun' | 'ended'>;
  logger: Pick<Logger, 'info'>;
  metrics: Pick<DispatcherMetrics, 'probes'>;
  test: SendTestDeps;
  doctor: ExamineDeps;
  challenge: ChallengeDeps;
  documents: Pick<DocumentReader, 'read'>;
  source: TestSourceDeps;
};

const DOCUMENT_TIMEOUT_MS = 10_000;

/**
 * Processes a probe job: tells the API that it has begun, makes the test or the examination, and tells the API that it
 * has ended. A job that is too late makes no request, because nobody waits for it any more. Rejects for our own faults.
 * The job is then dropped, and the API's wait ends at its limit.
 */
export function createProbe(deps: ProbeDeps): (job: ProbeJob) => Promise<void> {
  return async (job) => {
    const late = deps.clock.now().getTime() >= job.beginsByMs;
    if (!late) await deps.replies.begun(job);
    const { result, reply } = late ? { result: 'expired', reply: null } : await run(deps, job);
    deps.metrics.probes.inc({ kind: job.kind, result });
    deps.logger.info('endpoint.probed', {
      kind: job.kind,
      ...('endpointId' in job ? { endpointId: toId('ep', job.endpointId) } : {}),
      ...(job.kind === 'source' ? { sourceId: toId('src', job.sourceId) } : {}),
      workspaceId: toId('ws', job.workspaceId),
      ...(job.kind === 'test' ? { deliveryId: toId('dlv', job.deliveryId) } : {}),
      result,
    });
    if (!late) await deps.replies.ended(job, reply);
  };
}

/** The reply to a test is its attempt, which is a row in Postgres. Other replies contain the result. */
async function run(deps: ProbeDeps, job: ProbeJob): Promise<{ result: string; reply: unknown }> {
  switch (job.kind) {
    case 'test':
      return { result: await sendTest(deps.test, job), reply: null };
    case 'challenge': {
      const reply = await sendChallenge(deps.challenge, job);
      return { result: reply.echoed ? 'success' : 'failure', reply };
    }
    case 'document': {
      const reply = await deps.documents.read(job.url, { timeoutMs: DOCUMENT_TIMEOUT_MS, userAgent: USER_AGENT });
      return { result: reply.kind === 'read' ? 'success' : 'failure', reply };
    }
    case 'source': {
      const reply = await testSource(deps.source, job);
      return { result: reply?.outcome ?? 'unsent', reply: reply ?? null };
    }
    case 'doctor': {
      const report = await examineEndpoint(deps.doctor, job);
      return { result: report?.verdict ?? 'unsent', reply: report ?? null };
    }
    default:
      // The job comes from an API of a later version.
      job satisfies never;
      return { result: 'unsent', reply: null };
  }
}
