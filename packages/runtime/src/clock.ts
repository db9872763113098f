/** The one source of time. Everything that needs an instant or a span is given a Clock, so that tests can move it. */
export type Clock = {
  /** The present instant. */
  now(): Date;
  /** Milliseconds on a clock that never goes back; only differences mean something. */
  monotonicMs(): number;
};

/** The host's wall clock. What is stored, sent or judged by time uses a StoreClock. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};

/** A reading of another clock: at `atMs` of the monotonic clock it was `instantMs`, give or take `errorMs`. */
export type ClockReading = { instantMs: number; atMs: number; errorMs: number };

/** A clock that goes by another one's readings (Postgres', so that all processes agree) and the monotonic clock. */
export type StoreClock = Clock & {
  adopt(reading: ClockReading): void;
  /** Milliseconds by which this clock is ahead of the host's wall clock. */
  aheadOfWallMs(): number;
};

/**
 * The wall clock is read once, for the time until the first reading; what it does later does not matter. A reading that
 * agrees within its error changes nothing, so that the clock does not tremble.
 */
export function createStoreClock({ now, monotonicMs }: Clock = systemClock): StoreClock {
  let startedAtMs = now().getTime() - monotonicMs();
  const nowMs = () => startedAtMs + monotonicMs();
  return {
    now: () => new Date(nowMs()),
    monotonicMs,
    adopt({ instantMs, atMs, errorMs }) {
      const behindMs = instantMs - (startedAtMs + atMs);
      if (Math.abs(behindMs) > errorMs) startedAtMs += behindMs;
    },
    aheadOfWallMs: () => nowMs() - now().getTime(),
  };
}
