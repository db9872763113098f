import { setTimeout as pause } from 'node:timers/promises';
import { patience } from './patience.ts';

type Falsy = false | 0 | '' | null | undefined;

/**
 * Calls `condition` repeatedly until it returns a truthy value, and returns that value. Throws after `timeoutMs`,
 * times `patience`, with `what` and the last error of the condition.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { what, timeoutMs = 20_000 }: { what: string; timeoutMs?: number },
): Promise<Exclude<T, Falsy>> {
  const untilMs = performance.now() + timeoutMs * patience;
  for (let waitMs = 2; ; waitMs = Math.min(2 * waitMs, 50)) {
    let thrown: unknown;
    try {
      const answer = await condition();
      if (answer) return answer as Exclude<T, Falsy>;
    } catch (error) {
      thrown = error;
    }
    if (performance.now() > untilMs)
      throw new Error(`waited ${timeoutMs} ms without success for ${what}`, { cause: thrown });
    await pause(waitMs);
  }
}
