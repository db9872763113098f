import type { Db } from '@posthorn/db/client';
import { pingPostgres } from '@posthorn/db/ping';
import type { Producer } from '@posthorn/queue/producer';
import type { Queues } from '@posthorn/queue/queues';
import type { Clock } from '@posthorn/runtime/clock';
import { readMetrics } from '@posthorn/runtime/process-metrics';
import { createReadiness } from '@posthorn/runtime/readiness';
import express, { type Express } from 'express';
import { Registry } from 'prom-client';

export type HealthDeps = {
  db: Db;
  producer: Pick<Producer, 'ping' | 'kind'>;
  queues: Pick<Queues, 'isMixed'>;
  clock: Clock;
  registries: readonly Registry[];
  /** Whether this process takes work. It does not yet while it starts. */
  takesWork: () => boolean;
};

/** `/healthz`, `/readyz` and `/metrics` (docs/interface.md, Health). */
export function createHealthApp({ db, producer, queues, clock, registries, takesWork }: HealthDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'alive' });
  });
  const pingRedis = producer.kind === 'redis' ? () => producer.ping() : undefined;
  const { isMixed } = queues;
  const ready = createReadiness({ pingPostgres: () => pingPostgres(db), pingRedis, isMixed, clock });
  app.get('/readyz', async (_request, response) => {
    const { httpStatus, body } = await ready();
    if (takesWork()) response.status(httpStatus).json(body);
    else response.status(503).json({ ...body, status: 'unavailable' });
  });
  app.get('/metrics', async (_request, response) => {
    response.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await readMetrics(registries));
  });
  return app;
}
