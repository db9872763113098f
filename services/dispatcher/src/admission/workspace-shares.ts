import type { Clock } from '@posthorn/runtime/clock';

type Workspace = { workspaceId: string };

/** A workspace wants places for so long after its last ticket. */
const WANTS_MS = 5_000;

/** How many places each workspace's slow endpoints hold, and whether anybody else wants some. */
export function createWorkspaceShares(clock: Pick<Clock, 'monotonicMs'>) {
  const slowInside = new Map<string, number>();
  let latest = { workspaceId: '', seenAtMs: Number.NEGATIVE_INFINITY };
  let latestOther = latest;
  return {
    /** Two are remembered: for whichever workspace is asked about, the latest of all the others is one of them. */
    seen({ workspaceId }: Workspace): void {
      if (workspaceId !== latest.workspaceId) latestOther = latest;
      latest = { workspaceId, seenAtMs: clock.monotonicMs() };
    },
    othersWant({ workspaceId }: Workspace): boolean {
      const other = latest.workspaceId === workspaceId ? latestOther : latest;
      return clock.monotonicMs() - other.seenAtMs < WANTS_MS;
    },
    slowInside: ({ workspaceId }: Workspace): number => slowInside.get(workspaceId) ?? 0,
    count({ workspaceId }: Workspace, by: number): void {
      const held = (slowInside.get(workspaceId) ?? 0) + by;
      if (held === 0) slowInside.delete(workspaceId);
      else slowInside.set(workspaceId, held);
    },
  };
}
