import { randomUUID } from 'node:crypto';
import type { Db } from '@posthorn/db/client';
import { VERSION } from '@posthorn/runtime/version';
import type { OpenQueuesDeps, QueueSettings, Queues, RedisSettings } from './queues.ts';
import type { Forgotten } from './redis/forget-keys.ts';

/**
 * Opens the queues in Redis if the settings name one, otherwise in Postgres. The Redis libraries are loaded only in
 * that case. With Redis, no connection is made yet.
 */
export async function openQueues(settings: QueueSettings, deps: OpenQueuesDeps): Promise<Queues> {
  const { REDIS_URL } = settings;
  if (REDIS_URL === undefined) {
    const { postgresQueues } = await import('./postgres/queues-on-postgres.ts');
    return postgresQueues(settings, deps);
  }
  const { redisQueues } = await import('./redis/queues-on-redis.ts');
  const queues = redisQueues({ ...settings, REDIS_URL }, deps);
  const { db, presenceDb = db, role, onError } = deps;
  // A command ends before the others could see it.
  if (role === 'admin') return { ...queues, isMixed: () => false };
  const { showWithRedis } = await import('./postgres/presence.ts');
  const shown = showWithRedis({ db: presenceDb, processId: randomUUID(), role, version: VERSION, onError });
  return {
    ...queues,
    isMixed: shown.isMixed,
    async close() {
      await queues.close();
      await shown.close();
    },
  };
}

/** Whether some services have their queues in Redis, and others in Postgres. For a command, whose own queues do not count. */
export async function areQueuesMixed(db: Db): Promise<boolean> {
  const { areServicesMixed } = await import('./postgres/presence.ts');
  return areServicesMixed(db);
}

/** Deletes the keys that an installation has left in a Redis that it no longer uses. */
export async function forgetRedis(settings: RedisSettings): Promise<Forgotten> {
  const { queueOptions } = await import('./redis/connection.ts');
  const { forgetKeys } = await import('./redis/forget-keys.ts');
  return forgetKeys(queueOptions(settings, () => {}));
}

const ONLY_WITH_REDIS = {
  QUEUE_PREFIX: 'posthorn',
  DELIVER_QUEUE_SHARDS: 1,
  REDIS_CA: undefined,
  REDIS_SENTINEL_PASSWORD: undefined,
};

/** The settings that differ from their defaults but have no effect, because only Redis uses them and there is none. */
export function ignoredSettings(settings: QueueSettings): string[] {
  if (settings.REDIS_URL !== undefined) return [];
  return Object.entries(ONLY_WITH_REDIS).flatMap(([name, usual]) =>
    settings[name as keyof typeof ONLY_WITH_REDIS] === usual ? [] : [name],
  );
}
