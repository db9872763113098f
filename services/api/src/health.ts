import type { Db } from '@posthorn/db/client';
import { pingPostgres } from '@posthorn/db/ping';
import type { Producer } from '@posthorn/queue/producer';
import { answersWithin } from '@posthorn/runtime/deadline';
import { readiness } from '@posthorn/runtime/readiness';
import { Router } from 'express';
import { refuseMethod } from './http/mount.ts';

const ANSWER_WITHIN_MS = 2_000;

/** `/healthz` and `/readyz` (decisions §10). */
export function createHealthRouter(deps: { db: Db; producer: Pick<Producer, 'ping'> }): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'alive' });
  });
  router.get('/readyz', async (_request, response) => {
    const [postgres, redis] = await Promise.all([
      answersWithin(pingPostgres(deps.db), ANSWER_WITHIN_MS),
      answersWithin(deps.producer.ping(), ANSWER_WITHIN_MS),
    ]);
    const { httpStatus, body } = readiness({ postgres, redis });
    response.status(httpStatus).json(body);
  });
  router.all(['/healthz', '/readyz'], refuseMethod(['GET']));
  return router;
}
