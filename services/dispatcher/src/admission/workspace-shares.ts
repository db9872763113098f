import type { Clock } from '@posthorn/runtime/clock';

type Workspace = { workspaceId: string };

/** A workspace counts as requesting slots for this long after its last request. */
const WANTS_MS = 5_000;

/** The slots that a workspace holds: all, and those of attempts that may hang. */
export type HeldSlots = { all: number; uncertain: number };

const NONE: HeldSlots = { all: 0, uncertain: 0 };

/** Counts the slots that each workspace holds, and tells whether another workspace requests slots. */
export function createWorkspaceShares(clock: Pick<Clock, 'monotonicMs'>) {
  const held = new Map<string, HeldSlots>();
  let latest = { workspaceId: '', requestedAtMs: Number.NEGATIVE_INFINITY };
  let latestOther = latest;
  return {
    // The two workspaces with the latest requests are enough: one of them is another one than any given workspace.
    requested({ workspaceId }: Workspace): void {
      if (workspaceId !== latest.workspaceId) latestOther = latest;
      latest = { workspaceId, requestedAtMs: clock.monotonicMs() };
    },
    othersWant({ workspaceId }: Workspace): boolean {
      const other = latest.workspaceId === workspaceId ? latestOther : latest;
      return clock.monotonicMs() - other.requestedAtMs < WANTS_MS;
    },
    heldBy: ({ workspaceId }: Workspace): HeldSlots => held.get(workspaceId) ?? NONE,
    /** Adds the slots of an attempt that begins, or with -1 removes those of one that ends. */
    count({ workspaceId }: Workspace, by: 1 | -1, uncertain: 0 | 1): void {
      const before = held.get(workspaceId) ?? NONE;
      const all = before.all + by;
      if (all === 0) held.delete(workspaceId);
      else held.set(workspaceId, { all, uncertain: before.uncertain + by * uncertain });
    },
  };
}
