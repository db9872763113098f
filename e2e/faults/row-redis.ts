import {
  type RedisCluster,
  type SentinelSet,
  startRedisCluster,
  startSentinelSet,
} from '@posthorn/testkit/redis-servers';

/** Redis servers that belong to one row, and the settings with which the processes reach them. */
export type RowRedis = { settings: Record<string, string> } & (
  | ({ kind: 'cluster' | 'replicated-cluster' } & RedisCluster)
  | ({ kind: 'sentinels' } & SentinelSet)
);

export async function startRowRedis(kind: RowRedis['kind'] | undefined): Promise<RowRedis | undefined> {
  if (kind === undefined) return undefined;
  if (kind !== 'sentinels') {
    const cluster = await startRedisCluster({ replicated: kind === 'replicated-cluster' });
    return { kind, ...cluster, settings: { REDIS_URL: cluster.url } };
  }
  const sentinels = await startSentinelSet();
  const settings = { REDIS_URL: sentinels.url, REDIS_SENTINEL_PASSWORD: sentinels.sentinelPassword };
  return { kind, ...sentinels, settings };
}
