import { setImmediate } from 'node:timers/promises';

/** The longest time that a computation holds the process before other work runs. */
const HOLDS_MS = 10;

/**
 * Makes a function for a computation of many parts: await it between two parts. When 10 ms have passed since the last
 * pause, it awaits `pause`, which gets the time that has passed. By default, other work of the process then runs once.
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
