/** How long attempts stay in places that they share. */
export type Stay = {
  began(nowMs: number): void;
  /** `lastedMs` is left out for what was no attempt in the end. */
  ended(nowMs: number, lastedMs?: number): void;
  /** The average of those that have ended, the latest weighing most. */
  averageMs(): number;
  /**
   * What one now inside is expected to last: the average, or the time for which none has ended, if that is longer. 500
   * that hang end only at their timeouts; until then the average tells of those that came before them.
   */
  expectedMs(nowMs: number): number;
};

/** `firstMs` is what one is taken to last before any has ended; the latest has a `weight` of the average. */
export function createStay({ firstMs, weight }: { firstMs: number; weight: number }): Stay {
  let averageMs = firstMs;
  let inside = 0;
  let noneEndedSinceMs = 0;
  return {
    began(nowMs) {
      if (inside === 0) noneEndedSinceMs = nowMs;
      inside += 1;
    },
    ended(nowMs, lastedMs = averageMs) {
      inside -= 1;
      noneEndedSinceMs = nowMs;
      averageMs += weight * (lastedMs - averageMs);
    },
    averageMs: () => averageMs,
    expectedMs: (nowMs) => (inside === 0 ? averageMs : Math.max(averageMs, nowMs - noneEndedSinceMs)),
  };
}
