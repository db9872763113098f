import { createDb } from '@posthorn/db/client';
import { pingPostgres } from '@posthorn/db/ping';
import { readPostgresClock } from '@posthorn/db/postgres-clock';
import type { NewDelivery } from '@posthorn/ledger/create';
import { disableEndpoint } from '@posthorn/ledger/disable-endpoint';
import { consumeDeliver, consumeFanOut, shareOfShard } from '@posthorn/queue/consumer';
import type { DeliverJob, FanOutJob } from '@posthorn/queue/jobs';
import { createLivePublisher } from '@posthorn/queue/live';
import { createProducer } from '@posthorn/queue/producer';
import { deliverQueues, shardOf } from '@posthorn/queue/queues';
import { createThrottle } from '@posthorn/queue/throttle';
import { ownerDatabaseUrl, settingsOrExit } from '@posthorn/runtime/env';
import { followClock } from '@posthorn/runtime/follow-clock';
import { errorFields } from '@posthorn/runtime/logger';
import { watchPartitions, watchPools, watchStats, watchStores } from '@posthorn/runtime/process-metrics';
import { serve } from '@posthorn/runtime/serve';
import { startProcess } from '@posthorn/runtime/start-process';
import { startStats } from '@posthorn/stats/start';
import { createAdmit } from './admission/admit.ts';
import { createPayloadMemory } from './admission/payload-memory.ts';
import { findRecentlyFailing } from './admission/recently-failing.ts';
import { createSlots, type Slots } from './admission/slots.ts';
import { readConfig } from './config.ts';
import { createDeliver, type DeliverDeps } from './deliver/deliver.ts';
import { createEndpointCache, type EndpointCache } from './deliver/endpoint-cache.ts';
import { createEnqueue } from './deliver/enqueue.ts';
import { createFollowHead } from './deliver/follow-head.ts';
import { createReadLargePayload } from './deliver/large-payloads.ts';
import { createLedgerBatches } from './deliver/ledger-batches.ts';
import { createSettleWithRetry } from './deliver/settle-with-retry.ts';
import { createAttemptTraces } from './deliver/tracing.ts';
import { createFanOut } from './fan-out/fan-out.ts';
import { createImmediateAttempts, type ImmediateAttempts } from './fan-out/immediate-attempts.ts';
import { createRoutes } from './fan-out/routes.ts';
import { createTracedFanOut } from './fan-out/tracing.ts';
import { createHealthApp } from './health.ts';
import { startMaintenance } from './maintenance/start-maintenance.ts';
import { createMetrics, watchSettle } from './metrics.ts';
import { startOperationalEvents } from './operational-events/start-operational-events.ts';
import { startOperations } from './operations/start-operations.ts';
import { openProbes } from './probe/open-probes.ts';
import { createQueueBoard } from './queue-board.ts';
import { createExpiredLeaseTimer } from './recovery/expired-lease-timer.ts';
import { consumeFormerShards } from './recovery/former-shards.ts';
import { createReplaceableConsumer, stopConsumers } from './recovery/replaceable-consumer.ts';
import { startReconciler } from './recovery/start-reconciler.ts';
import { type Progress, startWatchdogs } from './recovery/start-watchdogs.ts';
import { openSender } from './send/open-sender.ts';
import type { DeliverySender } from './send/playground.ts';

/** Attempts that are still under way when this time ends are aborted, and their leases are released. */
const DRAIN_WINDOW_MS = 25_000;
/** The time to release leases and to close, within the stop deadline. */
const ABORT_WINDOW_MS = 2_500;
const STOP_DEADLINE_MS = 29_000;
/** Batches run two at a time, and those of floods two at a time beside them. The other jobs wait to be batched. */
const FAN_OUT_CONCURRENCY = 16;

const config = settingsOrExit(readConfig);
const metrics = createMetrics();
const { logger, quiet, lifecycle, clock, tracing } = await startProcess({
  service: 'dispatcher',
  settings: config,
  registry: metrics.registry,
  stopDeadlineMs: STOP_DEADLINE_MS,
});

const db = createDb({
  databaseUrl: config.DATABASE_URL,
  maxConnections: 10,
  keepPlans: true,
  unnamedStatements: !config.DATABASE_PREPARED_STATEMENTS,
  onIdleError: (error) => quiet.warn('an idle Postgres connection broke', errorFields(error)),
  onPool: (pool) => watchPools(metrics.registry, { delivery: pool }),
});
lifecycle.onStop('postgres', () => db.$disconnect());
const following = await followClock({
  clock,
  read: () => readPostgresClock(db, clock.monotonicMs),
  onError: (error) => quiet.warn("Postgres' clock could not be read", errorFields(error)),
});
lifecycle.onStop('clock', () => following.stop());
const stats = startStats({ db, clock, logger: quiet, onDropped: watchStats(metrics.registry) });
lifecycle.onStop('stats', () => stats.stop());

const redis = {
  redisUrl: config.REDIS_URL,
  redisCa: config.REDIS_CA,
  sentinelPassword: config.REDIS_SENTINEL_PASSWORD,
  prefix: config.QUEUE_PREFIX,
  onError: (error: Error) => quiet.warn('redis reports a fault', errorFields(error)),
};
const shards = config.DELIVER_QUEUE_SHARDS;
const jobsOfShard = shareOfShard(config.DELIVERY_CONCURRENCY, shards);
const producer = createProducer({ ...redis, shards, monotonicMs: clock.monotonicMs });
lifecycle.onStop('producer', () => producer.close());
const live = createLivePublisher(redis);
lifecycle.onStop('live publisher', () => live.close());
watchStores(metrics.registry, { postgres: () => pingPostgres(db), redis: () => producer.ping() });

const address = config.LISTEN_ADDRESS;
await serve(
  { lifecycle, logger },
  { part: 'health', handler: createHealthApp({ db, producer, clock, metrics }), port: config.METRICS_PORT, address },
);
const { ADMIN_USER: user, ADMIN_PASSWORD: password, ADMIN_WRITE: write, BASE_URL: dashboardUrl } = config;
const board = createQueueBoard({ ...redis, shards, user, password, write, dashboardUrl, clock });
lifecycle.onStop('queue board', board.close);
await serve({ lifecycle, logger }, { part: 'queue board', handler: board.app, port: config.ADMIN_PORT, address });

startReconciler({ db, producer, clock, metrics, intervalMs: config.SWEEP_INTERVAL_MS, lifecycle, logger, quiet });
const shared = { db, producer, clock, metrics, stats: stats.gatherer, live, keys: config.SEALING_KEYS, lifecycle };
startOperations({ ...shared, logger: quiet, retentionDays: config.RETENTION_DAYS });
startOperationalEvents({ ...shared, logger: quiet });
startMaintenance({
  db,
  databaseUrl: config.DATABASE_URL,
  ownerDatabaseUrl: ownerDatabaseUrl(config),
  retentionDays: config.RETENTION_DAYS,
  clock,
  stats: stats.gatherer,
  live,
  onPartitionsAhead: watchPartitions(metrics.registry),
  lifecycle,
  logger,
});
await startConsumers();
logger.info('dispatcher started', { concurrency: config.DELIVERY_CONCURRENCY });

async function startConsumers(): Promise<void> {
  const slots = createSlots({
    slots: config.DELIVERY_CONCURRENCY,
    clock,
    random: Math.random,
    recentlyFailing: await findRecentlyFailing(db),
  });
  const progress: Progress = { fanOut: 0, deliver: deliverQueues(shards).map(() => 0) };
  const egress = { rules: config.EGRESS_ALLOW_CIDRS, clock, lifecycle };
  const shutdown = { draining: false };
  const { sender } = openSender(egress);
  const enqueue = createEnqueue(producer, quiet);
  const endpoints = createEndpointCache(db, config.SEALING_KEYS, clock);
  const parts = { slots, sender, enqueue, endpoints, startTrace: createAttemptTraces(tracing), shutdown };
  const deliver = createDeliver(deliverDeps({ ...parts, followHead: (order) => followHead(order) }, progress));
  const immediate = createImmediateAttempts({
    ...parts,
    deliver,
    clock,
    logger: quiet,
    metrics,
    slotCount: config.DELIVERY_CONCURRENCY,
  });
  const followHead = createFollowHead({ db, take: immediate.take, live, logger: quiet });
  const fanOut = createFanOutHandler({ enqueue, immediate }, progress);
  const consumers = openConsumers({ fanOut, deliver: deliver.process });
  const probes = openProbes({
    redis,
    db,
    keys: config.SEALING_KEYS,
    endpoints,
    egress,
    live,
    quiet,
    logger,
    metrics,
    settings: { timeoutSeconds: config.DELIVERY_TIMEOUT_SECONDS, retentionDays: config.RETENTION_DAYS },
  });
  lifecycle.onStop('consumers', async () => {
    shutdown.draining = true;
    await stopConsumers([consumers.fanOut, ...consumers.deliver, consumers.formerShards, probes], {
      thenDrain: immediate.drain,
      drainWindowMs: DRAIN_WINDOW_MS,
      abortWindowMs: ABORT_WINDOW_MS,
      abort() {
        sender.abortAll();
        probes.abortAll();
      },
    });
  });
  const databaseUrl = config.DATABASE_URL;
  const watched = { consumers, progress, isFull: slots.isFull, shutdown, lifecycle };
  const giveUp = () => void lifecycle.stop('watchdog').then(() => process.exit(1));
  startWatchdogs({ databaseUrl, producer, clock, logger, ...watched, giveUp });
}

type Enqueue = ReturnType<typeof createEnqueue>;
type Handlers = { fanOut: (job: FanOutJob) => Promise<void>; deliver: (job: DeliverJob) => Promise<void> };

/** Opens a consumer for each queue and shard, and for former shards that still have jobs. */
function openConsumers(handlers: Handlers) {
  const onJobError = (error: Error) =>
    quiet.warn('a job failed; the reconciler will enqueue it again', errorFields(error));
  const common = { ...redis, onJobError };
  const consumeShard = (shard: number) =>
    consumeDeliver({ ...common, shard, concurrency: jobsOfShard, handle: handlers.deliver });
  return {
    fanOut: createReplaceableConsumer(() =>
      consumeFanOut({ ...common, concurrency: FAN_OUT_CONCURRENCY, handle: handlers.fanOut }),
    ),
    deliver: deliverQueues(shards).map((_, shard) => createReplaceableConsumer(() => consumeShard(shard))),
    formerShards: consumeFormerShards({
      producer,
      consume: consumeShard,
      onError: (error) => quiet.warn('jobs of former shards could not be found', errorFields(error)),
    }),
  };
}

function createFanOutHandler(
  parts: { enqueue: Enqueue; immediate: ImmediateAttempts },
  progress: Progress,
): (job: FanOutJob) => Promise<void> {
  const deps = {
    ...parts,
    db,
    keys: config.SEALING_KEYS,
    routes: createRoutes(db),
    enqueueFanOut: producer.enqueueFanOut,
    onCreated(deliveries: readonly NewDelivery[]) {
      metrics.deliveriesCreated.inc(deliveries.length);
      for (const delivery of deliveries) live.deliveryChanged(delivery);
    },
    clock,
    logger: quiet,
    defaultTimeoutSeconds: config.DELIVERY_TIMEOUT_SECONDS,
  };
  const fanOut = tracing === undefined ? createFanOut(deps) : createTracedFanOut(deps, tracing);
  return async (job) => {
    metrics.jobsReceived.inc({ queue: 'fan-out' });
    await fanOut(job);
    progress.fanOut += 1;
  };
}

type DeliverParts = Pick<DeliverDeps, 'startTrace' | 'shutdown' | 'followHead'> & {
  slots: Slots;
  sender: DeliverySender;
  enqueue: Enqueue;
  endpoints: EndpointCache;
};

function deliverDeps({ slots, endpoints, ...parts }: DeliverParts, progress: Progress): DeliverDeps {
  const defaultTimeoutSeconds = config.DELIVERY_TIMEOUT_SECONDS;
  const ledger = createLedgerBatches(db, { defaultTimeoutSeconds });
  const throttle = createThrottle(redis);
  lifecycle.onStop('throttle', () => throttle.close());
  /** Progress means that Postgres answered a statement: that a job begins only shows that Redis works. */
  const counted = <Asked, Answer>(ask: (asked: Asked) => Promise<Answer>) => {
    return async (asked: Asked & { endpointId: string }) => {
      const answer = await ask(asked);
      const shard = shardOf(asked.endpointId, shards);
      progress.deliver[shard] = (progress.deliver[shard] ?? 0) + 1;
      return answer;
    };
  };
  return {
    ...parts,
    endpoints,
    admit: createAdmit({ slots, throttle, limitsOf: endpoints.limitsOf, random: Math.random, defaultTimeoutSeconds }),
    payloadMemory: createPayloadMemory(),
    returnSeconds: slots.returnSeconds,
    readLargePayload: createReadLargePayload(db),
    claim: counted(ledger.claim),
    defer: counted(ledger.defer),
    settle: watchSettle(metrics, clock, createSettleWithRetry(db, quiet)),
    disableEndpoint: (input) => disableEndpoint(db, input),
    expiredLeases: createExpiredLeaseTimer(parts.enqueue),
    keys: config.SEALING_KEYS,
    clock,
    random: Math.random,
    logger,
    metrics,
    stats: stats.gatherer,
    live,
    settings: {
      timeoutSeconds: defaultTimeoutSeconds,
      retrySchedule: config.RETRY_SCHEDULE,
      retentionDays: config.RETENTION_DAYS,
      // Isolated deliveries that wait occupy the worker: at most a tenth of the jobs that it may hold.
      maxWaitingIsolated: Math.floor(jobsOfShard / 10),
    },
  };
}
