import { setImmediate } from 'node:timers/promises';

/** A computation holds the process for this long before other work runs. */
const HOLDS_MS = 10;

/**
 * Returns a function that a computation of many parts awaits between two parts. When 10 ms have passed since the last
 * pause, it awaits `pause`, with the time that has passed. By default, other work of the process then runs once.
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
