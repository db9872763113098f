import { createAgedCache } from './aged-cache.ts';
import type { Clock } from './clock.ts';
import { answersWithin } from './deadline.ts';

const ANSWER_WITHIN_MS = 2_000;
const ANSWER_KEPT_MS = 500;

export type Readiness = {
  httpStatus: 200 | 503;
  body: {
    status: 'ready' | 'degraded' | 'unavailable';
    dependencies: { postgres: 'up' | 'down'; redis: 'up' | 'down' | 'unused' };
    /** Where the queues are; `mixed` while some processes have theirs in Redis, and others in Postgres. */
    queue: 'redis' | 'postgres' | 'mixed';
  };
};

type Stores = {
  pingPostgres: () => Promise<unknown>;
  /** Absent without Redis. */
  pingRedis?: (() => Promise<unknown>) | undefined;
  /** Whether other processes have their queues elsewhere. */
  isMixed: () => boolean;
  clock: Clock;
};

/**
 * Makes the answer of `/readyz` (docs/interface.md, Health). Without Redis the service works with delays. Without
 * Postgres it does not work. Anybody may ask at any rate: the stores are pinged at most twice a second.
 */
export function createReadiness({ pingPostgres, pingRedis, isMixed, clock }: Stores): () => Promise<Readiness> {
  const askStores = createAgedCache({
    clock,
    maxAgeMs: ANSWER_KEPT_MS,
    maxEntries: 1,
    load: async (_stores: string) => {
      const [postgres, redis] = await Promise.all([
        answersWithin(pingPostgres(), ANSWER_WITHIN_MS),
        pingRedis === undefined ? ('unused' as const) : answersWithin(pingRedis(), ANSWER_WITHIN_MS),
      ]);
      return { postgres, redis };
    },
  });
  const down = { postgres: false, redis: pingRedis === undefined ? ('unused' as const) : false };
  return async () => readiness((await askStores('stores')) ?? down, isMixed());
}

type Answers = { postgres: boolean; redis: boolean | 'unused' };

function readiness({ postgres, redis }: Answers, isMixed: boolean): Readiness {
  const named = (isUp: boolean): 'up' | 'down' => (isUp ? 'up' : 'down');
  const dependencies = { postgres: named(postgres), redis: redis === 'unused' ? redis : named(redis) };
  const queue = isMixed ? 'mixed' : redis === 'unused' ? 'postgres' : 'redis';
  if (!postgres) return { httpStatus: 503, body: { status: 'unavailable', dependencies, queue } };
  return { httpStatus: 200, body: { status: redis ? 'ready' : 'degraded', dependencies, queue } };
}
