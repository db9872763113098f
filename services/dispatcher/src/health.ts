import type { Db } from '@posthorn/db/client';
import { pingPostgres } from '@posthorn/db/ping';
import type { Producer } from '@posthorn/queue/producer';
import { answersWithin } from '@posthorn/runtime/deadline';
import { readiness } from '@posthorn/runtime/readiness';
import express, { type Express } from 'express';
import type { DispatcherMetrics } from './metrics.ts';

const ANSWER_WITHIN_MS = 2_000;

export type HealthDeps = { db: Db; producer: Pick<Producer, 'ping'>; metrics: DispatcherMetrics };

/** `/healthz`, `/readyz` and `/metrics` (docs/interface.md, Health). */
export function createHealthApp({ db, producer, metrics }: HealthDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'alive' });
  });
  app.get('/readyz', async (_request, response) => {
    const [postgres, redis] = await Promise.all([
      answersWithin(pingPostgres(db), ANSWER_WITHIN_MS),
      answersWithin(producer.ping(), ANSWER_WITHIN_MS),
    ]);
    const { httpStatus, body } = readiness({ postgres, redis });
    response.status(httpStatus).json(body);
  });
  app.get('/metrics', async (_request, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return app;
}
