/** The limits that an endpoint's owner sets (`rateLimit`, `maxConcurrency`), for all dispatchers together. */
export type Throttle = {
  /**
   * Takes a time in an endpoint's rate that is free now, unless deliveries wait in the endpoint's line. Otherwise the
   * delivery must enter the line. With `passes`, the delivery waits only for the line: the rate still counts it, so
   * that others wait longer. Rejects while its server is away.
   */
  takeTime(endpointId: string, rate: RateLimit, options?: { passes: boolean }): Promise<TimeTaken>;
  /**
   * Reserves the next times in the rate, at most `most`, and none later than `aheadMs` from now, for deliveries in the
   * line, in order. With `most: 0` it only returns the next one. A turn that begins late gets times that have passed,
   * whose waits are negative. Rejects while its server is away.
   */
  reserveTimes(endpointId: string, rate: RateLimit, options: { most: number; aheadMs: number }): Promise<Times>;
  /**
   * Reports how late a request was. If that exceeds the slack of `pace`, later requests keep their distance from it.
   */
  tellLate(endpointId: string, rate: RateLimit, lateMs: number): void;
  /** Remembers for this long that deliveries wait in the endpoint's line, so that no new one passes them. */
  markLine(endpointId: string, forMs: number): void;
  /** Forgets the mark, because the line is empty. */
  forgetLine(endpointId: string): void;
  /**
   * Takes one of the endpoint's slots for running attempts. False if all are taken, or if others wait in the line and
   * it is not the line's turn. Rejects while its server is away.
   */
  takeSlot(endpointId: string, slot: Slot): Promise<boolean>;
  /**
   * Releases the slot. A slot that is not released becomes free when its lease ends. Returns whether others wait in the
   * line.
   */
  releaseSlot(endpointId: string, holder: string): Promise<boolean>;
  close(): void;
};

export type RateLimit = { limit: number; periodSeconds: number };
/** With `isTurn`, the delivery passes those that wait in the line. */
export type Slot = { holder: string; max: number; leaseMs: number; isTurn?: boolean };
export type TimeTaken = { kind: 'now' } | { kind: 'wait'; waitMs: number };
/** The waits until the reserved times, and until the next free time after them. */
export type Times = { waitsMs: number[]; nextMs: number };

/**
 * No time further ahead is reserved, so that from this long after a change of the limit, no request is sent under the
 * old one.
 */
export const MAX_AHEAD_MS = 1_000;

/** The share by which the period is longer, so that a request may be a little later than its time. */
const SLACK = 0.015;
/** The share of the limit that may be sent at once. */
const AT_ONCE = 0.01;

type Pace = Record<'intervalMs' | 'toleranceMs' | 'slackMs' | 'passedMs', number>;

/**
 * The interval between requests, the allowed burst (as the time by which the rate may be used ahead), and the time by
 * which a request may be late without any period having more than the limit. In the long run, the rate is at most 2.5 %
 * below the limit. `passedMs`: a line's turn may take times that passed this recently, so that its requests have the
 * rest of the slack. Without it, each turn that begins late would lower the rate.
 */
export function pace({ limit, periodSeconds }: RateLimit): Pace {
  const atOnce = 1 + Math.floor(limit * AT_ONCE);
  const slackMs = periodSeconds * 1_000 * SLACK;
  const intervalMs = (periodSeconds * 1_000 + slackMs) / (limit - atOnce + 1);
  return { intervalMs, toleranceMs: (atOnce - 1) * intervalMs, slackMs, passedMs: Math.min(slackMs / 2, MAX_AHEAD_MS) };
}
