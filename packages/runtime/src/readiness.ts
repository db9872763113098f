import { createAgedCache } from './aged-cache.ts';
import type { Clock } from './clock.ts';
import { answersWithin } from './deadline.ts';

const ANSWER_WITHIN_MS = 2_000;
const ANSWER_KEPT_MS = 500;

export type Readiness = {
  httpStatus: 200 | 503;
  body: {
    status: 'ready' | 'degraded' | 'unavailable';
    dependencies: { postgres: 'up' | 'down'; redis: 'up' | 'down' };
  };
};

type Stores = {
  pingPostgres: () => Promise<unknown>;
  pingRedis: () => Promise<unknown>;
  clock: Clock;
};

/**
 * The answer of `/readyz` (docs/interface.md, Health). Without Redis the service works with delays. Without Postgres it
 * does not work. Anybody may ask at any rate: the stores are pinged at most twice a second.
 */
export function createReadiness({ pingPostgres, pingRedis, clock }: Stores): () => Promise<Readiness> {
  const askStores = createAgedCache({
    clock,
    maxAgeMs: ANSWER_KEPT_MS,
    maxEntries: 1,
    load: async (_stores: string) => {
      const [postgres, redis] = await Promise.all([
        answersWithin(pingPostgres(), ANSWER_WITHIN_MS),
        answersWithin(pingRedis(), ANSWER_WITHIN_MS),
      ]);
      return { postgres, redis };
    },
  });
  return async () => readiness((await askStores('stores')) ?? { postgres: false, redis: false });
}

function readiness(up: { postgres: boolean; redis: boolean }): Readiness {
  const dependencies = { postgres: up.postgres ? 'up' : 'down', redis: up.redis ? 'up' : 'down' } as const;
  if (!up.postgres) return { httpStatus: 503, body: { status: 'unavailable', dependencies } };
  return { httpStatus: 200, body: { status: up.redis ? 'ready' : 'degraded', dependencies } };
}
