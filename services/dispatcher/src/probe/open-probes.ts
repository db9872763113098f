import type { SealingKeys } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import type { Tools } from '@posthorn/destinations/kind';
import { openDestinations } from '@posthorn/destinations/open-destinations';
import { createDocumentReader } from '@posthorn/destinations/webhook/read-document';
import { createDestinations } from '@posthorn/ingest/destinations';
import { createIngestGates } from '@posthorn/ingest/gates';
import { createIngestMetrics } from '@posthorn/ingest/metrics';
import { createPayloadCheck, createSchemaReader } from '@posthorn/ingest/payload-check';
import { claimTestDelivery } from '@posthorn/ledger/test-deliveries';
import type { EndpointCache } from '@posthorn/messages/endpoint-cache';
import type { Consumer } from '@posthorn/queue/consumer';
import type { LivePublisher } from '@posthorn/queue/live';
import type { Queues } from '@posthorn/queue/queues';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import type { Gatherer } from '@posthorn/stats/gather';
import type { Transformer } from '@posthorn/transform/open-transformer';
import { createReadLargePayload } from '../deliver/large-payloads.ts';
import { createSettleWithRetry } from '../deliver/settle-with-retry.ts';
import type { DispatcherMetrics } from '../metrics.ts';
import { createProbe } from './probe.ts';

export type OpenProbesOptions = {
  queues: Pick<Queues, 'openProbeReplies' | 'consumeProbes'>;
  db: Db;
  keys: SealingKeys;
  endpoints: EndpointCache;
  transformer: Transformer;
  egress: Tools & { lifecycle: Pick<Lifecycle, 'onStop'> };
  live: Pick<LivePublisher, 'deliveryChanged'>;
  stats: Pick<Gatherer, 'countAttemptBytes'>;
  logger: Logger;
  quiet: Pick<Logger, 'warn'>;
  metrics: DispatcherMetrics;
  settings: { timeoutSeconds: number; retentionDays: number; maxPayloadBytes: number };
};

/**
 * The most probes that a dispatcher makes at once, in addition to its slots for deliveries. A probe mostly waits for an
 * answer. All workspaces of one owner have at most 20 at once, which leaves most of them to others.
 */
const PROBES_AT_ONCE = 50;

/**
 * Consumes the tests and examinations that the API asks for. They have a separate sender, so that they share no
 * connections with deliveries.
 */
export function openProbes(options: OpenProbesOptions): Consumer & { abortAll(): void } {
  const { queues, db, egress, quiet, settings, endpoints } = options;
  const { clock, lifecycle } = egress;
  const replies = queues.openProbeReplies();
  lifecycle.onStop('probe replies', () => replies.close());
  const destinations = openDestinations(egress);
  lifecycle.onStop('sender of probes', () => destinations.close());
  const documents = createDocumentReader(egress);
  lifecycle.onStop('reader of documents', () => documents.close());
  const handle = createProbe({
    clock,
    replies,
    logger: options.logger,
    metrics: options.metrics,
    test: {
      claimTest: (test) => claimTestDelivery(db, test, { defaultTimeoutSeconds: settings.timeoutSeconds }),
      settle: createSettleWithRetry(db, quiet, undefined, clock),
      keys: options.keys,
      endpoints,
      transformer: options.transformer,
      readLargePayload: createReadLargePayload(db),
      sender: destinations,
      live: options.live,
      stats: options.stats,
      clock,
      settings,
    },
    doctor: {
      db,
      endpoints,
      destinations,
      clock,
      settings,
    },
    challenge: { keys: options.keys, sender: destinations, clock },
    documents,
    source: {
      ...{ db, keys: options.keys, tools: egress, maxPayloadBytes: settings.maxPayloadBytes },
      prepare: {
        destinations: createDestinations(db, clock),
        checkPayload: createPayloadCheck(createSchemaReader(db), createIngestGates()),
        // A tested record is stored nowhere, goes nowhere and is not counted.
        matchAtDoor: async () => undefined,
        openSearchKey: () => undefined,
        metrics: createIngestMetrics([]),
        ...{ sealingKeys: options.keys, clock },
      },
    },
  });
  const onJobError = (error: Error) => quiet.warn('a probe failed', errorFields(error));
  const consumer = queues.consumeProbes({ concurrency: PROBES_AT_ONCE, handle, onJobError });
  return { ...consumer, abortAll: destinations.abortAll };
}
