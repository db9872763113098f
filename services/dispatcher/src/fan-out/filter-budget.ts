import { setTimeout } from 'node:timers/promises';
import type { WaitingEvent } from './plan.ts';

/** The filters of 5,000 endpoints usually take about 10 ms. The time to parse the event does not count for it. */
const MAX_MS = 20;
/**
 * Parsing the payloads of the workspaces of one owner and matching their filters may take this long in a batch. 100 events to 250
 * endpoints with usual filters take 50 ms. One filter of a large payload may take hundreds of milliseconds, and counts
 * as 5 ms for the limit of its event.
 */
const MAX_MS_OF_OWNER = 250;

/**
 * The time that a batch spends on filters. An event whose filters take longer is fanned out in isolation, where it delays
 * no other event. The other filtered events of the owner's workspaces are left to later batches, so that an owner with many
 * such events spends this time once in a batch. They are also left to later batches when the events of the owner have taken
 * long together.
 */
export type FilterBudget = {
  /** The time for the filters of one event. */
  maxMs: number;
  /** Whether the event is left out. It is then in `slow` or in `later`. */
  isSkipped(event: WaitingEvent): boolean;
  /** Notes that the filters of the event take longer than the time. */
  isolate(event: WaitingEvent): void;
  /** Notes that the filters of the event do not fit into the memory of this batch. */
  postpone(event: WaitingEvent): void;
  /** Notes that the event waits in its order behind one of `slow`. */
  holdBehindSlow(event: WaitingEvent): void;
  /** Counts the time to parse an event, and that of its filters or of one page of them. */
  spend(event: WaitingEvent, ms: number): void;
  /** How the matching pauses. When undefined, a pause lets other work of the process run once. */
  pause: ((heldMs: number) => Promise<void>) | undefined;
  /** By event id: events to be fanned out in isolation. */
  slow: ReadonlyMap<string, WaitingEvent>;
  /** By event id: events to be fanned out in a later batch. */
  later: ReadonlyMap<string, WaitingEvent>;
  /** By event id, to be fanned out after an event of `slow`. */
  behindSlow: ReadonlyMap<string, WaitingEvent>;
};

/** The matching of an isolated event pauses for this many times as long as it ran: it takes a quarter of the process. */
const PAUSE_FACTOR = 3;

/**
 * An isolated event, for which `endTurn` is given, has no limit. `endTurn` is called at each pause, and resolves when
 * it is the event's turn again.
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
  /** A wide event goes on with its next page, and an event is matched again after a change of its routing. */
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
