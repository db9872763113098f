import type { DayUsage } from './quota-usage.ts';

type Amounts = { events: number; bytes: number };

/**
 * The events of this process that no read of the usage includes yet. Counts that are being written stay in it until the
 * write and the read after it have ended. Its size is limited by the number of workspaces.
 */
export type Tally = {
  add(workspaceId: string, day: string, bytes: number): void;
  /** The events of this day, and the bytes of all days. */
  of(workspaceId: string, day: string): Amounts;
  /** Returns all counts, for writing. */
  beginWrite(): DayUsage[];
  /** Forgets the written counts. Keeps `unwritten` for the next write. */
  endWrite(unwritten: readonly DayUsage[]): void;
};

type Counts = Map<string, DayUsage[]>;

export function createTally(): Tally {
  let counts: Counts = new Map();
  let beingWritten: Counts = new Map();
  const add = ({ workspaceId, day, events, bytes }: DayUsage) => {
    const days = counts.get(workspaceId) ?? [];
    if (days.length === 0) counts.set(workspaceId, days);
    const known = days.find((one) => one.day === day);
    if (known === undefined) {
      days.push({ workspaceId, day, events, bytes });
    } else {
      known.events += events;
      known.bytes += bytes;
    }
  };
  return {
    add: (workspaceId, day, bytes) => add({ workspaceId, day, events: 1, bytes }),
    of(workspaceId, day) {
      const amounts = { events: 0, bytes: 0 };
      for (const one of [...(counts.get(workspaceId) ?? []), ...(beingWritten.get(workspaceId) ?? [])]) {
        amounts.bytes += one.bytes;
        if (one.day === day) amounts.events += one.events;
      }
      return amounts;
    },
    beginWrite() {
      beingWritten = counts;
      counts = new Map();
      return [...beingWritten.values()].flat();
    },
    endWrite(unwritten) {
      beingWritten = new Map();
      for (const one of unwritten) add(one);
    },
  };
}
