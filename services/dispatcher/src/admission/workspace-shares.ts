import type { Clock } from '@posthorn/runtime/clock';

type Workspace = { workspaceId: string };

/** A workspace counts as requesting slots for this long after its last request. */
const WANTS_MS = 5_000;

/** Counts the slots that slow endpoints of each workspace hold, and tells whether another workspace requests slots. */
export function createWorkspaceShares(clock: Pick<Clock, 'monotonicMs'>) {
  const slowInFlight = new Map<string, number>();
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
    slowInFlight: ({ workspaceId }: Workspace): number => slowInFlight.get(workspaceId) ?? 0,
    count({ workspaceId }: Workspace, by: number): void {
      const held = (slowInFlight.get(workspaceId) ?? 0) + by;
      if (held === 0) slowInFlight.delete(workspaceId);
      else slowInFlight.set(workspaceId, held);
    },
  };
}
