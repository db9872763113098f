import { setTimeout } from 'node:timers/promises';
import type { WaitingEvent } from './plan.ts';

/**
 * The time limit for an event's filters, not counting the time to parse the event. The filters of 5,000 endpoints
 * usually take about 10 ms.
 */
const MAX_MS = 20;
/**
 * How long a batch may take to parse payloads and match filters for all workspaces of one owner. 100 events to 250
 * endpoints with usual filters take 50 ms. One filter of a large payload may take hundreds of milliseconds, and counts
 * as 5 ms for the limit of its event.
 */
const MAX_MS_OF_OWNER = 250;

/**
 * The time that a batch spends on filters. An event whose filters take too long is fanned out in isolation, where it
 * delays no other event. Then the other filtered events of its owner's workspaces are left to later batches, so that an
 * owner with many such events spends this time once in a batch. They are also left to later batches if the owner's
 * events have taken long together.
 */
export type FilterBudget = {
  /** The time limit for the filters of one event. */
  maxMs: number;
  /** Whether the event is left out. It is then in `slow` or in `later`. */
  isSkipped(event: WaitingEvent): boolean;
  /** Notes that the filters of the event exceed the time limit. */
  isolate(event: WaitingEvent): void;
  /** Notes that the filters of the event do not fit into this batch's memory. */
  postpone(event: WaitingEvent): void;
  /** Notes that the event waits in its order behind an event in `slow`. */
  holdBehindSlow(event: WaitingEvent): void;
  /** Counts the time to parse an event, and to match its filters or one page of them. */
  spend(event: WaitingEvent, ms: number): void;
  /** How the matching pauses. If undefined, a pause lets other work of the process run once. */
  pause: ((heldMs: number) => Promise<void>) | undefined;
  /** By event id: events to fan out in isolation. */
  slow: ReadonlyMap<string, WaitingEvent>;
  /** By event id: events to fan out in a later batch. */
  later: ReadonlyMap<string, WaitingEvent>;
  /** By event id: events to fan out after an event in `slow`. */
  behindSlow: ReadonlyMap<string, WaitingEvent>;
};

/**
 * The matching of an isolated event pauses for this multiple of the time that it ran, so that it takes a quarter of the
 * process.
 */
const PAUSE_FACTOR = 3;

/**
 * An isolated event, for which `endTurn` is given, has no limit. `endTurn` is called at each pause, and resolves when
 * the event's turn comes again.
 */
export function createFilterBudget(
  ownerOf: (workspaceId: string) => string,
  endTurn?: () => Promise<void>,
): FilterBudget {
  const slow = new Map<string, WaitingEvent>();
  const later = new Map<string, WaitingEvent>();
  const behindSlow = new Map<string, WaitingEvent>();
  const owners = new Set<string>();
  const spentMs = new Map<string, number>();
  /**
   * Allow events that have begun: a wide event goes on with its next page, and an event is matched again after a change
   * of its routing.
   */
  const begun = new Set<string>();
  const hasSpent = ({ eventId, group: { workspaceId } }: WaitingEvent) =>
    endTurn === undefined && !begun.has(eventId) && (spentMs.get(ownerOf(workspaceId)) ?? 0) > MAX_MS_OF_OWNER;
  return {
    maxMs: endTurn === undefined ? MAX_MS : Number.POSITIVE_INFINITY,
    pause: endTurn === undefined ? undefined : (heldMs) => setTimeout(heldMs * PAUSE_FACTOR).then(endTurn),
    isSkipped(event) {
      const { eventId, group } = event;
      if (!owners.has(ownerOf(group.workspaceId)) && !hasSpent(event)) return false;
      if (!slow.has(eventId)) later.set(eventId, { eventId, group });
      return true;
    },
    isolate({ eventId, group }) {
      slow.set(eventId, { eventId, group });
      owners.add(ownerOf(group.workspaceId));
    },
    postpone({ eventId, group }) {
      later.set(eventId, { eventId, group });
    },
    holdBehindSlow({ eventId, group }) {
      later.delete(eventId);
      behindSlow.set(eventId, { eventId, group });
    },
    spend({ eventId, group: { workspaceId } }, ms) {
      begun.add(eventId);
      const ownerId = ownerOf(workspaceId);
      spentMs.set(ownerId, (spentMs.get(ownerId) ?? 0) + ms);
    },
    slow,
    later,
    behindSlow,
  };
}
