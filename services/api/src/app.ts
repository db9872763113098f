import type { Producer } from '@posthorn/queue/producer';
import { createBatcher } from '@posthorn/runtime/batch';
import type { Logger } from '@posthorn/runtime/logger';
import express, { type Express } from 'express';
import helmet from 'helmet';
import { createApiKeyAuth } from './auth/api-key.ts';
import type { LastUsed } from './auth/last-used.ts';
import { createManagementAuth } from './auth/management-token.ts';
import { createHealthRouter } from './health.ts';
import type { Services } from './http/context.ts';
import { createErrorHandler, unknownRoute } from './http/error-handler.ts';
import { mountDoor } from './http/mount.ts';
import { createRequestLog } from './http/request-log.ts';
import { createDestinations } from './ingest/destinations.ts';
import { createKeyLookup } from './ingest/idempotency.ts';
import { createIngestRouter } from './ingest/ingest.routes.ts';
import { createIngest } from './ingest/ingest.ts';
import { type NewEvent, type Stored, storeEvents } from './ingest/store-events.ts';
import type { ApiMetrics } from './metrics.ts';
import { routes } from './routes.ts';

export type AppDeps = {
  services: Services;
  producer: Producer;
  lastUsed: LastUsed;
  logger: Logger;
  /** For what may fail a thousand times a second. */
  quiet: Pick<Logger, 'warn'>;
  metrics: ApiMetrics;
  maxPayloadBytes: number;
};

/** The whole HTTP interface: ingestion first, because it is the busiest, then the doors, then what no route knows. */
export function createApp(deps: AppDeps): Express {
  const { services, producer, logger, metrics } = deps;
  const { db, clock } = services;
  const app = express();
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.use(createRequestLog({ logger, clock, metrics }));
  app.use(createIngestion(deps));
  app.use(helmet({ strictTransportSecurity: false }));
  app.use(createHealthRouter({ db, producer }));
  app.use(
    mountDoor(services, routes, {
      base: '/management/v1/workspaces/{workspaceId}',
      authenticate: createManagementAuth({ db, clock, lastUsed: deps.lastUsed }),
      offers: () => true,
    }),
  );
  app.use(unknownRoute);
  app.use(createErrorHandler(logger));
  return app;
}

function createIngestion({ services, producer, lastUsed, quiet, metrics, maxPayloadBytes }: AppDeps) {
  const { db, clock, sealingKeys } = services;
  const store = createBatcher<NewEvent, Stored>({
    async run(events) {
      const stored = await storeEvents(db, events);
      const toFanOut = events.filter(
        (event, index) => event.published && event.direct === null && stored[index]?.kind === 'stored',
      );
      // One job for the batch, and nobody waits for Redis: what cannot be rung now is found by the sweep.
      producer
        .ringFanOut(toFanOut.map((event) => event.id))
        .catch((error: unknown) => quiet.warn('events wait for the sweep', { error: String(error) }));
      return stored;
    },
    maxItems: 100,
    maxInFlight: 2,
  });
  return createIngestRouter({
    authenticate: createApiKeyAuth({ db, clock, lastUsed }),
    ingest: createIngest({
      destinations: createDestinations(db, clock),
      findFirstAnswer: createKeyLookup(db),
      store,
      ringDelivery: (ticket) => services.ring([ticket]),
      sealingKeys,
      metrics,
    }),
    maxPayloadBytes,
  });
}
