import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@posthorn/runtime/clock';

export type WaitOptions = { clock: Clock; signal: AbortSignal; timeoutMs: number; everyMs?: number };

/**
 * Calls `check` repeatedly until it returns a value, and returns that; undefined when the time is up. Rejects as soon
 * as `signal` aborts. `check` must limit its own time.
 */
export async function waitUntil<T>(check: () => Promise<T | undefined>, options: WaitOptions): Promise<T | undefined> {
  const { clock, signal, timeoutMs, everyMs = 50 } = options;
  const deadlineMs = clock.monotonicMs() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    const answer = await check();
    if (answer !== undefined) return answer;
    if (clock.monotonicMs() >= deadlineMs) return undefined;
    await sleep(everyMs, undefined, { signal });
  }
}
