import { Cluster } from 'ioredis';
import { DELIVER_QUEUE, FAN_OUT_QUEUE, HAND_OVER_QUEUE, PROBE_QUEUE } from '../jobs.ts';
import type { RedisConnection } from './connection.ts';

/** The names of all queues. */
export function queueNames(shards: number): string[] {
  return [HAND_OVER_QUEUE, FAN_OUT_QUEUE, ...deliverQueues(shards), PROBE_QUEUE];
}

/** The queues of deliver jobs, by shard. The first one has the same name as without shards. */
export function deliverQueues(shards: number): string[] {
  return Array.from({ length: shards }, (_, shard) => deliverQueue(shard));
}

export function deliverQueue(shard: number): string {
  return shard === 0 ? DELIVER_QUEUE : `${DELIVER_QUEUE}-${shard}`;
}

/**
 * The prefix of a queue's keys. A BullMQ script uses several keys of one queue, which a Cluster must keep in one hash
 * slot. So in a Cluster, the prefix has braces, which make it a hash tag. Each queue has its own tag, so that the
 * queues are spread over the nodes.
 */
export function prefixOf(queue: string, prefix: string, connection: RedisConnection): string {
  return connection instanceof Cluster ? `{${prefix}:${queue}}` : prefix;
}
