import type { TakeOver } from '@posthorn/ledger/claim';
import type { Clock } from '@posthorn/runtime/clock';

/**
 * What this process knows about the times when Postgres did not answer. Leases end meanwhile, and their results wait in
 * their processes to be written. So nobody takes over such leases until every process has had a second to write.
 */
export type Outage = {
  /** Called when Postgres has answered a statement. The rounds for scheduled events ask four times a second. */
  answered(): void;
  /** How often Postgres was away for 10 s or longer. */
  absences(): number;
  /** Called when results could not be written, and are kept. Call the returned function once they are written. */
  keepResults(): () => void;
  /** Which leases a claim that is sent now takes over. */
  takeOver(): TakeOver;
};

/** The time without an answer after which Postgres counts as away. */
const AWAY_MS = 1_000;
/** An absence of 30 s may look shorter from this process. */
const LONG_AWAY_MS = 10_000;
/** Longer than the longest wait between two tries to settle (`TIMING.settleLongestWaitMs`) plus a statement. */
const WRITE_WITHIN_MS = 1_000;
/** How far this process's reading of Postgres' clock may be behind, plus the time for a claim to arrive. */
const MARGIN_MS = 500;

export function createOutage(clock: Clock): Outage {
  let answeredAtMs: number | undefined;
  let endedAtMs = Number.NEGATIVE_INFINITY;
  let kept = 0;
  let absences = 0;
  return {
    absences: () => absences,
    answered() {
      const nowMs = clock.monotonicMs();
      const awayMs = nowMs - (answeredAtMs ?? nowMs);
      if (awayMs > AWAY_MS) endedAtMs = nowMs;
      if (awayMs >= LONG_AWAY_MS) absences += 1;
      answeredAtMs = nowMs;
    },
    keepResults() {
      kept += 1;
      return () => {
        kept -= 1;
      };
    },
    takeOver() {
      const leftMs = endedAtMs + WRITE_WITHIN_MS - clock.monotonicMs();
      if (kept > 0) return { endedBy: null, againInMs: WRITE_WITHIN_MS };
      if (leftMs > 0) return { endedBy: null, againInMs: Math.ceil(leftMs) };
      // If Postgres runs the claim much later, the claim was sent before an outage.
      return { endedBy: new Date(clock.now().getTime() + MARGIN_MS), againInMs: 0 };
    },
  };
}
