/** The recent deaths of one process. */
export type RestartState = { delayMs: number; deathsAtMs: readonly number[] };

export type RestartDecision = { kind: 'restart'; afterMs: number; state: RestartState } | { kind: 'give_up' };

const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5_000;
const STEADY_LIFE_MS = 30_000;
const DEATHS_TO_GIVE_UP = 5;
const WINDOW_MS = 60_000;

export const neverDied: RestartState = { delayMs: FIRST_DELAY_MS, deathsAtMs: [] };

/**
 * Decides about a process that ended unexpectedly: restart it after 0.2 s, doubling to 5 s, and again from 0.2 s once
 * it has lived for 30 s; give up at its fifth death within a minute. Times are milliseconds of a monotonic clock.
 */
export function decideRestart(state: RestartState, death: { atMs: number; livedMs: number }): RestartDecision {
  const deathsAtMs = [...state.deathsAtMs.filter((atMs) => death.atMs - atMs < WINDOW_MS), death.atMs];
  if (deathsAtMs.length >= DEATHS_TO_GIVE_UP) return { kind: 'give_up' };
  const afterMs = death.livedMs >= STEADY_LIFE_MS ? FIRST_DELAY_MS : state.delayMs;
  return { kind: 'restart', afterMs, state: { delayMs: Math.min(afterMs * 2, LONGEST_DELAY_MS), deathsAtMs } };
}
