import type { Receipt } from '../oracle.ts';
import type { Rig } from '../rig.ts';
import type { Mark } from '../row.ts';

/** Every answer to an event was no 5xx, and every event was answered. */
export function noServerErrors(rig: Rig): Mark {
  const failed = rig.load.answers.filter(({ status }) => status >= 500 || status === 0);
  return { what: '5xx or no answer', value: failed.length, atMost: 0 };
}

export type InFlight = { note: () => Promise<void>; count: () => number };

/** Counts what was in flight at several moments: a claim that outlasts one of them, as a dead process' does, only once. */
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

/** Every process is in the life in which it began, or in which the row started it. */
export function noneEnded(rig: Rig): Mark {
  const ended = sum([...rig.apis, ...rig.dispatchers].map(({ exits }) => exits.length));
  return { what: 'processes ended', value: ended, atMost: 0 };
}

/** From this moment until the first request to an endpoint that counts; Infinity while there is none. */
export function resumedAfter(rig: Rig, fromMs: number, counts: (receipt: Receipt) => boolean): number {
  const first = rig.receivers.receipts.find((receipt) => receipt.atMs >= fromMs && counts(receipt));
  return first === undefined ? Number.POSITIVE_INFINITY : first.atMs - fromMs;
}

/** Whether its event was accepted after this moment: a delivery that was under way already needs no claim. */
export function isNew(rig: Rig, receipt: Receipt, afterMs: number): boolean {
  const event = rig.load.sent.find(({ eventId }) => eventId === receipt.eventId);
  return (event?.acceptedAtMs ?? 0) > afterMs;
}
