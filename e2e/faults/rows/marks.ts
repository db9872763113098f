import type { Receipt } from '../oracle.ts';
import type { Rig } from '../rig.ts';
import type { Mark } from '../row.ts';

/** Marks that every event got a response, and that none was a 5xx. */
export function noServerErrors(rig: Rig): Mark {
  const failed = rig.load.answers.filter(({ status }) => status >= 500 || status === 0);
  return { what: '5xx or no answer', value: failed.length, atMost: 0 };
}

/** Marks errors for faults in which a missing response and a 503 with Retry-After are allowed. */
export function otherErrors(rig: Rig): Mark {
  const other = rig.load.answers.filter(({ status, retryAfter }) => status >= 500 && (status !== 503 || !retryAfter));
  return { what: '5xx but 503 with Retry-After', value: other.length, atMost: 0 };
}

export type InFlight = { note: () => Promise<void>; count: () => number };

/**
 * Counts the claims in flight at several moments. A claim that lasts over several moments, such as that of a dead
 * process, counts once.
 */
export function createInFlight(rig: Rig): InFlight {
  const claims = new Set<string>();
  return {
    async note() {
      for (const claim of await rig.claims()) claims.add(claim);
    },
    count: () => claims.size,
  };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Marks that no process has ended by itself: each is still in the life that the rig or the row began. */
export function noneEnded(rig: Rig): Mark {
  const ended = sum([...rig.apis, ...rig.dispatchers].map(({ exits }) => exits.length));
  return { what: 'processes ended', value: ended, atMost: 0 };
}

/** The ms from this moment to the first request for which `counts` is true; Infinity if there is none. */
export function resumedAfter(rig: Rig, fromMs: number, counts: (receipt: Receipt) => boolean): number {
  const first = rig.receivers.receipts.find((receipt) => receipt.atMs >= fromMs && counts(receipt));
  return first === undefined ? Number.POSITIVE_INFINITY : first.atMs - fromMs;
}

/** Whether the event was accepted after this moment. A delivery that was already under way would need no claim. */
export function isNew(rig: Rig, receipt: Receipt, afterMs: number): boolean {
  const event = rig.load.sent.find(({ eventId }) => eventId === receipt.eventId);
  return (event?.acceptedAtMs ?? 0) > afterMs;
}
