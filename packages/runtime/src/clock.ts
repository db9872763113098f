/** The one source of time. Everything that needs an instant or a span is given a Clock, so that tests can move it. */
export type Clock = {
  /** The wall clock's instant. */
  now(): Date;
  /** Milliseconds on a clock that never goes back; only differences mean something. */
  monotonicMs(): number;
};

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
