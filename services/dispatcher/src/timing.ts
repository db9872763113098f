import { TAKE_OVER } from '@posthorn/queue/consumer';

/** How long the dispatcher waits, in milliseconds. These are the production values. A test may shorten them. */
export const TIMING = {
  /** When this time ends, attempts in progress are aborted, and their leases are released. */
  drainWindowMs: 25_000,
  /** The time to release leases and to close, within the stop deadline. */
  abortWindowMs: 2_500,
  /** The time to close everything at a stop. */
  stopDeadlineMs: 29_000,
  /** When the jobs of a dead worker are taken over. */
  takeOver: TAKE_OVER,
  /** The time between two looks for due work (watch.ts). */
  lookEveryMs: 250,
  /** The time between two rounds of a watchdog. */
  watchdogEveryMs: 5_000,
  /** How long a watchdog's round waits for Postgres. */
  watchdogPostgresMs: 4_000,
  /**
   * After this time without progress on due work, a watchdog replaces the consumer. Longer than it takes to rerun the
   * jobs of a dead worker, and longer than a statement may take.
   */
  watchdogReplacesAfterMs: 30_000,
  /** After this time without progress, a watchdog ends the process. */
  watchdogGivesUpAfterMs: 60_000,
  /**
   * The time limit of one try to settle. A try that timed out may still commit. A repeated settle writes nothing twice.
   */
  settleTryMs: 40_000,
  /** The wait before a failed settle is tried again. It doubles with each try, up to `settleLongestWaitMs`. */
  settleFirstWaitMs: 100,
  settleLongestWaitMs: 500,
  /** How long a first alert waits for others of its kind, so that one message names all endpoints. */
  gatherAlertsMs: 5_000,
  /** How long successes that change no breaker are gathered, to be written together. */
  settleGatherMs: 1_000,
};

export type Timing = typeof TIMING;
