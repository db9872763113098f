import type { ReadPart } from '@posthorn/destinations/source-kind';

/** Where a partition is read on. */
export type SourcePlace = { topic: string; partition: number; offset: bigint };
/** The places by the names of their partitions. */
export type Places = Map<string, SourcePlace>;

export const nameOf = ({ topic, partition }: Omit<SourcePlace, 'offset'>): string => `${topic}/${partition}`;

/** The partitions of a source whose next batch cannot be read. */
export type StuckPartitions = {
  /** The places to ask about now: all but those that are stuck and were tried a short time ago. */
  leaveOut(places: Places, nowMs: number): SourcePlace[];
  /** When the first of them is to be tried again. */
  untilMs(): number;
  /** Called after the records of these parts were stored, as far as they could be. */
  note(parts: readonly ReadPart[], places: Places, nowMs: number): void;
  /** Forgets those that have moved. */
  compare(places: Places): void;
  /** The state of the source: `failing` while a partition is stuck, because it stays stuck until somebody seeks. */
  stateOr<State>(state: State): State | { status: 'failing'; error: string };
};

/** A stuck partition is tried again after a pause that depends on the number of failed tries. The others do not wait. */
export function createStuckPartitions(pauseMs: (faults: number) => number): StuckPartitions {
  const stuck = new Map<string, { offset: bigint; faults: number; untilMs: number; message: string }>();
  const compare = (places: Places) => {
    for (const [name, { offset }] of stuck) if (places.get(name)?.offset !== offset) stuck.delete(name);
  };
  return {
    leaveOut: (places, nowMs) =>
      [...places].filter(([name]) => (stuck.get(name)?.untilMs ?? nowMs) <= nowMs).map(([, place]) => place),
    untilMs: () => Math.min(...[...stuck.values()].map(({ untilMs }) => untilMs)),
    note(parts, places, nowMs) {
      compare(places);
      for (const { fault, next: offset, ...part } of parts) {
        const name = nameOf(part);
        // With a quota that is used up, it is not there yet.
        if (fault === undefined || places.get(name)?.offset !== offset) continue;
        const faults = (stuck.get(name)?.faults ?? 0) + 1;
        stuck.set(name, { offset, faults, untilMs: nowMs + pauseMs(faults), message: fault.message });
      }
    },
    compare,
    stateOr(state) {
      const [first] = stuck.values();
      return first === undefined ? state : { status: 'failing', error: first.message };
    },
  };
}
