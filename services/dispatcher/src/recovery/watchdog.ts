import type { Clock } from '@posthorn/runtime/clock';

/** What the watchdog of one queue's consumer stands on. */
export type WatchdogDeps = {
  clock: Pick<Clock, 'monotonicMs'>;
  /** This queue's tickets looked at since the process began. */
  looks: () => number;
  /** Every place is taken: no ticket can be looked at, and nothing is wrong. */
  isFull: () => boolean;
  /** Redis takes writes and Postgres answers, over connections of their own and not those that are watched. */
  storesAnswer: () => Promise<boolean>;
  /** Whether this queue's work has stood due for long; what throttle, breaker and retries hold back is due later. */
  hasDueWork: () => Promise<boolean>;
  /** An operator has paused the queue. */
  isPaused: () => Promise<boolean>;
  rebuild: () => Promise<void>;
  /** Ends the process with a failure, to be started again. */
  giveUp: (silentMs: number) => void;
};

const REBUILD_AFTER_MS = 30_000;
const GIVE_UP_AFTER_MS = 60_000;

/**
 * One round of the watchdog of one queue, to be called every few seconds: when its due work stands and none
 * of its tickets was looked at for 30 s its consumer is made anew, after 60 s the process ends. Time counts only while
 * Redis and Postgres can be worked with and nobody has paused the queue.
 */
export function createWatchdog(deps: WatchdogDeps): () => Promise<void> {
  let silentSinceMs: number | undefined;
  let looksBefore = deps.looks();
  let rebuilt = false;
  const isSilent = async () => {
    const looks = deps.looks();
    const idle = looks === looksBefore && !deps.isFull();
    looksBefore = looks;
    return idle && (await deps.storesAnswer()) && (await deps.hasDueWork()) && !(await deps.isPaused());
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
