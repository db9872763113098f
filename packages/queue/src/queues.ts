import { crc32 } from 'node:zlib';
import { Cluster } from 'ioredis';
import type { RedisConnection } from './connection.ts';
import { DELIVER_QUEUE, FAN_OUT_QUEUE, PROBE_QUEUE } from './jobs.ts';

/** The largest number of shards of the deliver queue, as the setting allows it. */
export const MOST_SHARDS = 64;

/** The name of every queue. */
export function queueNames(shards: number): string[] {
  return [FAN_OUT_QUEUE, ...deliverQueues(shards), PROBE_QUEUE];
}

/** The queues of deliver jobs, by shard. The first one has the name that it has without shards. */
export function deliverQueues(shards: number): string[] {
  return Array.from({ length: shards }, (_, shard) => deliverQueue(shard));
}

export function deliverQueue(shard: number): string {
  return shard === 0 ? DELIVER_QUEUE : `${DELIVER_QUEUE}-${shard}`;
}

/** The shard of an endpoint's jobs: all of them are in one queue, in their order. */
export function shardOf(endpointId: string, shards: number): number {
  return shards === 1 ? 0 : crc32(endpointId) % shards;
}

/**
 * The prefix of a queue's keys. BullMQ's scripts use several keys of one queue, which a Cluster must keep in one hash
 * slot: there the braces make the prefix a hash tag. Each queue has its own, so the queues spread over the nodes.
 */
export function prefixOf(queue: string, prefix: string, connection: RedisConnection): string {
  return connection instanceof Cluster ? `{${prefix}:${queue}}` : prefix;
}
