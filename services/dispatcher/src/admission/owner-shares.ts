import type { Clock } from '@posthorn/runtime/clock';

/** An owner counts as requesting slots for this long after its last request. */
const WANTS_MS = 5_000;

/** The slots that an owner holds: all slots, and the slots of attempts that may hang. */
export type HeldSlots = { all: number; uncertain: number };

const NONE: HeldSlots = { all: 0, uncertain: 0 };

/**
 * Counts the slots that the workspaces of each owner hold together, and tells whether another owner requests slots.
 * Otherwise a person with three workspaces would have three shares.
 */
export function createOwnerShares(clock: Clock) {
  const held = new Map<string, HeldSlots>();
  let latest = { ownerId: '', requestedAtMs: Number.NEGATIVE_INFINITY };
  let latestOther = latest;
  return {
    // The two owners with the latest requests are enough: at least one of them is not the given owner.
    requested(ownerId: string): void {
      if (ownerId !== latest.ownerId) latestOther = latest;
      latest = { ownerId, requestedAtMs: clock.monotonicMs() };
    },
    othersWant(ownerId: string): boolean {
      const other = latest.ownerId === ownerId ? latestOther : latest;
      return clock.monotonicMs() - other.requestedAtMs < WANTS_MS;
    },
    heldBy: (ownerId: string): HeldSlots => held.get(ownerId) ?? NONE,
    /** Adds the slots of an attempt that begins, or with -1 removes the slots of an attempt that ends. */
    count(ownerId: string, by: 1 | -1, uncertain: 0 | 1): void {
      const before = held.get(ownerId) ?? NONE;
      const all = before.all + by;
      if (all === 0) held.delete(ownerId);
      else held.set(ownerId, { all, uncertain: before.uncertain + by * uncertain });
    },
  };
}
