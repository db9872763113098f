import type { OpenQueuesDeps, QueueSettings, Queues } from './queues.ts';

/** The queues that the settings name. Their libraries are loaded, and nothing is connected yet. */
export async function openQueues(settings: QueueSettings, deps: OpenQueuesDeps): Promise<Queues> {
  const { redisQueues } = await import('./redis/queues-on-redis.ts');
  return redisQueues(settings, deps);
}
