import { pingPostgres } from '@posthorn/db/ping';
import type { LivePublisher } from '@posthorn/queue/live';
import { ignoredSettings, openQueues } from '@posthorn/queue/open-queues';
import type { Probes } from '@posthorn/queue/probes';
import type { Producer } from '@posthorn/queue/producer';
import type { PullWaker } from '@posthorn/queue/pull-wake';
import type { Queues } from '@posthorn/queue/queues';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { errorFields } from '@posthorn/runtime/logger';
import { watchBus, watchPools, watchStores } from '@posthorn/runtime/process-metrics';
import type { Report, Time } from '@posthorn/runtime/start-service';
import type { Config } from './config.ts';
import { createLiveHub, type LiveHub } from './live/hub.ts';
import type { ApiMetrics } from './metrics.ts';
import { type Connections, openPools, type Pools } from './pools.ts';
import type { Timing } from './timing.ts';

/** The API's connections to Postgres and Redis. */
export type Stores = {
  pools: Pools;
  queues: Queues;
  producer: Producer;
  /** Asks a dispatcher to make a request to an endpoint now. */
  probes: Probes;
  /** Tells the live streams of all API processes what changed. */
  publisher: LivePublisher;
  /** Opens the live streams of this process. The caller closes it, before the server. */
  live: LiveHub;
  /** Tells consumers that wait at any API process that there is something to fetch. */
  pullWaker: PullWaker;
};

type StoresDeps = { report: Report<ApiMetrics>; time: Time<Timing>; lifecycle: Pick<Lifecycle, 'onStop'> };

/**
 * Opens the connections, each closed at the stop. No statement is made yet, but those by which processes see each other. What is
 * given belongs to an API that shares its process with a dispatcher, whose queues they are.
 */
export async function openStores(
  config: Config,
  { report, time, lifecycle }: StoresDeps,
  given: { queues?: Queues | undefined; connections?: Partial<Connections> | undefined } = {},
): Promise<Stores> {
  const { metrics, quiet } = report;
  const pools = openPools({
    databaseUrl: config.DATABASE_URL,
    readUrl: config.DATABASE_READ_URL,
    agents: config.MCP_EVENTS,
    connections: given.connections,
    unnamedStatements: !config.DATABASE_PREPARED_STATEMENTS,
    onIdleError: (error) => quiet.warn('an idle Postgres connection broke', errorFields(error)),
    onPools: (watched) => watchPools(metrics.registry, watched),
  });
  lifecycle.onStop('postgres', pools.close);
  const openOwn = async () => {
    const ignored = ignoredSettings(config);
    if (ignored.length > 0) report.logger.info('settings of Redis are ignored: REDIS_URL is not set', { ignored });
    const own = await openQueues(config, {
      db: pools.management,
      presenceDb: pools.ingestion,
      role: 'api',
      monotonicMs: time.clock.monotonicMs,
      onError: (error) => quiet.warn('the queues report a fault', errorFields(error)),
    });
    lifecycle.onStop('queues', () => own.close());
    if (own.bus !== undefined) watchBus(metrics.registry, own.bus);
    return own;
  };
  const queues = given.queues ?? (await openOwn());
  const producer = queues.openProducer();
  lifecycle.onStop('producer', () => producer.close());
  const probes = queues.openProbes();
  lifecycle.onStop('probes', () => probes.close());
  const publisher = queues.openLivePublisher();
  lifecycle.onStop('live publisher', () => publisher.close());
  const pullWaker = queues.openPullWaker();
  lifecycle.onStop('pull waker', () => pullWaker.close());
  const live = createLiveHub({
    db: pools.lists,
    connect: queues.openLiveSubscriber,
    onError: (error) => quiet.warn('live changes could not be read', errorFields(error)),
  });
  const { replica } = pools;
  watchStores(metrics.registry, {
    postgres: () => pingPostgres(pools.ingestion),
    ...(replica && { replica: () => pingPostgres(replica) }),
    ...(queues.kind === 'redis' && { redis: () => producer.ping() }),
  });
  return { pools, queues, producer, probes, publisher, live, pullWaker };
}
