import type { Db } from '@posthorn/db/client';
import { keepPartitionsAhead } from '@posthorn/db/partitions';
import { pingPostgres } from '@posthorn/db/ping';
import { readPostgresClock } from '@posthorn/db/postgres-clock';
import { createLookup } from '@posthorn/egress/lookup';
import { createResolveName } from '@posthorn/egress/resolve-name';
import { vetUrlAtSave } from '@posthorn/egress/vet-url-at-save';
import type { DeliverRequest } from '@posthorn/queue/jobs';
import { createLivePublisher, createLiveSubscriber } from '@posthorn/queue/live';
import { createProbes } from '@posthorn/queue/probes';
import { createProducer } from '@posthorn/queue/producer';
import { settingsOrExit } from '@posthorn/runtime/env';
import { followClock } from '@posthorn/runtime/follow-clock';
import { errorFields } from '@posthorn/runtime/logger';
import { watchPartitions, watchPools, watchStats, watchStores } from '@posthorn/runtime/process-metrics';
import { repeat } from '@posthorn/runtime/repeat';
import { serve } from '@posthorn/runtime/serve';
import { startProcess } from '@posthorn/runtime/start-process';
import { startStats } from '@posthorn/stats/start';
import express from 'express';
import { createApp } from './app.ts';
import { createLastUsed } from './auth/last-used.ts';
import { bootstrap } from './bootstrap.ts';
import { readConfig } from './config.ts';
import { limitLookups } from './endpoints/limit-lookups.ts';
import { answerClientError, withPath } from './http/client-error.ts';
import { messageClasses } from './http/message-classes.ts';
import { createReadLists, type ReadLists } from './http/read-lists.ts';
import { createUnreadAnswers } from './http/unread-answers.ts';
import { createLiveHub } from './live/hub.ts';
import { createMetrics } from './metrics.ts';
import { openPools } from './pools.ts';
import { startQuotas } from './quotas/start-quotas.ts';
import { WEB_FOLDER } from './web/web.ts';

const STOP_DEADLINE_MS = 15_000;
const BOOTSTRAP_AGAIN_MS = 1_000;
const PARTITIONS_EVERY_MS = 3_600_000;
const PARTITIONS_AGAIN_MS = 60_000;
/** The look-up of a name when an endpoint is saved, and the most of them at once, of all workspaces together. */
const LOOKUP_MS = 2_000;
const LOOKUPS = 200;
/** Of all answers that wait for their clients. An answer has at most about 2 MiB. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

const config = settingsOrExit(readConfig);
const metrics = createMetrics();
const { logger, quiet, lifecycle, clock, tracing } = await startProcess({
  service: 'api',
  settings: config,
  registry: metrics.registry,
  stopDeadlineMs: STOP_DEADLINE_MS,
});

const pools = openPools({
  databaseUrl: config.DATABASE_URL,
  readUrl: config.DATABASE_READ_URL,
  unnamedStatements: !config.DATABASE_PREPARED_STATEMENTS,
  onIdleError: (error) => quiet.warn('an idle Postgres connection broke', errorFields(error)),
  onPools: (watched) => watchPools(metrics.registry, watched),
});
const db = pools.management;
lifecycle.onStop('postgres', pools.close);
const following = await followClock({
  clock,
  read: () => readPostgresClock(db, clock.monotonicMs),
  onError: (error) => quiet.warn("Postgres' clock could not be read", errorFields(error)),
});
lifecycle.onStop('clock', () => following.stop());
const stats = startStats({ db, clock, logger: quiet, onDropped: watchStats(metrics.registry) });
lifecycle.onStop('stats', () => stats.stop());

const quotas = startQuotas({
  db,
  clock,
  logger: quiet,
  retentionDays: config.RETENTION_DAYS,
  onRefused: (quota) => metrics.quotaRefusals.inc({ quota }),
});
lifecycle.onStop('quotas', () => quotas.stop());

const redis = {
  redisUrl: config.REDIS_URL,
  redisCa: config.REDIS_CA,
  sentinelPassword: config.REDIS_SENTINEL_PASSWORD,
  prefix: config.QUEUE_PREFIX,
  onError: (error: Error) => quiet.warn('redis reports a fault', errorFields(error)),
};
const producer = createProducer({ ...redis, shards: config.DELIVER_QUEUE_SHARDS, monotonicMs: clock.monotonicMs });
lifecycle.onStop('producer', () => producer.close());
const probes = createProbes(redis);
lifecycle.onStop('probes', () => probes.close());
const publisher = createLivePublisher(redis);
lifecycle.onStop('live publisher', () => publisher.close());
const live = createLiveHub({
  db: pools.lists,
  connect: (options) => createLiveSubscriber({ ...redis, ...options }),
  onError: (error) => quiet.warn('live changes could not be read', errorFields(error)),
});
const { replica } = pools;
watchStores(metrics.registry, {
  postgres: () => pingPostgres(pools.ingestion),
  ...(replica && { replica: () => pingPostgres(replica) }),
  redis: () => producer.ping(),
});

const lastUsed = createLastUsed(db, logger);
lifecycle.onStop('last-used stamps', () => lastUsed.stop());

const rules = config.EGRESS_ALLOW_CIDRS;
const resolveName = limitLookups(createResolveName({ budgetMs: LOOKUP_MS }), {
  atOnce: LOOKUPS,
  longestWaitMs: LOOKUP_MS,
});
const lookup = createLookup({ rules, resolve: resolveName, clock });

const app = createApp({
  services: {
    db,
    listDb: pools.lists,
    readLists: replica && readFrom(replica),
    sealingKeys: config.SEALING_KEYS,
    cursorKeys: config.CURSOR_KEYS,
    clock,
    vetUrl: (url) => vetUrlAtSave(url, { rules, lookup }),
    probes,
    enqueue,
    stats: stats.gatherer,
    live: { ...publisher, open: live.open },
    settings: {
      defaultPlan: config.DEFAULT_PLAN,
      maxEndpointsPerWorkspace: config.MAX_ENDPOINTS_PER_WORKSPACE,
      retentionDays: config.RETENTION_DAYS,
      maxWorkspacesPerUser: config.MAX_WORKSPACES_PER_USER,
      maxPayloadBytes: config.MAX_PAYLOAD_BYTES,
      quotas: { eventsPerDay: config.QUOTA_EVENTS_PER_DAY, bytesKept: config.QUOTA_BYTES_KEPT },
      baseUrl: config.BASE_URL ?? `http://localhost:${config.PORT}`,
      queueBoardUrl: config.QUEUE_BOARD_URL ?? null,
    },
  },
  ingestionDb: pools.ingestion,
  producer,
  lastUsed,
  logger,
  quiet,
  metrics,
  quotas,
  tracing,
  rateLimits: { management: config.RATE_LIMIT_MANAGEMENT, ingest: config.RATE_LIMIT_INGEST },
  trustedProxies: config.TRUSTED_PROXIES,
  webFolder: WEB_FOLDER,
});

const onWrite = createUnreadAnswers({
  mostBytes: MAX_UNREAD_BYTES,
  onCut: (owner) => quiet.warn('the connection of a client that does not read its answer was cut', { owner }),
});

keepPartitions();
await startBootstrap();
const address = config.LISTEN_ADDRESS;
await serve({ lifecycle, logger }, { part: 'metrics', handler: metricsApp(), port: config.METRICS_PORT, address });
await serve(
  { lifecycle, logger },
  {
    part: 'api',
    handler: withPath(app),
    port: config.PORT,
    address,
    classes: messageClasses(app, onWrite),
    onClientError: answerClientError,
  },
);
// Registered last, and so stopped first: an open stream would keep its connection busy.
lifecycle.onStop('live streams', () => live.close());

function readFrom(replica: Db): ReadLists {
  return createReadLists({
    replica,
    primary: pools.lists,
    monotonicMs: clock.monotonicMs,
    onAway: (error) => quiet.warn('lists are read from the primary: the replica has failed', errorFields(error)),
    onRead: (from) => metrics.listsRead.inc({ from }),
  });
}

/** Deliveries that cannot be enqueued wait for the reconciler. */
function enqueue(deliveries: DeliverRequest[]): void {
  producer
    .enqueueDeliveries(deliveries)
    .catch((error) => quiet.warn('deliveries wait for the reconciler', errorFields(error)));
}

/**
 * Tried once before this process is ready, and then repeated until Postgres is reachable and migrated: processes may
 * start in any order.
 */
async function startBootstrap(): Promise<void> {
  const { BOOTSTRAP_EMAIL: email, BOOTSTRAP_PASSWORD: password } = config;
  const managementToken = config.BOOTSTRAP_MANAGEMENT_TOKEN;
  const apiKey = config.BOOTSTRAP_API_KEY;
  const login = email === undefined || password === undefined ? undefined : { email, password };
  if (login === undefined && managementToken === undefined) return;
  try {
    const made = await bootstrap(db, { plan: config.DEFAULT_PLAN, clock, login, managementToken, apiKey });
    if (made) logger.info('the first workspace was created');
  } catch (error) {
    logger.warn('the first workspace could not be created yet', errorFields(error));
    const again = setTimeout(startBootstrap, BOOTSTRAP_AGAIN_MS);
    lifecycle.onStop('bootstrap', () => clearTimeout(again));
  }
}

/** Creates partitions in the API too, so that every event has one even when no dispatcher runs for weeks. */
function keepPartitions(): void {
  const onPartitionsAhead = watchPartitions(metrics.registry);
  const keeping = repeat({
    async round() {
      const faults: unknown[] = [];
      const databaseUrl = config.DATABASE_URL;
      onPartitionsAhead(await keepPartitionsAhead(databaseUrl, (error) => faults.push(error)));
      if (faults.length > 0) throw faults[0];
      return PARTITIONS_EVERY_MS;
    },
    waitAfterErrorMs: PARTITIONS_AGAIN_MS,
    onError: (error) => quiet.warn('partitions could not be made', errorFields(error)),
  });
  lifecycle.onStop('partitions', () => keeping.stop());
}

function metricsApp() {
  const metricsApp = express();
  metricsApp.disable('x-powered-by');
  metricsApp.get('/metrics', async (_request, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return metricsApp;
}
