import { disableEndpoint } from '@posthorn/ledger/disable-endpoint';
import type { EndpointCache } from '@posthorn/messages/endpoint-cache';
import type { DeliverRequest } from '@posthorn/queue/jobs';
import { createAdmit } from '../admission/admit.ts';
import type { Owners } from '../admission/owners.ts';
import { createPayloadMemory } from '../admission/payload-memory.ts';
import type { Slots } from '../admission/slots.ts';
import type { Config } from '../config.ts';
import type { Foundations } from '../foundations.ts';
import { watchSettle } from '../metrics.ts';
import { createExpiredLeaseTimer } from '../recovery/expired-lease-timer.ts';
import { createDeliver, type Deliver, type DeliverDeps } from './deliver.ts';
import { createReadLargePayload } from './large-payloads.ts';
import { createLedgerBatches } from './ledger-batches.ts';
import { createSettleWithRetry } from './settle-with-retry.ts';

export type OpenDeliverDeps = Pick<Foundations, 'time' | 'report'> &
  Pick<DeliverDeps, 'hurryLine' | 'pauseLine' | 'sender' | 'startTrace' | 'shutdown' | 'followHead' | 'transformer'> & {
    stores: Pick<Foundations['stores'], 'db' | 'throttle' | 'outage'> & Pick<DeliverDeps, 'live'>;
    slots: Slots;
    owners: Pick<Owners, 'of'>;
    endpoints: EndpointCache;
    enqueue: (deliveries: DeliverRequest[]) => void;
    /** Called when Postgres has answered a statement. That a job begins shows only that Redis works. */
    onAnswer: (endpointId: string) => void;
    /** The most jobs of one shard that this process may hold. */
    jobsOfShard: number;
  };

type DeliverConfig = Pick<Config, 'SEALING_KEYS' | 'DELIVERY_TIMEOUT_SECONDS' | 'RETRY_SCHEDULE' | 'RETENTION_DAYS'>;

/**
 * Connects the parts that deliver a job, as production and tests have them. A test replaces the parts that it is about.
 */
export function openDeliver(
  config: DeliverConfig,
  deps: OpenDeliverDeps,
  replaced: Partial<DeliverDeps> = {},
): Deliver {
  const { stores, time, report, slots, owners, endpoints, enqueue, hurryLine, onAnswer, jobsOfShard, ...parts } = deps;
  const { db, throttle, live, outage } = stores;
  const { clock, random } = time;
  const defaultTimeoutSeconds = config.DELIVERY_TIMEOUT_SECONDS;
  const ledger = createLedgerBatches(db, {
    defaultTimeoutSeconds,
    takeOver: outage.takeOver,
    onClaimed: (rows) => report.metrics.claimedRows.observe(rows),
  });
  const counted = <Asked, Answer>(ask: (asked: Asked) => Promise<Answer>) => {
    return async (asked: Asked & { endpointId: string }) => {
      const answer = await ask(asked);
      onAnswer(asked.endpointId);
      return answer;
    };
  };
  return createDeliver({
    ...parts,
    endpoints,
    enqueue,
    hurryLine,
    admit: createAdmit({ slots, throttle, clock, hurryLine, limitsOf: endpoints.limitsOf, defaultTimeoutSeconds }),
    ownerOf: owners.of,
    payloadMemory: createPayloadMemory({ ownerOf: owners.of }),
    returnSeconds: slots.returnSeconds,
    readLargePayload: createReadLargePayload(db),
    claim: counted(ledger.claim),
    defer: counted(ledger.defer),
    leaseOffer: ledger.leaseOffer,
    settle: watchSettle(report.metrics, clock, createSettleWithRetry(db, report.quiet, time.timing, clock, outage)),
    disableEndpoint: (input) => disableEndpoint(db, input),
    expiredLeases: createExpiredLeaseTimer(enqueue),
    keys: config.SEALING_KEYS,
    clock,
    random,
    logger: report.logger,
    metrics: report.metrics,
    stats: report.stats,
    live,
    settings: {
      timeoutSeconds: defaultTimeoutSeconds,
      retrySchedule: config.RETRY_SCHEDULE,
      retentionDays: config.RETENTION_DAYS,
      // Waiting isolated deliveries occupy the worker: at most a tenth of the jobs that it may hold.
      maxWaitingIsolated: Math.floor(jobsOfShard / 10),
    },
    ...replaced,
  });
}
