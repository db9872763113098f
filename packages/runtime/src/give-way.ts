import { setImmediate } from 'node:timers/promises';

/** How long a computation holds the process before other work runs. */
const HOLDS_MS = 10;

/**
 * For a computation of many parts: await the function between two parts. When 10 ms have passed, the other work of the
 * process runs first.
 */
export function createGiveWay(): () => Promise<void> {
  let sinceMs = performance.now();
  return async () => {
    if (performance.now() - sinceMs < HOLDS_MS) return;
    await setImmediate();
    sinceMs = performance.now();
  };
}
