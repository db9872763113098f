import type { Clock } from '@posthorn/runtime/clock';

/** How long after its last request an owner still counts as requesting slots. */
const WANTS_MS = 5_000;

/** The slots that an owner holds: all of them, and those of attempts that may hang. */
export type HeldSlots = { all: number; uncertain: number };

const NONE: HeldSlots = { all: 0, uncertain: 0 };

/**
 * Counts the slots that all workspaces of an owner hold together, and knows whether another owner requests slots.
 * Without this, a person with three workspaces would have three shares.
 */
export function createOwnerShares(clock: Clock) {
  const held = new Map<string, HeldSlots>();
  let latest = { ownerId: '', requestedAtMs: Number.NEGATIVE_INFINITY };
  let latestOther = latest;
  return {
    // Remembering the two owners with the latest requests is enough: at least one of them is not the given owner.
    requested(ownerId: string): void {
      if (ownerId !== latest.ownerId) latestOther = latest;
      latest = { ownerId, requestedAtMs: clock.monotonicMs() };
    },
    othersWant(ownerId: string): boolean {
      const other = latest.ownerId === ownerId ? latestOther : latest;
      return clock.monotonicMs() - other.requestedAtMs < WANTS_MS;
    },
    heldBy: (ownerId: string): HeldSlots => held.get(ownerId) ?? NONE,
    /** With 1, adds the slots of an attempt that begins; with -1, removes those of an attempt that ends. */
    count(ownerId: string, by: 1 | -1, uncertain: 0 | 1): void {
      const before = held.get(ownerId) ?? NONE;
      const all = before.all + by;
      if (all === 0) held.delete(ownerId);
      else held.set(ownerId, { all, uncertain: before.uncertain + by * uncertain });
    },
  };
}
