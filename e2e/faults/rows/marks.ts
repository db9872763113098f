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
