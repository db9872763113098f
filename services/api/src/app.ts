import type { Producer } from '@posthorn/queue/producer';
import { createBatcher } from '@posthorn/runtime/batch';
import type { Logger } from '@posthorn/runtime/logger';
import type { Tracing } from '@posthorn/runtime/tracing';
import express, { type Express, type Request } from 'express';
import helmet from 'helmet';
import { accountRoutes } from './account/account.routes.ts';
import { createLoginLimit } from './account/login-limit.ts';
import { mountAccount } from './account/mount-account.ts';
import { createPasswordTries } from './account/password-tries.ts';
import { createApiKeyAuth } from './auth/api-key.ts';
import type { LastUsed } from './auth/last-used.ts';
import { createManagementAuth } from './auth/management-token.ts';
import { createPortalAuth } from './auth/portal-token.ts';
import { createSessionCookie } from './auth/session-cookie.ts';
import { createSessionAuth } from './auth/session-token.ts';
import { createHealthRouter } from './health.ts';
import type { Services } from './http/context.ts';
import { createErrorHandler, unknownRoute } from './http/error-handler.ts';
import { mountDoor } from './http/mount.ts';
import { createRateLimit } from './http/rate-limit.ts';
import { createRequestLog } from './http/request-log.ts';
import { createBatch } from './ingest/batch.ts';
import { createDestinations } from './ingest/destinations.ts';
import { createKeyLookup } from './ingest/idempotency.ts';
import { createIngestRouter } from './ingest/ingest.routes.ts';
import { createIngest } from './ingest/ingest.ts';
import { type NewEvent, type Stored, storeEvents } from './ingest/store-events.ts';
import { traceIngest } from './ingest/trace-ingest.ts';
import type { ApiMetrics } from './metrics.ts';
import { portalRoutes } from './portal/portal.routes.ts';
import { createReferenceRouter } from './reference/reference.ts';
import { routes } from './routes.ts';

export type AppDeps = {
  services: Services;
  producer: Producer;
  lastUsed: LastUsed;
  logger: Logger;
  /** For what may fail a thousand times a second. */
  quiet: Pick<Logger, 'warn'>;
  metrics: ApiMetrics;
  /** Undefined where traces are off. */
  tracing?: Tracing | undefined;
  maxPayloadBytes: number;
  /** Requests a second of one credential; 0 is no limit. */
  rateLimits: { management: number; ingest: number };
  /** Proxies in front of this service whose word on the caller's address is taken. */
  trustedProxies: number;
};

/** The whole HTTP interface: ingestion first, because it is the busiest, then the doors, then what no route knows. */
export function createApp(deps: AppDeps): Express {
  const { services, producer, logger, metrics } = deps;
  const { db, clock } = services;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('trust proxy', deps.trustedProxies);
  app.set('query parser', 'simple');
  app.use(createRequestLog({ logger, clock, metrics }));
  app.use(createIngestion(deps));
  app.use(helmet({ strictTransportSecurity: false }));
  app.use(createHealthRouter({ db, producer }));
  app.use(createReferenceRouter());
  for (const door of createDoors(deps)) app.use(door);
  app.use(unknownRoute);
  app.use(createErrorHandler(logger));
  return app;
}

/** One table of rows behind three doors (management token, session, portal token), and what belongs to no workspace. */
function createDoors({ services, lastUsed, logger, rateLimits }: AppDeps) {
  const { db, clock } = services;
  const rateLimit = createRateLimit({ clock, perSecond: rateLimits.management, burstSeconds: 10 });
  const cookie = createSessionCookie(services.settings.baseUrl);
  const { requireSession, authenticate } = createSessionAuth({ db, clock, cookie });
  const passwordTries = createPasswordTries(db, clock);
  const loginLimit = createLoginLimit(clock, passwordTries);
  const addressLimit = createRateLimit({ clock, perSecond: 20, burstSeconds: 10, caller: 'This address' });
  const account = { services, logger, loginLimit, passwordTries, cookie, requireSession, rateLimit, addressLimit };
  return [
    mountDoor(services, routes, {
      base: '/management/v1/workspaces/{workspaceId}',
      authenticate: createManagementAuth({ db, clock, lastUsed }),
      rateLimit,
      offers: (route) => !route.dashboardOnly,
    }),
    mountAccount(account, accountRoutes),
    mountDoor(services, routes, {
      base: '/api/workspaces/{workspaceId}',
      authenticate,
      rateLimit,
      offers: () => true,
    }),
    mountDoor(services, [...portalRoutes, ...routes], {
      base: '/api/portal',
      authenticate: createPortalAuth({ db, clock }),
      rateLimit,
      offers: (route) => route.capability !== undefined,
    }),
  ];
}

/** Of payload in one insert: what a statement carries is held in memory several times. */
const MOST_BATCH_BYTES = 4 * 1024 * 1024;

function createIngestion(deps: AppDeps) {
  const { services, producer, lastUsed, quiet, metrics, maxPayloadBytes, rateLimits, tracing } = deps;
  const { db, clock, sealingKeys } = services;
  const store = createBatcher<NewEvent, Stored>({
    async run(events) {
      const stored = await storeEvents(db, events);
      const toFanOut = events.filter(
        (event, index) => event.published && event.direct === null && stored[index]?.kind === 'stored',
      );
      // One job for the batch, and nobody waits for Redis: what cannot be rung now is found by the sweep.
      producer
        .ringFanOut(
          toFanOut.map(({ id, eventType, workspaceId }) => ({ eventId: id, eventType: eventType ?? '', workspaceId })),
        )
        .catch((error: unknown) => quiet.warn('events wait for the sweep', { error: String(error) }));
      return stored;
    },
    maxItems: 100,
    weight: { of: (event) => event.payloadSize, most: MOST_BATCH_BYTES },
    maxInFlight: 2,
  });
  const plainIngest = createIngest({
    destinations: createDestinations(db, clock),
    findFirstAnswer: createKeyLookup(db),
    store,
    ringDelivery: (ticket) => services.ring([ticket]),
    sealingKeys,
    metrics,
  });
  const ingest = tracing === undefined ? plainIngest : traceIngest(plainIngest, tracing);
  const onFault = (error: unknown) => quiet.warn('an event of a batch failed', { error: String(error) });
  const authenticate = createApiKeyAuth({ db, clock, lastUsed });
  const rateLimit = createRateLimit({ clock, perSecond: rateLimits.ingest, burstSeconds: 2 });
  return createIngestRouter({
    async authenticate(request: Request) {
      const key = await authenticate(request);
      if (request.res !== undefined) rateLimit(request.res, key.apiKeyId);
      return key;
    },
    ingest,
    ingestBatch: createBatch({ ingest, maxPayloadBytes, onFault }),
    maxPayloadBytes,
  });
}
