import type { Db } from '@posthorn/db/client';
import { createDestinations } from '@posthorn/ingest/destinations';
import { createKeyLookup } from '@posthorn/ingest/idempotency';
import { createIngest } from '@posthorn/ingest/ingest';
import type { Ingest } from '@posthorn/ingest/ingest-input';
import { createDoor } from '@posthorn/ingest/match-at-door';
import { createPayloadCheck, createSchemaReader } from '@posthorn/ingest/payload-check';
import { createSlowDelays } from '@posthorn/ingest/slow-endpoints';
import type { Quotas } from '@posthorn/ingest/start-quotas';
import { createStore } from '@posthorn/ingest/store-in-batches';
import { createEndpointCache } from '@posthorn/messages/endpoint-cache';
import type { Producer } from '@posthorn/queue/producer';
import type { Queues } from '@posthorn/queue/queues';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import type { Tracing } from '@posthorn/runtime/tracing';
import express, { type Express } from 'express';
import helmet from 'helmet';
import { accountRoutes } from './account/account.routes.ts';
import { createLoginLimit } from './account/login-limit.ts';
import { mountAccount } from './account/mount-account.ts';
import type { Provider } from './account/oidc/provider.ts';
import { createPasswordTries } from './account/password-tries.ts';
import { createDocsRouter } from './agents/docs-router.ts';
import { createMcpRouter } from './agents/mcp.ts';
import { createApiKeyAuth } from './auth/api-key.ts';
import { createCredentialLookup } from './auth/credential-lookup.ts';
import { createDeviceCookie } from './auth/device-cookie.ts';
import type { LastUsed } from './auth/last-used.ts';
import { createManagementAuth } from './auth/management-token.ts';
import { createOidcCookie } from './auth/oidc-cookie.ts';
import { createPortalAuth } from './auth/portal-token.ts';
import { createSessionCookie } from './auth/session-cookie.ts';
import { createSessionAuth } from './auth/session-token.ts';
import { createHealthRouter } from './health.ts';
import { createBatch } from './ingest/batch.ts';
import { createIngestRouter } from './ingest/ingest.routes.ts';
import { traceIngest } from './ingest/trace-ingest.ts';
import { createLimits, type Limits } from './limits.ts';
import { ownTokenRoutes } from './management-tokens/management-tokens.routes.ts';
import { createEventsRouter } from './mcp-events/events-router.ts';
import type { ApiMetrics } from './metrics.ts';
import type { Services } from './operation/context.ts';
import { type MountedInterface, mountInterface } from './operation/mount.ts';
import { createRateLimit, createRateLimits } from './operation/rate-limit.ts';
import { createOtherOrigins, ofOwnOrigins } from './portal/other-origins.ts';
import { portalRoutes } from './portal/portal.routes.ts';
import { createConsumerAuth } from './pull/consumer.ts';
import { createLease } from './pull/lease.ts';
import { createPullRouter } from './pull/pull.routes.ts';
import type { Waiting } from './pull/waiting.ts';
import { createReferenceRouter } from './reference/reference.ts';
import { routes } from './routes.ts';
import { createBodyRooms, type TakeBodyRoom } from './transport/body-room.ts';
import { requireHost } from './transport/client-error.ts';
import { createErrorHandler, unknownRoute } from './transport/error-handler.ts';
import { createRequestLog } from './transport/request-log.ts';
import { createDocumentsRouter } from './web/documents.ts';
import { createWebRouter } from './web/web.ts';

export type AppDeps = {
  services: Omit<Services, 'ingest'>;
  /** Has its own connections, so that no other operation makes ingestion wait. */
  ingestionDb: Db;
  doorDb: Db;
  producer: Producer;
  queues: Pick<Queues, 'isMixed'>;
  lastUsed: LastUsed;
  /** Connections of their own for the refreshes of agents. Undefined where agents cannot subscribe. */
  agentsDb: Db | undefined;
  /** For pull consumers: their own connections, and where their calls wait. */
  pull: { db: Db; waiting: Waiting; random: () => number; retrySchedule: readonly number[] };
  logger: Logger;
  /** A logger for errors that may occur a thousand times a second. */
  quiet: Pick<Logger, 'warn'>;
  metrics: ApiMetrics;
  quotas: Quotas;
  /** Undefined when traces are off. */
  tracing?: Tracing | undefined;
  /** The requests a second of one credential; 0 means no limit. */
  rateLimits: { management: number; ingest: number };
  /** The number of proxies in front of this service whose X-Forwarded-For entries are trusted. */
  trustedProxies: number;
  /** The sign-in provider; undefined where people sign in only here. */
  provider?: Provider | undefined;
  /** The build of packages/web; a folder without one leaves out the dashboard and the portal. */
  webFolder: string;
  /** The built documentation; without it, /docs is unknown. */
  docsFolder: string;
};

/**
 * The whole HTTP interface: ingestion first, because it is the busiest, then the other interfaces, then the answer to
 * unknown routes.
 */
export function createApp(deps: AppDeps): Express {
  const { services, producer, queues, logger, metrics } = deps;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', deps.trustedProxies);
  app.set('query parser', 'simple');
  app.use(createRequestLog({ logger, clock: services.clock, metrics }));
  app.use(requireHost);
  const limits = createLimits();
  const bodies = createBodyRooms(limits);
  const ingest = createIngestOf(deps, limits);
  app.use(createIngestion(deps, ingest, bodies.events));
  app.use(helmet({ strictTransportSecurity: false }));
  app.use(createHealthRouter({ db: deps.ingestionDb, producer, queues, clock: services.clock }));
  app.use(createPull(deps, limits, bodies.others));
  app.use(createReferenceRouter());
  app.use(createDocsRouter());
  // Extend the same object: code that replaces a part of the services then replaces it everywhere.
  const all = { ...deps, services: Object.assign(services, { ingest }) };
  for (const router of createInterfaces(all, limits, bodies.others)) app.use(router);
  app.use(createDocumentsRouter(deps.docsFolder));
  app.use(createWebRouter({ db: services.db, clock: services.clock, folder: deps.webFolder }));
  app.use(unknownRoute);
  app.use(createErrorHandler(logger));
  return app;
}

/**
 * One table of rows behind three interfaces (management token, session, portal token), and the operations that belong
 * to no workspace.
 */
function createInterfaces(
  { services, agentsDb, lastUsed, logger, metrics, rateLimits, provider }: AppDeps & { services: Services },
  limits: Limits,
  takeBodyRoom: TakeBodyRoom,
) {
  const { db, clock } = services;
  const requestLimits = createRateLimits({ clock, perSecond: rateLimits.management, burstSeconds: 10 });
  const isKnown = createCredentialLookup(db);
  const shared = {
    rateLimits: requestLimits,
    limits,
    takeBodyRoom,
  };
  const cookie = createSessionCookie(services.settings.baseUrl);
  const { requireSession, authenticate } = createSessionAuth({ db, clock, cookie, isKnown });
  const passwordTries = createPasswordTries(db, clock);
  const loginLimit = createLoginLimit(clock, passwordTries);
  const addressLimit = createRateLimit({ clock, perSecond: 20, burstSeconds: 10, caller: 'This address' });
  const account = {
    services,
    logger,
    loginLimit,
    passwordTries,
    cookie,
    deviceCookie: createDeviceCookie(services),
    oidcCookie: createOidcCookie(services.settings.baseUrl),
    provider,
    requireSession,
    addressLimit,
    rateLimit: requestLimits.credential,
  };
  const requireManagement = createManagementAuth({ db, clock, lastUsed, isKnown });
  const requirePortal = createPortalAuth({ db, clock, isKnown });
  return [
    createMcpRouter({
      logger,
      services,
      ...shared,
      authenticate: { management: requireManagement, portal: requirePortal, session: authenticate },
    }),
    createEventsRouter({ services, agentsDb, logger, metrics, limits, takeBodyRoom, lastUsed, isKnown }),
    ...mountManagement(services, { authenticate: requireManagement, ...shared }),
    mountAccount(account, accountRoutes),
    mountInterface(services, routes, {
      base: '/api/workspaces/{workspaceId}',
      authenticate,
      ...shared,
      offers: () => true,
    }),
    createOtherOrigins({ db }),
    mountInterface(services, [...portalRoutes, ...routes], {
      base: '/api/portal',
      authenticate: ofOwnOrigins(requirePortal),
      ...shared,
      offers: (route) => route.capability !== undefined,
    }),
  ];
}

/** Mounts the management interface for the workspace in the path or, where the path has none, that of the token. */
function mountManagement(services: Services, mounted: Omit<MountedInterface, 'base' | 'offers'>) {
  const base = '/management/v1';
  return [
    mountInterface(services, ownTokenRoutes, { ...mounted, base, offers: () => true }),
    mountInterface(services, routes, {
      ...mounted,
      base: `${base}/workspaces/{workspaceId}`,
      offers: (route) => !route.dashboardOnly,
    }),
  ];
}

/** Accepts one event: for the ingestion interface, and for the operation that sends an event without an API key. */
function createIngestOf(deps: AppDeps, limits: Limits): Ingest {
  const { services, producer, quiet, metrics, quotas, tracing, ingestionDb: db, doorDb } = deps;
  const { clock, sealingKeys, openSearchKey } = services;
  const door = createDoor({ db, takers: producer.takers, clock });
  const plainIngest = createIngest({
    underWay: limits.events,
    destinations: createDestinations(db, clock),
    openSearchKey,
    checkPayload: createPayloadCheck(createSchemaReader(db), limits),
    findFirstAnswer: createKeyLookup(db),
    takeRoom: quotas.take,
    matchAtDoor: door.match,
    store: createStore({
      slowDelay: createSlowDelays(producer.slowMs, clock),
      db,
      doorDb,
      live: services.live,
      producer,
      wakeConsumers: services.wakeConsumers,
      door,
      quiet,
      metrics,
    }),
    enqueueDelivery: (delivery) => services.enqueue([delivery]),
    wakeConsumers: services.wakeConsumers,
    sealingKeys,
    clock,
    metrics,
    stats: services.stats,
  });
  return tracing === undefined ? plainIngest : traceIngest(plainIngest, tracing);
}

function createIngestion(deps: AppDeps, ingest: Ingest, takeBodyRoom: TakeBodyRoom) {
  const { services, lastUsed, quiet, rateLimits, ingestionDb: db } = deps;
  const { clock } = services;
  const { maxPayloadBytes } = services.settings;
  const onFault = (error: unknown) => quiet.warn('an event of a batch failed', errorFields(error));
  const isKnown = createCredentialLookup(db);
  const authenticate = createApiKeyAuth({ db, clock, lastUsed, isKnown, quotas: services.settings.quotas });
  const requestLimits = createRateLimits({ clock, perSecond: rateLimits.ingest, burstSeconds: 2 });
  return createIngestRouter({
    authenticate,
    clock,
    spend(response, { apiKeyId, workspaceId }, events) {
      requestLimits.credential(response, apiKeyId, events);
      requestLimits.workspace(response, workspaceId, events);
    },
    takeBodyRoom,
    ingest,
    ingestBatch: createBatch({ ingest, maxPayloadBytes, onFault }),
    maxPayloadBytes,
  });
}

function createPull(deps: AppDeps, limits: Limits, takeBodyRoom: TakeBodyRoom) {
  const { services, lastUsed, metrics, rateLimits, tracing } = deps;
  const { db, waiting, random, retrySchedule } = deps.pull;
  const { clock, sealingKeys: keys, live, stats, wakeConsumers, transformer } = services;
  const { retentionDays } = services.settings;
  const isKnown = createCredentialLookup(db);
  const requestLimits = createRateLimits({ clock, perSecond: rateLimits.ingest, burstSeconds: 2 });
  const shared = { db, keys, clock, live, stats, metrics, wakeConsumers, retentionDays, turns: limits.pulls };
  const { waits } = limits;
  const endpoints = createEndpointCache(db, keys, clock);
  return createPullRouter({
    ...shared,
    authenticate: createConsumerAuth({ db, clock, lastUsed, isKnown }),
    spend(response, { pullKeyId, workspaceId }) {
      requestLimits.credential(response, pullKeyId);
      requestLimits.workspace(response, workspaceId);
    },
    takeBodyRoom,
    lease: createLease({ ...shared, waits, endpoints, waiting, lastUsed, transformer, tracing, random, retrySchedule }),
    endpoints,
    random,
    retrySchedule,
  });
}
