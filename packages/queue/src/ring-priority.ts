/** Tickets that one ringer lets go first in a second: of one endpoint, event or event type, and of one workspace. */
type Shares = { ofPart: number; ofWorkspace: number };

// So few that only single ones go first: what stands there is looked at in the order of its coming.
const DELIVERY_SHARES: Shares = { ofPart: 10, ofWorkspace: 20 };
// More, because those of one place in the queue share a job.
const EVENT_SHARES: Shares = { ofPart: 100, ofWorkspace: 200 };
const WINDOW_MS = 1_000;
/** Keys counted in a window at most; past that, nobody new is counted before the next. */
const MOST_COUNTED = 20_000;
/** BullMQ's least urgent priority. */
const LEAST_URGENT = 2_097_152;

/**
 * The place of a ticket in its queue: 0, which goes before all others, within a first share; then one step back for
 * each further share. A flood thus never stands in front of another's single ticket, and two floods take turns.
 */
export function priorityOf(counted: Shares, shares: Shares): number {
  const steps = stepsOver(counted.ofPart, shares.ofPart) + stepsOver(counted.ofWorkspace, shares.ofWorkspace);
  return Math.min(steps, LEAST_URGENT);
}

/** Gives each ticket its priority by what this ringer rang within the last second. */
export function createRingPriority(monotonicMs: () => number) {
  const ofDeliveries = createCounter(DELIVERY_SHARES, monotonicMs);
  const ofEvents = createCounter(EVENT_SHARES, monotonicMs);
  return {
    ofDelivery: ({
      endpointId,
      eventId,
      workspaceId,
    }: Record<'endpointId' | 'eventId' | 'workspaceId', string>): number =>
      ofDeliveries([endpointId, eventId], workspaceId),
    ofEvent: ({ eventType, workspaceId }: Record<'eventType' | 'workspaceId', string>): number =>
      ofEvents([`${workspaceId} ${eventType}`], workspaceId),
  };
}

function createCounter(shares: Shares, monotonicMs: () => number) {
  let countedFrom = Number.NEGATIVE_INFINITY;
  const parts = new Map<string, number>();
  const workspaces = new Map<string, number>();
  return (ofParts: readonly string[], workspace: string): number => {
    const now = monotonicMs();
    if (now - countedFrom >= WINDOW_MS) {
      countedFrom = now;
      parts.clear();
      workspaces.clear();
    }
    const ofPart = Math.max(...ofParts.map((part) => count(parts, part)));
    // What one part sends over its share, or one event to many endpoints, is not held against its workspace's others.
    const counts = ofPart <= shares.ofPart;
    const ofWorkspace = counts ? count(workspaces, workspace) : (workspaces.get(workspace) ?? 0);
    return priorityOf({ ofPart, ofWorkspace }, shares);
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
