import type { Consumer } from '@posthorn/queue/consumer';
import type { Producer } from '@posthorn/queue/producer';

type FormerShardsDeps = {
  producer: Pick<Producer, 'formerShards' | 'onReachable'>;
  consume: (shard: number) => Consumer;
  onError: (error: unknown) => void;
};

/**
 * Consumes the jobs in shards beyond the present number, from when there were more shards. It looks for them once, as
 * soon as Redis answers. Without this, no delivery is lost, because the reconciler enqueues the rows again, but the
 * jobs would stay in Redis.
 */
export function consumeFormerShards({ producer, consume, onError }: FormerShardsDeps): Consumer {
  const consumers: Consumer[] = [];
  let state: 'unknown' | 'asked' | 'ended' = 'unknown';
  const find = async () => {
    if (state !== 'unknown') return;
    state = 'asked';
    try {
      const shards = await producer.formerShards();
      if (state === 'asked') consumers.push(...shards.map(consume));
    } catch (error) {
      if (state === 'asked') state = 'unknown';
      throw error;
    }
  };
  producer.onReachable(() => void find().catch(onError));
  return {
    async drain() {
      state = 'ended';
      await Promise.all(consumers.map((consumer) => consumer.drain()));
    },
    async close() {
      state = 'ended';
      await Promise.all(consumers.map((consumer) => consumer.close()));
    },
  };
}
