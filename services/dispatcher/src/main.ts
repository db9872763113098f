import { createDb, type Db } from '@posthorn/db/client';
import { pingPostgres } from '@posthorn/db/ping';
import { createLookup } from '@posthorn/egress/lookup';
import { createResolveName } from '@posthorn/egress/resolve-name';
import { type DisableEndpoint, disableEndpoint } from '@posthorn/ledger/disable-endpoint';
import { consumeDeliver, consumeFanOut } from '@posthorn/queue/consumer';
import type { DeliveryTicket } from '@posthorn/queue/deliver-job';
import { createProducer, type Producer } from '@posthorn/queue/producer';
import { createThrottle } from '@posthorn/queue/throttle';
import { createBatcher } from '@posthorn/runtime/batch';
import { systemClock } from '@posthorn/runtime/clock';
import { answersWithin, withDeadline } from '@posthorn/runtime/deadline';
import { ownerDatabaseUrl, settingsOrExit } from '@posthorn/runtime/env';
import { limitHeapGrowth } from '@posthorn/runtime/heap-growth';
import { createLifecycle } from '@posthorn/runtime/lifecycle';
import { createLogger, createQuietLogger, errorFields } from '@posthorn/runtime/logger';
import { watchPool, watchProcess, watchStores } from '@posthorn/runtime/process-metrics';
import { repeat } from '@posthorn/runtime/repeat';
import { serve } from '@posthorn/runtime/serve';
import { startTracing } from '@posthorn/runtime/start-tracing';
import { createGate } from './admission/admit.ts';
import { findKnownToFail } from './admission/recently-failing.ts';
import { type Admission, createAdmission } from './admission/slots.ts';
import { createBullBoardApp } from './bull-board.ts';
import { type Config, readConfig } from './config.ts';
import { createDeliver } from './deliver/deliver.ts';
import { createTargets } from './deliver/endpoint-cache.ts';
import { createLedgerBatches } from './deliver/ledger-batches.ts';
import { createPatientSettle } from './deliver/settle-with-retry.ts';
import { traceDelivery } from './deliver/tracing.ts';
import { createFanOut } from './fan-out/fan-out.ts';
import { createTracedFanOut } from './fan-out/tracing.ts';
import { readGauges } from './gauges.ts';
import { createHealthApp } from './health.ts';
import { keepRetention } from './maintenance/retention.ts';
import { createMetrics, watchSettle } from './metrics.ts';
import { createRingAfterLease } from './recovery/expired-lease-timer.ts';
import { sweep } from './recovery/reconcile.ts';
import { type KeptConsumer, keepConsumer } from './recovery/replaceable-consumer.ts';
import { startWatchdog, type WatchedQueue } from './recovery/start-watchdog.ts';
import { createSender } from './send/send.ts';

/** An attempt still open when this ends is aborted and handed back. */
const DRAIN_WINDOW_MS = 25_000;
/** What is left after the window to hand back and close. */
const STOP_DEADLINE_MS = 29_000;
/** Within the 5 s that a connection may take. */
const LOOKUP_BUDGET_MS = 4_000;
const FAN_OUT_CONCURRENCY = 16;
const WHO_FAILS_WITHIN_MS = 2_000;
const HOUR_MS = 3_600_000;
/** After a round of which a step failed. */
const RETENTION_AGAIN_MS = 60_000;
/** A retry further ahead than this waits in Postgres alone; the sweep rings it when it is due. */
const FARTHEST_RING_MS = 15 * 60_000;

limitHeapGrowth(40);
const config = settingsOrExit(readConfig);
const logger = createLogger({ service: 'dispatcher', level: config.LOG_LEVEL });
const quiet = createQuietLogger(logger);
const lifecycle = createLifecycle({ logger, deadlineMs: STOP_DEADLINE_MS });
const metrics = createMetrics();
watchProcess(metrics.registry);
const tracing = await startTracing({
  serviceName: 'posthorn-dispatcher',
  settings: config,
  clock: systemClock,
  onError: (error) => quiet.warn('traces could not be sent', { error }),
});
// First, and so the last to be stopped: what is under way until then is still told.
if (tracing !== undefined) lifecycle.onStop('traces', tracing.stop);

const db = createDb({
  databaseUrl: config.DATABASE_URL,
  maxConnections: 10,
  keepPlans: true,
  onIdleError: (error) => quiet.warn('an idle Postgres connection broke', errorFields(error)),
  onPool: (pool) => watchPool(metrics.registry, pool),
});
lifecycle.onStop('postgres', () => db.$disconnect());

const redis = {
  redisUrl: config.REDIS_URL,
  prefix: config.QUEUE_PREFIX,
  onError: (error: Error) => quiet.warn('redis reports a fault', errorFields(error)),
};
const producer = createProducer({ ...redis, monotonicMs: systemClock.monotonicMs });
lifecycle.onStop('producer', () => producer.close());
watchStores(metrics.registry, { postgres: () => pingPostgres(db), redis: () => producer.ping() });

const address = config.LISTEN_ADDRESS;
await serve(
  { lifecycle, logger },
  { part: 'health', handler: createHealthApp({ db, producer, metrics }), port: config.METRICS_PORT, address },
);
const board = createBullBoardApp({
  ...redis,
  user: config.ADMIN_USER,
  password: config.ADMIN_PASSWORD,
  write: config.ADMIN_WRITE,
  clock: systemClock,
});
lifecycle.onStop('queue board', board.close);
await serve({ lifecycle, logger }, { part: 'queue board', handler: board.app, port: config.ADMIN_PORT, address });

startSweep(db, producer);
startRetention(db, config);
await startConsumers(db, producer, config);
logger.info('dispatcher started', { concurrency: config.DELIVERY_CONCURRENCY });

async function startConsumers(db: Db, producer: Producer, config: Config): Promise<void> {
  const knownToFail = await whoFails(db);
  const abort = new AbortController();
  const shutdown = { signal: abort.signal, draining: false };
  const ring = createRing(producer);
  const places = config.DELIVERY_CONCURRENCY;
  const admission = createAdmission({ places, clock: systemClock, random: Math.random, knownToFail });
  const parts = deliverParts(db, config);
  const deliver = createDeliver({
    ...parts,
    ...(tracing && traceDelivery(parts, tracing)),
    ...gateParts(db, config, admission),
    ring: (ticket) => ring([ticket]),
    ringAfterLease: createRingAfterLease((ticket) => ring([ticket])),
    shutdown,
  });
  const fanOutParts = { db, ring, metrics };
  const fanOut = tracing ? createTracedFanOut(fanOutParts, tracing) : createFanOut(fanOutParts);
  const onJobError = (error: Error) => quiet.warn('a job was dropped, the sweep will ring again', errorFields(error));
  const looks = { fanOut: 0, deliver: 0 };
  const counted = <Job>(queue: WatchedQueue, handle: (job: Job) => Promise<void>) => {
    return (job: Job) => {
      looks[queue] += 1;
      return handle(job);
    };
  };
  const forFanOut = { ...redis, concurrency: FAN_OUT_CONCURRENCY, handle: counted('fanOut', fanOut), onJobError };
  const forDeliver = {
    ...redis,
    concurrency: config.DELIVERY_CONCURRENCY,
    handle: counted('deliver', deliver),
    onJobError,
  };
  const consumers = {
    fanOut: keepConsumer(() => consumeFanOut(forFanOut)),
    deliver: keepConsumer(() => consumeDeliver(forDeliver)),
  };
  lifecycle.onStop('consumers', async () => {
    shutdown.draining = true;
    await stopConsumers(Object.values(consumers), abort);
  });
  const watch = (queue: WatchedQueue, isFull: () => boolean) => {
    const watchdog = startWatchdog({
      databaseUrl: config.DATABASE_URL,
      producer,
      clock: systemClock,
      logger,
      queue,
      looks: () => looks[queue],
      isFull,
      rebuild: async () => (shutdown.draining ? undefined : consumers[queue].rebuild()),
      giveUp: () => void lifecycle.stop('watchdog').then(() => process.exit(1)),
    });
    lifecycle.onStop('watchdog', () => watchdog.stop());
  };
  watch('fanOut', () => false);
  watch('deliver', admission.isFull);
}

/** Nobody, when Postgres does not say in time: deliveries do not wait for it. */
async function whoFails(db: Db): Promise<string[]> {
  let failing: string[] = [];
  const asked = findKnownToFail(db).then((found) => {
    failing = found;
  });
  await answersWithin(asked, WHO_FAILS_WITHIN_MS);
  return failing;
}

/** What is under way ends by itself within the drain window; what has not then is aborted and handed back. */
async function stopConsumers(consumers: KeptConsumer[], abort: AbortController): Promise<void> {
  const drained = Promise.all(consumers.map((consumer) => consumer.drain()));
  if (!(await withDeadline(drained, DRAIN_WINDOW_MS))) {
    abort.abort();
    await withDeadline(drained, STOP_DEADLINE_MS - DRAIN_WINDOW_MS - 1_500);
  }
  await Promise.all(consumers.map((consumer) => consumer.close()));
}

function gateParts(db: Db, config: Config, admission: Admission) {
  const targets = createTargets(db, config.SEALING_KEYS, systemClock);
  const throttle = createThrottle(redis);
  lifecycle.onStop('throttle', () => throttle.close());
  const gate = createGate({
    admission,
    throttle,
    limitsOf: targets.limitsOf,
    random: Math.random,
    defaultTimeoutSeconds: config.DELIVERY_TIMEOUT_SECONDS,
  });
  return { gate, target: targets.get };
}

/** What delivering stands on, apart from who gets a place. */
function deliverParts(db: Db, config: Config) {
  const rules = config.EGRESS_ALLOW_CIDRS;
  const lookup = createLookup({
    rules,
    resolve: createResolveName({ budgetMs: LOOKUP_BUDGET_MS }),
    clock: systemClock,
  });
  const sender = createSender({ rules, lookup, clock: systemClock });
  lifecycle.onStop('sender', () => sender.close());
  return {
    ...createLedgerBatches(db, { defaultTimeoutSeconds: config.DELIVERY_TIMEOUT_SECONDS }),
    settle: watchSettle(metrics, systemClock, createPatientSettle(db, quiet)),
    disableEndpoint: (input: DisableEndpoint) => disableEndpoint(db, input),
    sender,
    keys: config.SEALING_KEYS,
    clock: systemClock,
    random: Math.random,
    logger,
    metrics,
    settings: {
      timeoutSeconds: config.DELIVERY_TIMEOUT_SECONDS,
      retrySchedule: config.RETRY_SCHEDULE,
      retentionDays: config.RETENTION_DAYS,
      mostWaitingAlone: Math.floor(config.DELIVERY_CONCURRENCY / 10),
    },
  };
}

/** Rings in bulk and never fails: what could not be rung waits for the sweep. */
function createRing(producer: Producer): (tickets: DeliveryTicket[]) => void {
  const add = createBatcher<DeliveryTicket[], void>({
    async run(groups) {
      await producer.ringDeliveries(groups.flat());
      return groups.map(() => undefined);
    },
    maxItems: 200,
    maxInFlight: 2,
  });
  return (tickets) => {
    const near = tickets.filter((ticket) => ticket.delayMs <= FARTHEST_RING_MS);
    if (near.length === 0) return;
    add(near).catch((error: unknown) => quiet.warn('deliveries wait for the sweep', errorFields(error)));
  };
}

function startSweep(db: Db, producer: Producer): void {
  const sweeping = repeat({
    async round() {
      const { againInMs, ...rung } = await sweep({ db, producer, metrics }, config.SWEEP_INTERVAL_MS);
      if (rung.fanOuts + rung.deliveries > 0) logger.debug('swept', rung);
      await readGauges({ db, producer, metrics });
      return againInMs;
    },
    waitAfterErrorMs: config.SWEEP_INTERVAL_MS,
    onError: (error) => quiet.warn('a sweep failed', errorFields(error)),
  });
  producer.onReachable(sweeping.hurry);
  lifecycle.onStop('sweep', () => sweeping.stop());
}

function startRetention(db: Db, config: Config): void {
  const keeping = repeat({
    async round() {
      const kept = await keepRetention({
        db,
        databaseUrl: config.DATABASE_URL,
        ownerDatabaseUrl: ownerDatabaseUrl(config),
        retentionDays: config.RETENTION_DAYS,
        onError: (step, error) => logger.warn('a step of retention failed', { step, ...errorFields(error) }),
      });
      for (const endpointId of kept.disabledEndpoints ?? []) {
        logger.warn('a failing endpoint was deactivated', { endpointId });
      }
      logger.info('retention kept', kept);
      return Object.values(kept).includes(null) ? RETENTION_AGAIN_MS : HOUR_MS;
    },
    waitAfterErrorMs: RETENTION_AGAIN_MS,
    onError: (error) => logger.warn('retention could not be kept', errorFields(error)),
  });
  lifecycle.onStop('retention', () => keeping.stop());
}
