import { readInstallationId } from '@posthorn/db/installation';
import { readPostgresClock } from '@posthorn/db/postgres-clock';
import { refuseOtherZones } from '@posthorn/db/session';
import { openDestinations } from '@posthorn/destinations/open-destinations';
import { readDueWork } from '@posthorn/ledger/due-work';
import type { HandOff } from '@posthorn/queue/producer';
import type { Clock } from '@posthorn/runtime/clock';
import { ownerDatabaseUrl } from '@posthorn/runtime/env';
import { errorFields } from '@posthorn/runtime/logger';
import { watchInstallation, watchPartitions, watchStats } from '@posthorn/runtime/process-metrics';
import { serve } from '@posthorn/runtime/serve';
import { type RunningService, type Seams, startService } from '@posthorn/runtime/start-service';
import { startStats } from '@posthorn/stats/start';
import type { Registry } from 'prom-client';
import { startTerminations } from './agents/send-terminations.ts';
import { startAlerts } from './alerts/start-alerts.ts';
import type { Config } from './config.ts';
import { egressOf } from './egress.ts';
import type { Foundations } from './foundations.ts';
import { startGauges } from './gauges.ts';
import { createHealthApp, type HealthDeps } from './health.ts';
import { startMaintenance } from './maintenance/start-maintenance.ts';
import { createMetrics, type DispatcherMetrics } from './metrics.ts';
import { openStores, type Stores } from './open-stores.ts';
import { startOperationalEvents } from './operational-events/start-operational-events.ts';
import { startOperations } from './operations/start-operations.ts';
import { startPull } from './pull/start-pull.ts';
import { createQueueBoard, type QueueBoardOptions } from './queue-board.ts';
import { createLowWaterMark } from './recovery/low-water-mark.ts';
import { startDueEvents } from './recovery/start-due-events.ts';
import { startReconciler } from './recovery/start-reconciler.ts';
import { startSources } from './sources/start-sources.ts';
import { startConsumers } from './start-consumers.ts';
import { TIMING, type Timing } from './timing.ts';
import { startWatch } from './watch.ts';

export type DispatcherSeams = Seams<DispatcherMetrics, Timing> & {
  /** Other metrics of this process, which are served together with the dispatcher's. */
  besides?: readonly Registry[];
  /** The most connections to Postgres, not counting short-lived ones. */
  connections?: number;
};

export type DispatcherParts = {
  stores: Stores;
  metrics: DispatcherMetrics;
  clock: Clock;
  /** For an API in the same process. */
  handOff: HandOff;
};

/**
 * Starts the dispatcher. Resolves when it takes jobs. The same function runs in production, in tests, and beside an API
 * in one process. It adds no listener to the process (runtime/start-process.ts does). Its URL serves health and
 * metrics.
 */
export async function startDispatcher(
  config: Config,
  seams: DispatcherSeams = {},
): Promise<RunningService<DispatcherParts>> {
  const { metrics = createMetrics(), besides = [] } = seams;
  const begun = await startService({ service: 'dispatcher', settings: config, metrics, timing: TIMING, seams });
  const { time, lifecycle, follow } = begun;
  const { logger, quiet } = begun.report;
  const { clock } = time;
  await refuseOtherZones([config.DATABASE_URL, ownerDatabaseUrl(config)]);
  const stores = await openStores(config, begun, seams);
  const { db } = stores;
  const installation = await stores.queues.holdInstallation({
    readId: () => readInstallationId(db),
    ...watchInstallation(metrics.registry, quiet),
  });
  lifecycle.onStop('claim of the installation', () => installation.stop());
  await follow(() => readPostgresClock(db, clock.monotonicMs));
  const stats = startStats({ db, clock, logger: quiet, onDropped: watchStats(metrics.registry) });
  lifecycle.onStop('stats', () => stats.stop());
  const lowWaterMark = stores.queues.rows && createLowWaterMark({ db, clock });
  const look = async () => readDueWork(db, await lowWaterMark?.read());
  const watch = startWatch({ look, clock, everyMs: time.timing.lookEveryMs, lifecycle, quiet });
  const foundations = {
    stores,
    time,
    report: { ...begun.report, stats: stats.gatherer },
    lifecycle,
    watch,
    lowWaterMark,
  };
  const started = { takesWork: false };
  const url = await listen(config, foundations, {
    registries: [metrics.registry, ...besides],
    takesWork: () => started.takesWork,
  });
  startRounds(config, foundations);
  if (config.SOURCES) startSources(config, foundations);
  const handOff = await startConsumers(config, foundations);
  started.takesWork = true;
  logger.info('dispatcher started', { concurrency: config.DELIVERY_CONCURRENCY, queue: stores.queues.kind });
  return {
    url,
    stop: async () => void (await lifecycle.stop('told to stop')),
    parts: { stores, metrics, clock, handOff },
  };
}

/** Listens for health and metrics, whose URL it returns, and for the queue board. */
async function listen(
  config: Config,
  foundations: Foundations,
  ofHealth: Pick<HealthDeps, 'registries' | 'takesWork'>,
): Promise<string> {
  const { stores, time, report, lifecycle } = foundations;
  const { db, producer, queues } = stores;
  const { clock } = time;
  const { logger } = report;
  const address = config.LISTEN_ADDRESS;
  const health = createHealthApp({ db, producer, queues, clock, ...ofHealth });
  const url = await serve(
    { lifecycle, logger },
    { part: 'health', handler: health, port: config.METRICS_PORT, address },
  );
  const { ADMIN_USER: user, ADMIN_PASSWORD: password } = config;
  const board = createQueueBoard({ ...describeBoard(config, foundations), user, password, clock });
  lifecycle.onStop('queue board', board.close);
  await serve({ lifecycle, logger }, { part: 'queue board', handler: board.app, port: config.ADMIN_PORT, address });
  return url;
}

/** Bull Board shows the jobs in Redis. If rows are the queue, our own page is used. */
function describeBoard(
  config: Config,
  { stores, time, report, lowWaterMark }: Foundations,
): Pick<QueueBoardOptions, 'kind' | 'open'> {
  const { db, producer, queues } = stores;
  const { REDIS_URL, ADMIN_WRITE: write, BASE_URL: dashboardUrl } = config;
  if (REDIS_URL !== undefined) {
    const onError = (error: Error) => report.quiet.warn('redis reports a fault', errorFields(error));
    // Loaded late, because its libraries are a fifth of the code that a dispatcher would load.
    const open = async () =>
      (await import('./bull-board.ts')).openBullBoard({
        settings: { ...config, REDIS_URL },
        onError,
        write,
        dashboardUrl,
      });
    return { kind: 'bullBoard', open };
  }
  const { rows } = queues;
  if (rows === undefined || lowWaterMark === undefined) throw new Error('without Redis, rows are the queue');
  const { logger, quiet } = report;
  const given = { db, rows, lowWaterMark, producer, clock: time.clock, logger, quiet, write, dashboardUrl };
  const open = async () => (await import('./queue-page/open-queue-page.ts')).openQueuePage(given);
  return { kind: 'ownPage', open };
}

/** Starts the repeated rounds that do not depend on jobs. */
function startRounds(config: Config, { stores, time, report, lifecycle, watch, lowWaterMark }: Foundations): void {
  const { db, producer, live, pullWaker } = stores;
  const { clock, timing } = time;
  const { logger, quiet, metrics, stats } = report;
  const intervalMs = config.SWEEP_INTERVAL_MS;
  startDueEvents({ db, producer, watch, lowWaterMark, lifecycle, quiet });
  if (stores.queues.kind === 'redis')
    startReconciler({ db, producer, clock, metrics, intervalMs, lifecycle, logger, quiet });
  else startGauges({ db, producer, clock, metrics, intervalMs, lifecycle, quiet });
  const shared = { db, producer, clock, metrics, stats, live, keys: config.SEALING_KEYS, watch, lifecycle };
  const wakeConsumers = pullWaker.wake;
  startOperations({ ...shared, wakeConsumers, logger: quiet, retentionDays: config.RETENTION_DAYS });
  startPull({
    ...shared,
    wakeConsumers,
    random: time.random,
    retrySchedule: config.RETRY_SCHEDULE,
    retentionDays: config.RETENTION_DAYS,
    logger: quiet,
  });
  startOperationalEvents({ ...shared, logger: quiet });
  const sender = openDestinations(egressOf(config, { clock, lifecycle }));
  lifecycle.onStop('sender of alerts and ends of subscriptions', () => sender.close());
  startAlerts({
    ...shared,
    sender,
    baseUrl: config.BASE_URL ?? 'http://localhost:3000',
    gatherMs: timing.gatherAlertsMs,
    logger: quiet,
  });
  startTerminations({ ...shared, sender, silentHosts: config.MCP_EVENTS_NO_CONTROL_HOSTS, logger: quiet });
  startMaintenance({
    db,
    databaseUrl: config.DATABASE_URL,
    ownerDatabaseUrl: ownerDatabaseUrl(config),
    retentionDays: config.RETENTION_DAYS,
    clock,
    stats,
    live,
    onPartitionsAhead: watchPartitions(metrics.registry),
    metrics,
    watch,
    lifecycle,
    logger,
  });
}
