import { createDb } from '@posthorn/db/client';
import { pingPostgres } from '@posthorn/db/ping';
import { createLookup } from '@posthorn/egress/lookup';
import { createResolveName } from '@posthorn/egress/resolve-name';
import { vetUrlAtSave } from '@posthorn/egress/vet-url-at-save';
import type { DeliveryTicket } from '@posthorn/queue/deliver-job';
import { createProducer } from '@posthorn/queue/producer';
import { systemClock } from '@posthorn/runtime/clock';
import { settingsOrExit } from '@posthorn/runtime/env';
import { limitHeapGrowth } from '@posthorn/runtime/heap-growth';
import { createLifecycle } from '@posthorn/runtime/lifecycle';
import { createLogger, createQuietLogger, errorFields } from '@posthorn/runtime/logger';
import { watchPool, watchProcess, watchStores } from '@posthorn/runtime/process-metrics';
import { serve } from '@posthorn/runtime/serve';
import { startTracing } from '@posthorn/runtime/start-tracing';
import express from 'express';
import { createApp } from './app.ts';
import { createLastUsed } from './auth/last-used.ts';
import { bootstrap } from './bootstrap.ts';
import { readConfig } from './config.ts';
import { answerClientError } from './http/client-error.ts';
import { messageClasses } from './http/message-classes.ts';
import { createMetrics } from './metrics.ts';

const STOP_DEADLINE_MS = 15_000;
const BOOTSTRAP_AGAIN_MS = 1_000;

limitHeapGrowth(25);
const config = settingsOrExit(readConfig);
const logger = createLogger({ service: 'api', level: config.LOG_LEVEL });
const quiet = createQuietLogger(logger);
const lifecycle = createLifecycle({ logger, deadlineMs: STOP_DEADLINE_MS });
const metrics = createMetrics();
watchProcess(metrics.registry);
const tracing = await startTracing({
  serviceName: 'posthorn-api',
  settings: config,
  clock: systemClock,
  onError: (error) => quiet.warn('traces could not be sent', { error }),
});
// First, and so the last to be stopped: what is under way until then is still told.
if (tracing !== undefined) lifecycle.onStop('traces', tracing.stop);

const db = createDb({
  databaseUrl: config.DATABASE_URL,
  maxConnections: 10,
  onIdleError: (error) => quiet.warn('an idle Postgres connection broke', errorFields(error)),
  onPool: (pool) => watchPool(metrics.registry, pool),
});
lifecycle.onStop('postgres', () => db.$disconnect());

const producer = createProducer({
  redisUrl: config.REDIS_URL,
  prefix: config.QUEUE_PREFIX,
  onError: (error) => quiet.warn('redis reports a fault', errorFields(error)),
  monotonicMs: systemClock.monotonicMs,
});
lifecycle.onStop('producer', () => producer.close());
watchStores(metrics.registry, { postgres: () => pingPostgres(db), redis: () => producer.ping() });

const lastUsed = createLastUsed(db, logger);
lifecycle.onStop('last-used stamps', () => lastUsed.stop());

const rules = config.EGRESS_ALLOW_CIDRS;
const lookup = createLookup({ rules, resolve: createResolveName({ budgetMs: 2_000 }), clock: systemClock });

const app = createApp({
  services: {
    db,
    sealingKeys: config.SEALING_KEYS,
    cursorKeys: config.CURSOR_KEYS,
    clock: systemClock,
    vetUrl: (url) => vetUrlAtSave(url, { rules, lookup }),
    ring,
    settings: {
      defaultPlan: config.DEFAULT_PLAN,
      retentionDays: config.RETENTION_DAYS,
      maxWorkspacesPerUser: config.MAX_WORKSPACES_PER_USER,
      baseUrl: config.BASE_URL ?? `http://localhost:${config.PORT}`,
    },
  },
  producer,
  lastUsed,
  logger,
  quiet,
  metrics,
  tracing,
  maxPayloadBytes: config.MAX_PAYLOAD_BYTES,
  rateLimits: { management: config.RATE_LIMIT_MANAGEMENT, ingest: config.RATE_LIMIT_INGEST },
  trustedProxies: config.TRUSTED_PROXIES,
});

await startBootstrap();
await serve({ lifecycle, logger }, { part: 'metrics', handler: metricsApp(), port: config.METRICS_PORT });
await serve(
  { lifecycle, logger },
  { part: 'api', handler: app, port: config.PORT, classes: messageClasses(app), onClientError: answerClientError },
);

/** What cannot be rung waits for the sweep. */
function ring(tickets: DeliveryTicket[]): void {
  producer.ringDeliveries(tickets).catch((error) => quiet.warn('deliveries wait for the sweep', errorFields(error)));
}

/**
 * Tried once before this process is ready, and then again until Postgres is there and migrated: the order in which
 * processes start does not matter.
 */
async function startBootstrap(): Promise<void> {
  const { BOOTSTRAP_EMAIL: email, BOOTSTRAP_PASSWORD: password } = config;
  const managementToken = config.BOOTSTRAP_MANAGEMENT_TOKEN;
  const apiKey = config.BOOTSTRAP_API_KEY;
  const login = email === undefined || password === undefined ? undefined : { email, password };
  if (login === undefined && managementToken === undefined) return;
  try {
    const made = await bootstrap(db, { plan: config.DEFAULT_PLAN, login, managementToken, apiKey });
    if (made) logger.info('the first workspace was made');
  } catch (error) {
    logger.warn('the first workspace could not be made yet', errorFields(error));
    const again = setTimeout(startBootstrap, BOOTSTRAP_AGAIN_MS);
    lifecycle.onStop('bootstrap', () => clearTimeout(again));
  }
}

function metricsApp() {
  const metricsApp = express();
  metricsApp.disable('x-powered-by');
  metricsApp.get('/metrics', async (_request, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return metricsApp;
}
