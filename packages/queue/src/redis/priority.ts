import type { DeliverJob } from '../jobs.ts';

/**
 * The number of jobs in a second to which a process gives the first priority, for one part (an endpoint, an event or an
 * event type) and for one workspace.
 */
type Shares = { ofPart: number; ofWorkspace: number };

// Low, so that only single jobs get the first priority. Jobs without a priority run in the order in which they were
// added.
const DELIVERY_SHARES: Shares = { ofPart: 10, ofWorkspace: 20 };
// More than for deliveries, because events of one priority share a job.
const EVENT_SHARES: Shares = { ofPart: 100, ofWorkspace: 200 };
const WINDOW_MS = 1_000;
/** The most keys counted in a window. Further keys are not counted until the next window. */
const MAX_COUNTED = 20_000;
/** BullMQ's lowest priority. It refuses a job with a higher number. */
export const LEAST_URGENT = 2_097_151;
/** Recovered deliveries begin here, after every flood of new ones. Among themselves they take turns in the same way. */
const FIRST_RECOVERED = 1_000_000;

/**
 * The priority of a job. Within the first share it is 0, before all others. For each further share it is one step
 * lower. So a flood never delays a single job of another workspace, and two floods alternate.
 */
export function priorityOf(counted: Shares, shares: Shares): number {
  const steps = stepsOver(counted.ofPart, shares.ofPart) + stepsOver(counted.ofWorkspace, shares.ofWorkspace);
  return Math.min(steps, LEAST_URGENT);
}

/** Computes each job's priority from the jobs that this process enqueued within the last second. */
export function createPriority(monotonicMs: () => number) {
  const ofDeliveries = createCounter(DELIVERY_SHARES, monotonicMs);
  const ofRecovered = createCounter(DELIVERY_SHARES, monotonicMs);
  const ofEvents = createCounter(EVENT_SHARES, monotonicMs);
  return {
    ofDelivery: ({ endpointId, eventId, workspaceId, recovered }: PrioritizedDelivery): number => {
      if (recovered !== true) return ofDeliveries([endpointId, eventId], workspaceId);
      return Math.min(FIRST_RECOVERED + ofRecovered([endpointId, eventId], workspaceId), LEAST_URGENT);
    },
    ofEvent: ({ eventType, workspaceId }: Record<'eventType' | 'workspaceId', string>): number =>
      ofEvents([`${workspaceId} ${eventType}`], workspaceId),
  };
}

type PrioritizedDelivery = Pick<DeliverJob, 'endpointId' | 'eventId' | 'workspaceId' | 'recovered'>;

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
    // Jobs of a part over its share, or of one event to many endpoints, do not count against the rest of the workspace.
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
  if (counted === undefined && counts.size >= MAX_COUNTED) return 0;
  const now = (counted ?? 0) + 1;
  counts.set(key, now);
  return now;
}
