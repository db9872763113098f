/** Tickets of one endpoint that one ringer lets go first in a second, and of one workspace. */
const ENDPOINT_SHARE = 100;
const WORKSPACE_SHARE = 200;
const WINDOW_MS = 1_000;
/** Keys counted in a window at most; past that, nobody new is counted before the next. */
const MOST_COUNTED = 20_000;
/** BullMQ's least urgent priority. */
const LEAST_URGENT = 2_097_152;

/**
 * The place of a ticket in its queue: 0, which goes before all others, within a first share; then one step back for
 * each further share. A flood thus never stands in front of another's single ticket, and two floods take turns.
 */
export function priorityOf({ ofEndpoint, ofWorkspace }: { ofEndpoint: number; ofWorkspace: number }): number {
  return Math.min(stepsOver(ofEndpoint, ENDPOINT_SHARE) + stepsOver(ofWorkspace, WORKSPACE_SHARE), LEAST_URGENT);
}

/** Gives each ticket its priority by what this ringer rang within the last second. */
export function createRingPriority(monotonicMs: () => number) {
  let countedFrom = Number.NEGATIVE_INFINITY;
  const endpoints = new Map<string, number>();
  const workspaces = new Map<string, number>();
  const startWindow = () => {
    const now = monotonicMs();
    if (now - countedFrom < WINDOW_MS) return;
    countedFrom = now;
    endpoints.clear();
    workspaces.clear();
  };
  return {
    ofDelivery({ endpointId, workspaceId }: { endpointId: string; workspaceId: string }): number {
      startWindow();
      const ofEndpoint = count(endpoints, endpointId);
      // What an endpoint sends over its share is not held against its workspace's other endpoints.
      const counts = ofEndpoint <= ENDPOINT_SHARE;
      const ofWorkspace = counts ? count(workspaces, workspaceId) : (workspaces.get(workspaceId) ?? 0);
      return priorityOf({ ofEndpoint, ofWorkspace });
    },
    ofEvent({ workspaceId }: { workspaceId: string }): number {
      startWindow();
      return priorityOf({ ofEndpoint: 0, ofWorkspace: count(workspaces, workspaceId) });
    },
  };
}

function stepsOver(count: number, share: number): number {
  return Math.max(0, Math.ceil(count / share) - 1);
}

function count(counts: Map<string, number>, key: string): number {
  const counted = counts.get(key);
  if (counted === undefined && counts.size >= MOST_COUNTED) return 0;
  const now = (counted ?? 0) + 1;
  counts.set(key, now);
  return now;
}
