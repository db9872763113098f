import type { TakeOver } from '@posthorn/ledger/claim';
import type { Clock } from '@posthorn/runtime/clock';

/**
 * What this process knows of the times in which Postgres did not answer. Leases end meanwhile, and their results wait in
 * their processes to be written. So nobody takes such leases over until all had a second to write.
 */
export type Outage = {
  /** Postgres has answered a statement. The rounds for scheduled events ask four times a second. */
  answered(): void;
  /** How often Postgres was away for 10 s or longer. */
  absences(): number;
  /** Results could not be written, and are kept. Call the function that is returned once they are written. */
  keepResults(): () => void;
  /** Which leases a claim takes over that is sent now. */
  takeOver(): TakeOver;
};

/** Without an answer for so long, Postgres was away. */
const AWAY_MS = 1_000;
/** An absence of 30 s may look shorter from here. */
const LONG_AWAY_MS = 10_000;
/** Longer than the longest wait between two tries to settle (`TIMING.settleLongestWaitMs`), and a statement. */
const WRITE_WITHIN_MS = 1_000;
/** How far this process' reading of Postgres' clock may be behind, and what a claim takes to arrive. */
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
      // A claim that Postgres runs much later was sent before an outage.
      return { endedBy: new Date(clock.now().getTime() + MARGIN_MS), againInMs: 0 };
    },
  };
}
