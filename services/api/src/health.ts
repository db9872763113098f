import type { Db } from '@posthorn/db/client';
import { pingPostgres } from '@posthorn/db/ping';
import type { Producer } from '@posthorn/queue/producer';
import { createAgedCache } from '@posthorn/runtime/aged-cache';
import type { Clock } from '@posthorn/runtime/clock';
import { answersWithin } from '@posthorn/runtime/deadline';
import { readiness } from '@posthorn/runtime/readiness';
import { Router } from 'express';
import { refuseMethod } from './http/mount.ts';

const ANSWER_WITHIN_MS = 2_000;
const ANSWER_KEPT_MS = 500;

/** `/healthz` and `/readyz` (docs/interface.md, Health). */
export function createHealthRouter(deps: { db: Db; producer: Pick<Producer, 'ping'>; clock: Clock }): Router {
  const router = Router();
  // Anybody may call this at any rate: the stores are pinged at most twice a second.
  const askStores = createAgedCache({
    clock: deps.clock,
    maxAgeMs: ANSWER_KEPT_MS,
    maxEntries: 1,
    load: async (_stores: string) => {
      const [postgres, redis] = await Promise.all([
        answersWithin(pingPostgres(deps.db), ANSWER_WITHIN_MS),
        answersWithin(deps.producer.ping(), ANSWER_WITHIN_MS),
      ]);
      return { postgres, redis };
    },
  });
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'alive' });
  });
  router.get('/readyz', async (_request, response) => {
    const { httpStatus, body } = readiness((await askStores('stores')) ?? { postgres: false, redis: false });
    response.status(httpStatus).json(body);
  });
  router.all(['/healthz', '/readyz'], refuseMethod(['GET']));
  return router;
}
