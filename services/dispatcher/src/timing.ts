/** How long the dispatcher waits, in milliseconds. These are the values of production; a test may shorten them. */
export const TIMING = {
  /** Attempts that are still under way when this time ends are aborted, and their leases are released. */
  drainWindowMs: 25_000,
  /** The time to release leases and to close, within the stop deadline. */
  abortWindowMs: 2_500,
  /** The time to close everything at a stop. */
  stopDeadlineMs: 29_000,
};

export type Timing = typeof TIMING;
