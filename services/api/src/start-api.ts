import type { Db } from '@posthorn/db/client';
import { readInstallationId } from '@posthorn/db/installation';
import { readPostgresClock } from '@posthorn/db/postgres-clock';
import { refuseOtherZones } from '@posthorn/db/session';
import { createLookup } from '@posthorn/egress/lookup';
import { createResolveName } from '@posthorn/egress/resolve-name';
import { vetUrlAtSave } from '@posthorn/egress/vet-url-at-save';
import { startQuotas } from '@posthorn/ingest/start-quotas';
import { nextDue } from '@posthorn/ledger/pull-state';
import type { DeliverRequest } from '@posthorn/queue/jobs';
import type { HandOff } from '@posthorn/queue/producer';
import type { Queues } from '@posthorn/queue/queues';
import type { Clock } from '@posthorn/runtime/clock';
import type { Lifecycle } from '@posthorn/runtime/lifecycle';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { watchInstallation, watchStats, watchTransformations } from '@posthorn/runtime/process-metrics';
import { serve } from '@posthorn/runtime/serve';
import { type Report, type RunningService, type Seams, startService, type Time } from '@posthorn/runtime/start-service';
import { createOpenSearchKey } from '@posthorn/search/tokens';
import type { Gatherer } from '@posthorn/stats/gather';
import { startStats } from '@posthorn/stats/start';
import { openTransformer, type Transformer } from '@posthorn/transform/open-transformer';
import express, { type Express } from 'express';
import { createProvider } from './account/oidc/provider.ts';
import { type AppDeps, createApp } from './app.ts';
import { createLastUsed } from './auth/last-used.ts';
import { type Config, oidcSettingsOf } from './config.ts';
import { creatableTypes } from './endpoint-types/creatable-types.ts';
import { keepPartitions } from './keep-partitions.ts';
import { usualEhloName, usualSender } from './mail/smtp-settings.ts';
import { startMail } from './mail/start-mail.ts';
import { type ApiMetrics, createMetrics } from './metrics.ts';
import { openStores, type Stores } from './open-stores.ts';
import { createReadLists, type ReadLists } from './operation/read-lists.ts';
import type { Connections } from './pools.ts';
import { createWaiting, type Waiting } from './pull/waiting.ts';
import { startBootstrap } from './start-bootstrap.ts';
import { TIMING, type Timing } from './timing.ts';
import { answerClientError, withPath } from './transport/client-error.ts';
import { messageClasses } from './transport/message-classes.ts';
import { createUnreadAnswers } from './transport/unread-answers.ts';
import { DOCS_FOLDER } from './web/documents.ts';
import { WEB_FOLDER } from './web/web.ts';

/** The most bytes of all answers that wait for their clients. One answer has at most about 2 MiB. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

export type ApiSeams = Seams<ApiMetrics, Timing> & {
  /** The build of packages/web; a folder without one leaves out the dashboard and the portal. */
  webFolder?: string;
  /** The built documentation; without it, /docs is unknown. */
  docsFolder?: string;
  /** How deliveries get to a dispatcher; by default as jobs. */
  handOff?: HandOff;
  /** The queues of a dispatcher of the same process. */
  queues?: Queues;
  /** Sizes of pools that differ from the usual ones. */
  connections?: Partial<Connections>;
  /** False where a dispatcher of the same process serves the metrics. */
  servesMetrics?: boolean;
};

export type ApiParts = { app: Express; services: AppDeps['services']; stores: Stores; metrics: ApiMetrics };

/**
 * Starts the API: resolves when it listens. The same function runs in production, in tests, and beside a dispatcher in
 * one process. It adds no listener to the process (runtime/start-process.ts does).
 */
export async function startApi(config: Config, seams: ApiSeams = {}): Promise<RunningService<ApiParts>> {
  const { metrics = createMetrics(), webFolder = WEB_FOLDER, docsFolder = DOCS_FOLDER, servesMetrics = true } = seams;
  const begun = await startService({ service: 'api', settings: config, metrics, timing: TIMING, seams });
  const { time, report, lifecycle, follow } = begun;
  const { logger, quiet } = report;
  await refuseOtherZones([config.DATABASE_URL, config.DATABASE_READ_URL]);
  const stores = await openStores(config, begun, seams);
  const { management: db, ingestion: ingestionDb } = stores.pools;
  const installation = await stores.queues.holdInstallation({
    readId: () => readInstallationId(db),
    ...watchInstallation(metrics.registry, quiet),
  });
  lifecycle.onStop('claim of the installation', () => installation.stop());
  await follow(() => readPostgresClock(db, time.clock.monotonicMs));
  const counting = { db, clock: time.clock, logger: quiet };
  const stats = startStats({ ...counting, onDropped: watchStats(metrics.registry) });
  lifecycle.onStop('stats', () => stats.stop());
  const quotas = startQuotas({
    ...counting,
    retentionDays: config.RETENTION_DAYS,
    onRefused: (quota) => metrics.quotaRefusals.inc({ quota }),
  });
  lifecycle.onStop('quotas', () => quotas.stop());
  const lastUsed = createLastUsed(db, { logger, everyMs: time.timing.lastUsedEveryMs });
  lifecycle.onStop('last-used stamps', () => lastUsed.stop());

  const transformer = openTransformer(watchTransformations(metrics.registry));
  lifecycle.onStop('transformations', () => transformer.close());
  const waiting = openWaiting(stores, quiet);
  const services = createServices(config, { stores, time, report, stats: stats.gatherer, transformer });
  const app = createApp({
    ...report,
    services,
    ingestionDb,
    doorDb: stores.pools.door,
    producer: { ...stores.producer, ...seams.handOff },
    queues: stores.queues,
    lastUsed,
    agentsDb: stores.pools.agents,
    pull: { db: stores.pools.consumers, waiting, random: time.random, retrySchedule: config.RETRY_SCHEDULE },
    quotas,
    rateLimits: { management: config.RATE_LIMIT_MANAGEMENT, ingest: config.RATE_LIMIT_INGEST },
    trustedProxies: config.TRUSTED_PROXIES,
    provider: openProvider(config, time.clock),
    webFolder,
    docsFolder,
  });
  const sender = config.MAIL_FROM ?? usualSender(baseUrlOf(config));
  startMail({
    db,
    keys: config.SEALING_KEYS,
    clock: time.clock,
    smtp: config.SMTP_URL && {
      server: config.SMTP_URL,
      sender,
      ehloName: config.SMTP_EHLO_NAME ?? usualEhloName(baseUrlOf(config), sender),
      ca: config.SMTP_CA,
    },
    metrics,
    logger: quiet,
    lifecycle,
  });
  keepPartitions({ databaseUrl: config.DATABASE_URL, timing: time.timing, report, lifecycle });
  await startBootstrap(config, { db, clock: time.clock, logger, lifecycle, againMs: time.timing.bootstrapAgainMs });
  const url = await listen(config, { app, report, lifecycle, servesMetrics });
  // Registered last, and so stopped first: an open stream would keep its connection busy.
  lifecycle.onStop('live streams', () => stores.live.close());
  lifecycle.onStop('waiting consumers', () => waiting.close());
  lifecycle.onStop('waits for tests', () => {
    setTimeout(() => stores.probes.endWaits(), time.timing.probesEndWithinMs).unref();
  });
  return {
    url,
    stop: async () => void (await lifecycle.stop('told to stop')),
    parts: { app, services, stores, metrics },
  };
}

type Foundations = {
  stores: Stores;
  time: Time<Timing>;
  report: Report<ApiMetrics>;
  stats: Gatherer;
  transformer: Transformer;
};

/** The services that every operation gets, whatever its interface. */
function createServices(
  config: Config,
  { stores, time, report, stats, transformer }: Foundations,
): AppDeps['services'] {
  const { pools, producer, probes, publisher, live, pullWaker } = stores;
  const { clock, timing } = time;
  const rules = config.EGRESS_ALLOW_CIDRS;
  const resolve = createResolveName({ budgetMs: timing.lookupMs });
  const lookup = createLookup({ rules, resolve, clock });
  /** Deliveries that cannot be enqueued wait for the reconciler. */
  const enqueue = (deliveries: DeliverRequest[]) =>
    void producer
      .enqueueDeliveries(deliveries)
      .catch((error) => report.quiet.warn('deliveries wait for the reconciler', errorFields(error)));
  return {
    db: pools.management,
    listDb: pools.lists,
    readLists: pools.replica && readFrom(pools.replica, { stores, time, report }),
    sealingKeys: config.SEALING_KEYS,
    openSearchKey: createOpenSearchKey(config.SEALING_KEYS, report.logger),
    cursorKeys: config.CURSOR_KEYS,
    clock,
    timing,
    vetUrl: (url) => vetUrlAtSave(url, { rules, lookup }),
    probes,
    transformer,
    enqueue,
    wakeConsumers: pullWaker.wake,
    stats,
    live: { ...publisher, open: live.open },
    settings: {
      defaultPlan: config.DEFAULT_PLAN,
      maxEndpointsPerWorkspace: config.MAX_ENDPOINTS_PER_WORKSPACE,
      agents: config.MCP_EVENTS
        ? {
            maxSubscriptions: config.MAX_AGENT_SUBSCRIPTIONS,
            challengesPerHost: config.MCP_EVENTS_CHALLENGES_PER_HOST,
          }
        : undefined,
      endpointTypes: creatableTypes(config.ENDPOINT_TYPES),
      endpointDefaults: {
        timeoutSeconds: config.DELIVERY_TIMEOUT_SECONDS,
        retrySchedule: [...config.RETRY_SCHEDULE],
      },
      allowPlaintext: config.EGRESS_ALLOW_PLAINTEXT,
      retentionDays: config.RETENTION_DAYS,
      maxWorkspacesPerUser: config.MAX_WORKSPACES_PER_USER,
      changesPerDay: config.CHANGES_PER_DAY,
      workspaceCreation: config.WORKSPACE_CREATION,
      accountCreation: config.ACCOUNT_CREATION,
      maxPayloadBytes: config.MAX_PAYLOAD_BYTES,
      quotas: {
        eventsPerDay: config.QUOTA_EVENTS_PER_DAY,
        bytesKept: config.QUOTA_BYTES_KEPT,
        attemptBytesKept: config.QUOTA_ATTEMPT_BYTES_KEPT,
      },
      baseUrl: baseUrlOf(config),
      sendsMail: config.SMTP_URL !== undefined,
      passwordLogin: config.PASSWORD_LOGIN,
      signInProvider: config.OIDC_ISSUER === undefined ? null : config.OIDC_NAME,
      queueBoardUrl: config.QUEUE_BOARD_URL ?? null,
    },
  };
}

function openProvider(config: Config, clock: Clock) {
  const settings = oidcSettingsOf(config);
  return settings && createProvider(settings, { clock, baseUrl: baseUrlOf(config) });
}

/** Without a slash at its end: a path follows. */
function baseUrlOf({ BASE_URL, PORT }: Config): string {
  return BASE_URL?.replace(/(?<!\/)\/+$/, '') ?? `http://localhost:${PORT}`;
}

function readFrom(replica: Db, { stores, time, report }: Omit<Foundations, 'stats' | 'transformer'>): ReadLists {
  return createReadLists({
    replica,
    primary: stores.pools.lists,
    monotonicMs: time.clock.monotonicMs,
    onAway: (error) => report.quiet.warn('lists are read from the primary: the replica has failed', errorFields(error)),
    onRead: (from) => report.metrics.listsRead.inc({ from }),
  });
}

/** Opens the places in which calls of consumers wait. It begins to listen when the first call waits. */
function openWaiting({ pools, queues }: Stores, quiet: Pick<Logger, 'warn'>): Waiting {
  const listener = queues.openPullListener({
    onWake: (endpointIds) => waiting.wake(endpointIds),
    onConnected: () => waiting.wakeAll(),
  });
  const waiting = createWaiting({
    nextDue: (endpointIds) => nextDue(pools.consumers, endpointIds),
    listen: listener.listen,
    // No message arrives through a transaction pooler, so look more often.
    ...(queues.kind === 'postgres' && { looksEveryMs: 1_000 }),
    onError: (error) => quiet.warn('what waits for consumers could not be read', errorFields(error)),
  });
  return {
    ...waiting,
    async close() {
      listener.close();
      await waiting.close();
    },
  };
}

type ListenDeps = { app: Express; report: Report<ApiMetrics>; lifecycle: Lifecycle; servesMetrics: boolean };

/** Listens for metrics and then for the interface, whose URL it returns. */
async function listen(config: Config, { app, report, lifecycle, servesMetrics }: ListenDeps): Promise<string> {
  const { logger, quiet, metrics } = report;
  const onWrite = createUnreadAnswers({
    mostBytes: MAX_UNREAD_BYTES,
    onCut: (whose) => quiet.warn('the connection of a client that does not read its answer was cut', { owner: whose }),
  });
  const address = config.LISTEN_ADDRESS;
  const metricsServer = { part: 'metrics', handler: metricsApp(metrics), port: config.METRICS_PORT, address };
  if (servesMetrics) await serve({ lifecycle, logger }, metricsServer);
  return serve(
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
}

function metricsApp({ registry }: ApiMetrics): Express {
  const app = express();
  app.disable('x-powered-by');
  app.get('/metrics', async (_request, response) => {
    response.type(registry.contentType).send(await registry.metrics());
  });
  return app;
}
