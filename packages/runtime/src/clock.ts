/**
 * The only source of time. All code that needs an instant or a duration receives a Clock, so that tests can control it.
 */
export type Clock = {
  /** The current instant. */
  now(): Date;
  /** Milliseconds on a clock that never goes back. Only differences have a meaning. */
  monotonicMs(): number;
};

/** The host's wall clock. Times that are stored, sent or compared with stored ones come from a StoreClock. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};

/**
 * A reading of another clock: at `atMs` of the monotonic clock it showed `instantMs`, with an error of at most
 * `errorMs`.
 */
export type ClockReading = { instantMs: number; atMs: number; errorMs: number };

/**
 * A clock that follows the readings of another clock (Postgres', so that all processes agree) and the monotonic clock.
 */
export type StoreClock = Clock & {
  adopt(reading: ClockReading): void;
  /** Milliseconds by which this clock is ahead of the host's wall clock. */
  aheadOfWallMs(): number;
};

/**
 * Makes a clock that reads the wall clock once, for the time until the first reading. Later changes of the wall clock
 * have no effect. A reading that agrees within its error changes nothing, so that the clock does not jitter.
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
