import { setTimeout as pause } from 'node:timers/promises';

type Falsy = false | 0 | '' | null | undefined;

/**
 * Asks `condition` again and again until it answers something truthy, and returns that. Throws after `timeoutMs`,
 * saying `what` was waited for and what the condition last threw.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { what, timeoutMs = 10_000 }: { what: string; timeoutMs?: number },
): Promise<Exclude<T, Falsy>> {
  const untilMs = performance.now() + timeoutMs;
  for (let waitMs = 2; ; waitMs = Math.min(2 * waitMs, 50)) {
    let thrown: unknown;
    try {
      const answer = await condition();
      if (answer) return answer as Exclude<T, Falsy>;
    } catch (error) {
      thrown = error;
    }
    if (performance.now() > untilMs) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`, { cause: thrown });
    await pause(waitMs);
  }
}
