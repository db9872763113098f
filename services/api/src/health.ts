import type { Db } from '@posthorn/db/client';
import { pingPostgres } from '@posthorn/db/ping';
import type { Producer } from '@posthorn/queue/producer';
import type { Queues } from '@posthorn/queue/queues';
import type { Clock } from '@posthorn/runtime/clock';
import { createReadiness } from '@posthorn/runtime/readiness';
import { Router } from 'express';
import { refuseMethod } from './operation/mount.ts';

type HealthDeps = {
  db: Db;
  producer: Pick<Producer, 'ping' | 'kind'>;
  queues: Pick<Queues, 'isMixed'>;
  clock: Clock;
};

/** `/healthz` and `/readyz` (docs/interface.md, Health). */
export function createHealthRouter({ db, producer, queues, clock }: HealthDeps): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'alive' });
  });
  const pingRedis = producer.kind === 'redis' ? () => producer.ping() : undefined;
  const { isMixed } = queues;
  const ready = createReadiness({ pingPostgres: () => pingPostgres(db), pingRedis, isMixed, clock });
  router.get('/readyz', async (_request, response) => {
    const { httpStatus, body } = await ready();
    response.status(httpStatus).json(body);
  });
  router.all(['/healthz', '/readyz'], refuseMethod(['GET']));
  return router;
}
