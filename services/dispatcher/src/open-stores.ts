import { createDb, type Db } from '@posthorn/db/client';
import { pingPostgres } from '@posthorn/db/ping';
import type { LivePublisher } from '@posthorn/queue/live';
import { ignoredSettings, openQueues } from '@posthorn/queue/open-queues';
import type { Producer } from '@posthorn/queue/producer';
import type { PullWaker } from '@posthorn/queue/pull-wake';
import type { Queues } from '@posthorn/queue/queues';
import type { Throttle } from '@posthorn/queue/throttle';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { errorFields } from '@posthorn/runtime/logger';
import { watchBus, watchPools, watchStores } from '@posthorn/runtime/process-metrics';
import type { Report, Time } from '@posthorn/runtime/start-service';
import type { Config } from './config.ts';
import { createOutage, type Outage } from './deliver/outage.ts';
import type { DispatcherMetrics } from './metrics.ts';
import type { Timing } from './timing.ts';

/** The dispatcher's connections to Postgres and Redis. */
export type Stores = {
  db: Db;
  /** Knows when Postgres did not answer. */
  outage: Outage;
  queues: Queues;
  producer: Producer;
  /** The limits of endpoints, which all dispatchers share. */
  throttle: Throttle;
  /** Tells the live streams of all API processes about changes. */
  live: LivePublisher;
  /** Tells consumers that wait at the API that there is something to fetch. */
  pullWaker: PullWaker;
};

type StoresDeps = { report: Report<DispatcherMetrics>; time: Time<Timing>; lifecycle: Pick<Lifecycle, 'onStop'> };
type Given = { connections?: number | undefined };

const POSTGRES_CONNECTIONS = 10;

/** Opens the connections, each closed at the stop. No statement is made yet, but those by which processes see each other. */
export async function openStores(
  config: Config,
  { report, time, lifecycle }: StoresDeps,
  { connections = POSTGRES_CONNECTIONS }: Given = {},
): Promise<Stores> {
  const { metrics, quiet } = report;
  const outage = createOutage(time.clock);
  const db = createDb({
    databaseUrl: config.DATABASE_URL,
    maxConnections: connections,
    keepPlans: true,
    unnamedStatements: !config.DATABASE_PREPARED_STATEMENTS,
    onIdleError: (error) => quiet.warn('an idle Postgres connection broke', errorFields(error)),
    onAnswer: outage.answered,
    onPool: (pool) => watchPools(metrics.registry, { delivery: pool }),
  });
  lifecycle.onStop('postgres', () => db.$disconnect());
  const ignored = ignoredSettings(config);
  if (ignored.length > 0) report.logger.info('settings of Redis are ignored: REDIS_URL is not set', { ignored });
  const queues = await openQueues(config, {
    db,
    role: 'dispatcher',
    monotonicMs: time.clock.monotonicMs,
    onError: (error) => quiet.warn('the queues report a fault', errorFields(error)),
  });
  lifecycle.onStop('queues', () => queues.close());
  const producer = queues.openProducer();
  lifecycle.onStop('producer', () => producer.close());
  const throttle = queues.openThrottle();
  lifecycle.onStop('throttle', () => throttle.close());
  const live = queues.openLivePublisher();
  lifecycle.onStop('live publisher', () => live.close());
  const pullWaker = queues.openPullWaker();
  lifecycle.onStop('pull waker', () => pullWaker.close());
  watchStores(metrics.registry, {
    postgres: () => pingPostgres(db),
    ...(queues.kind === 'redis' && { redis: () => producer.ping() }),
  });
  if (queues.bus !== undefined) watchBus(metrics.registry, queues.bus);
  return { db, outage, queues, producer, throttle, live, pullWaker };
}
