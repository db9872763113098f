import { TAKE_OVER } from '@posthorn/queue/consumer';

/** How long the dispatcher waits, in milliseconds. These are the values of production; a test may shorten them. */
export const TIMING = {
  /** Attempts that are still under way when this time ends are aborted, and their leases are released. */
  drainWindowMs: 25_000,
  /** The time to release leases and to close, within the stop deadline. */
  abortWindowMs: 2_500,
  /** The time to close everything at a stop. */
  stopDeadlineMs: 29_000,
  /** When the jobs of a dead worker are taken over. */
  takeOver: TAKE_OVER,
  /** Between two looks for due work (watch.ts). */
  lookEveryMs: 250,
  /** Between two rounds of a watchdog. */
  watchdogEveryMs: 5_000,
  /** How long a round of a watchdog waits for Postgres. */
  watchdogPostgresMs: 4_000,
  /**
   * Due work has made no progress for this long: a watchdog replaces the consumer. Longer than it takes to run the jobs
   * of a dead worker again, and longer than a statement may take.
   */
  watchdogReplacesAfterMs: 30_000,
  /** A watchdog ends the process. */
  watchdogGivesUpAfterMs: 60_000,
  /** One try to settle. A try that timed out may still commit. A repeated settle writes nothing twice. */
  settleTryMs: 40_000,
  /** Until a failed settle is tried again; it doubles with each try, up to `settleLongestWaitMs`. */
  settleFirstWaitMs: 100,
  settleLongestWaitMs: 500,
  /** How long a first alert waits for others of its kind: one message then names all endpoints. */
  gatherAlertsMs: 5_000,
  /** Successes that change no breaker are gathered, and written together. */
  settleGatherMs: 1_000,
};

export type Timing = typeof TIMING;
