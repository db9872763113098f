import { setImmediate } from 'node:timers/promises';

/** A computation holds the process for this long before other work runs. */
const HOLDS_MS = 10;

/**
 * For a computation of many parts: await the function between two parts. When 10 ms have passed since the last pause, it
 * awaits `pause`, which gets this time. By default other work of the process runs once.
 */
export function createGiveWay(pause: (heldMs: number) => Promise<unknown> = () => setImmediate()): () => Promise<void> {
  let sinceMs = performance.now();
  return async () => {
    const heldMs = performance.now() - sinceMs;
    if (heldMs < HOLDS_MS) return;
    await pause(heldMs);
    sinceMs = performance.now();
  };
}
