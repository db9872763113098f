import { redisQueues } from '@posthorn/queue/redis/queues-on-redis';
import { testRedis } from '@posthorn/testkit/database';
import { askRedis } from '@posthorn/testkit/redis-place';
import type { Maker } from './maker.ts';

/** Redis, with a separate prefix for each place. */
export const redisMaker: Maker = {
  async open() {
    const { redisUrl, prefix } = testRedis();
    const settings = { QUEUE_PREFIX: prefix, DELIVER_QUEUE_SHARDS: 1 };
    return {
      url: redisUrl,
      process: ({ url = redisUrl, onError = () => {} } = {}) =>
        redisQueues({ ...settings, REDIS_URL: url }, { monotonicMs: () => performance.now(), onError }),
      waitingProbes: async () => ((await askRedis(redisUrl, 'KEYS', `${prefix}:probe:probe-*`)) as string[]).length,
      close: async () => {},
    };
  },
};
