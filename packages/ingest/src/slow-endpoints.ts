import { atMost } from '@posthorn/runtime/at-most';
import type { Clock } from '@posthorn/runtime/clock';
import { LRUCache } from 'lru-cache';

/** A shorter delay is not worth it. With a longer one, an endpoint that recovers would stay idle. */
const LEAST_MS = 500;
const MOST_MS = 60_000;
const MOST_ENDPOINTS = 10_000;

/**
 * Makes a function that returns after how many seconds a new delivery to an endpoint is due. This is 0 unless
 * dispatchers have reported that the endpoint answers slowly and has no free slot. Then its deliveries follow one
 * another as its slots become free, so that they occupy no slots of other endpoints meanwhile, and need not be deferred
 * one by one.
 */
export function createSlowDelays(
  slowMs: (endpointId: string) => number | undefined,
  { monotonicMs }: Pick<Clock, 'monotonicMs'>,
): (endpointId: string) => number {
  const lastAtMs = new LRUCache<string, number>(atMost(MOST_ENDPOINTS));
  return (endpointId) => {
    const intervalMs = slowMs(endpointId);
    if (intervalMs === undefined) return 0;
    const nowMs = monotonicMs();
    const nextAtMs = (lastAtMs.get(endpointId) ?? nowMs) + intervalMs;
    const atMs = Math.min(Math.max(nextAtMs, nowMs + LEAST_MS), nowMs + MOST_MS);
    lastAtMs.set(endpointId, atMs);
    return (atMs - nowMs) / 1_000;
  };
}
