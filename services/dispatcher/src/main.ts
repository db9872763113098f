import { createDb, type Db } from '@posthorn/db/client';
import { createLookup } from '@posthorn/egress/lookup';
import { createResolveName } from '@posthorn/egress/resolve-name';
import { type DisableEndpoint, disableEndpoint } from '@posthorn/ledger/disable-endpoint';
import { type Consumer, consumeDeliver, consumeFanOut } from '@posthorn/queue/consumer';
import type { DeliverJob, DeliveryTicket } from '@posthorn/queue/deliver-job';
import { createProducer, type Producer } from '@posthorn/queue/producer';
import { createThrottle } from '@posthorn/queue/throttle';
import { createBatcher } from '@posthorn/runtime/batch';
import { systemClock } from '@posthorn/runtime/clock';
import { settingsOrExit } from '@posthorn/runtime/env';
import { createLifecycle, withDeadline } from '@posthorn/runtime/lifecycle';
import { createLogger, createQuietLogger, errorFields } from '@posthorn/runtime/logger';
import { repeat } from '@posthorn/runtime/repeat';
import { serve } from '@posthorn/runtime/serve';
import { type Admission, createAdmission } from './admission.ts';
import { createBullBoardApp } from './bull-board.ts';
import { type Config, readConfig } from './config.ts';
import { createDeliver } from './deliver.ts';
import { disableFailing } from './disable-failing.ts';
import { createFanOut } from './fan-out.ts';
import { createGate } from './gate.ts';
import { readGauges } from './gauges.ts';
import { createHealthApp } from './health.ts';
import { createLedgerBatches } from './ledger-batches.ts';
import { createMetrics } from './metrics.ts';
import { createPatientSettle } from './patient-settle.ts';
import { keepRetention } from './retention.ts';
import { createSender } from './send.ts';
import { startWatchdog } from './start-watchdog.ts';
import { sweep } from './sweep.ts';
import { createTargets } from './targets.ts';

/** An attempt still open when this ends is aborted and handed back. */
const DRAIN_WINDOW_MS = 25_000;
/** What is left after the window to hand back and close. */
const STOP_DEADLINE_MS = 29_000;
/** Within the 5 s that a connection may take. */
const LOOKUP_BUDGET_MS = 4_000;
const FAN_OUT_CONCURRENCY = 4;
const HOUR_MS = 3_600_000;
/** A retry further ahead than this waits in Postgres alone; the sweep rings it when it is due. */
const FARTHEST_RING_MS = 15 * 60_000;

const config = settingsOrExit(readConfig);
const logger = createLogger({ service: 'dispatcher', level: config.LOG_LEVEL });
const quiet = createQuietLogger(logger, systemClock.monotonicMs);
const lifecycle = createLifecycle({ logger, deadlineMs: STOP_DEADLINE_MS });
const metrics = createMetrics();

const db = createDb({
  databaseUrl: config.DATABASE_URL,
  maxConnections: 10,
  onIdleError: (error) => quiet.warn('an idle Postgres connection broke', errorFields(error)),
});
lifecycle.onStop('postgres', () => db.$disconnect());

const redis = {
  redisUrl: config.REDIS_URL,
  prefix: config.QUEUE_PREFIX,
  onError: (error: Error) => quiet.warn('redis is not answering', errorFields(error)),
};
const producer = createProducer({ ...redis, monotonicMs: systemClock.monotonicMs });
lifecycle.onStop('producer', () => producer.close());

await serve(
  { lifecycle, logger },
  { part: 'health', handler: createHealthApp({ db, producer, metrics }), port: config.METRICS_PORT },
);
const board = createBullBoardApp({
  ...redis,
  user: config.ADMIN_USER,
  password: config.ADMIN_PASSWORD,
  write: config.ADMIN_WRITE,
});
lifecycle.onStop('queue board', board.close);
await serve({ lifecycle, logger }, { part: 'queue board', handler: board.app, port: config.ADMIN_PORT });

startSweep(db, producer);
startRetention(db, config);
startConsumers(db, producer, config);
logger.info('dispatcher started', { concurrency: config.DELIVERY_CONCURRENCY });

function startConsumers(db: Db, producer: Producer, config: Config): void {
  const abort = new AbortController();
  const shutdown = { signal: abort.signal, draining: false };
  const ring = createRing(producer);
  const admission = createAdmission({ places: config.DELIVERY_CONCURRENCY, clock: systemClock, random: Math.random });
  const deliver = createDeliver({
    ...deliverParts(db, config),
    ...gateParts(db, config, admission),
    ring: (ticket) => ring([ticket]),
    shutdown,
  });
  const fanOut = createFanOut({ db, ring, metrics });
  const onJobError = (error: Error) => quiet.warn('a job was dropped, the sweep will ring again', errorFields(error));
  let looks = 0;
  const handle = (job: DeliverJob) => {
    looks += 1;
    return deliver(job);
  };
  const open = (): Consumer[] => [
    consumeFanOut({ ...redis, concurrency: FAN_OUT_CONCURRENCY, handle: fanOut, onJobError }),
    consumeDeliver({ ...redis, concurrency: config.DELIVERY_CONCURRENCY, handle, onJobError }),
  ];
  let consumers = open();
  const close = () => withDeadline(Promise.all(consumers.map((consumer) => consumer.close())), 1_000);
  lifecycle.onStop('consumers', async () => {
    shutdown.draining = true;
    const drained = Promise.all(consumers.map((consumer) => consumer.drain()));
    if (!(await withDeadline(drained, DRAIN_WINDOW_MS))) {
      abort.abort();
      await withDeadline(drained, STOP_DEADLINE_MS - DRAIN_WINDOW_MS - 1_500);
    }
    await close();
  });
  const watchdog = startWatchdog({
    databaseUrl: config.DATABASE_URL,
    producer,
    clock: systemClock,
    logger,
    looks: () => looks,
    isFull: admission.isFull,
    async rebuild() {
      if (shutdown.draining) return;
      await close();
      consumers = open();
    },
    giveUp: () => void lifecycle.stop('watchdog').then(() => process.exit(1)),
  });
  lifecycle.onStop('watchdog', () => watchdog.stop());
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
    settle: createPatientSettle(db, quiet),
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
      const { more, ...rung } = await sweep({ db, producer, metrics });
      if (rung.fanOuts + rung.deliveries > 0) logger.debug('swept', rung);
      await readGauges({ db, producer, metrics });
      // A full page means a backlog: come back as soon as the queue may have room.
      return more ? Math.min(200, config.SWEEP_INTERVAL_MS) : config.SWEEP_INTERVAL_MS;
    },
    waitAfterErrorMs: config.SWEEP_INTERVAL_MS,
    onError: (error) => quiet.warn('a sweep failed', errorFields(error)),
  });
  lifecycle.onStop('sweep', () => sweeping.stop());
}

function startRetention(db: Db, config: Config): void {
  const keeping = repeat({
    async round() {
      for (const endpointId of await disableFailing(db)) {
        logger.warn('a failing endpoint was deactivated', { endpointId });
      }
      const kept = await keepRetention({
        db,
        databaseUrl: config.DATABASE_URL,
        retentionDays: config.RETENTION_DAYS,
      });
      logger.info('retention kept', kept);
      return HOUR_MS;
    },
    waitAfterErrorMs: 60_000,
    onError: (error) => logger.warn('retention could not be kept', errorFields(error)),
  });
  lifecycle.onStop('retention', () => keeping.stop());
}
