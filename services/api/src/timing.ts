/** How long the API waits, in milliseconds. These are the values of production; a test may shorten them. */
export const TIMING = {
  /** The time to close everything at a stop. */
  stopDeadlineMs: 15_000,
  /** At a stop, the time after which tests and examinations are answered without a result. A second later, connections are cut. */
  probesEndWithinMs: 7_000,
  /** Until the next try to make the first workspace, if Postgres was away or not migrated yet. */
  bootstrapAgainMs: 1_000,
  partitionsEveryMs: 3_600_000,
  /** Until the next round, after one in which a partition could not be made. */
  partitionsAgainMs: 60_000,
  /** The look-up of a name when an endpoint is saved. */
  lookupMs: 2_000,
  /** How often the times at which credentials were used are written, all together. */
  lastUsedEveryMs: 5_000,
  /** The time in which a dispatcher must begin a test or an examination of an endpoint. */
  probeBeginsWithinMs: 20_000,
  /** A whole examination of an endpoint, with the way of its reply. */
  examinationMs: 60_000,
};

export type Timing = typeof TIMING;
