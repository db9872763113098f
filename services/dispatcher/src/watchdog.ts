import type { Clock } from '@posthorn/runtime/clock';

/** What a watchdog stands on. */
export type WatchdogDeps = {
  clock: Pick<Clock, 'monotonicMs'>;
  /** Tickets looked at since the process began. */
  looks: () => number;
  /** Every place is taken by an attempt: no ticket can be looked at, and nothing is wrong. */
  isFull: () => boolean;
  /** Over connections of its own, not those it watches. */
  storesAnswer: () => Promise<boolean>;
  /** Whether a delivery has stood due for long; what throttle, breaker and retries hold back is due later. */
  hasDueWork: () => Promise<boolean>;
  rebuild: () => Promise<void>;
  /** Ends the process with a failure, to be started again. */
  giveUp: (silentMs: number) => void;
};

const REBUILD_AFTER_MS = 30_000;
const GIVE_UP_AFTER_MS = 60_000;

/**
 * One round of the watchdog (faults M9), to be called every few seconds: when due work stands and no ticket was looked
 * at for 30 s the workers' connections are made anew, after 60 s the process ends. Time counts only while Redis and
 * Postgres answer.
 */
export function createWatchdog(deps: WatchdogDeps): () => Promise<void> {
  let silentSinceMs: number | undefined;
  let looksBefore = deps.looks();
  let rebuilt = false;
  const isSilent = async () => {
    const looks = deps.looks();
    const idle = looks === looksBefore && !deps.isFull();
    looksBefore = looks;
    return idle && (await deps.storesAnswer()) && (await deps.hasDueWork());
  };
  return async () => {
    const nowMs = deps.clock.monotonicMs();
    if (!(await isSilent())) {
      silentSinceMs = undefined;
      rebuilt = false;
      return;
    }
    silentSinceMs ??= nowMs;
    const silentMs = nowMs - silentSinceMs;
    if (silentMs >= GIVE_UP_AFTER_MS) return deps.giveUp(silentMs);
    if (silentMs < REBUILD_AFTER_MS || rebuilt) return;
    rebuilt = true;
    await deps.rebuild();
  };
}
