import { crc32 } from 'node:zlib';

/** The most shards of the deliver queue that the setting allows. */
export const MAX_SHARDS = 64;

/** The shard of an endpoint's jobs. All jobs of an endpoint are in one queue, so that their sequence is kept. */
export function shardOf(endpointId: string, shards: number): number {
  return shards === 1 ? 0 : crc32(endpointId) % shards;
}

/** The number of jobs that a consumer fetches ahead after an idle time. */
export const FETCHED_AHEAD = 10;

/**
 * The most jobs of one shard that a process holds at once, out of all that it may hold. Shards are not equally busy, so
 * each has twice its part. Jobs beyond the process's slots wait for a slot.
 */
export function shareOfShard(concurrency: number, shards: number): number {
  if (shards === 1) return concurrency;
  return Math.min(concurrency, Math.max(FETCHED_AHEAD, Math.ceil((2 * concurrency) / shards)));
}
