import { setTimeout } from 'node:timers/promises';
import type { WaitingEvent } from './plan.ts';

/** The filters of 5,000 endpoints usually take about 10 ms. */
const MOST_MS = 20;

/**
 * The time that a batch spends on filters. An event whose filters take longer is fanned out in isolation, where it delays
 * no other event. The other events of its workspace that have filters are left to later batches. So a workspace with
 * many such events uses this time only once in a batch.
 */
export type FilterBudget = {
  /** The time for the filters of one event. */
  mostMs: number;
  /** Whether the event is left out. It is then in `slow` or in `later`. */
  isLeft(event: WaitingEvent): boolean;
  /** Notes that the filters of the event take longer than the time. */
  leave(event: WaitingEvent): void;
  /** The pause between parts of the matching. Undefined: other work of the process runs once. */
  pause: ((heldMs: number) => Promise<void>) | undefined;
  /** By event id: events to be fanned out in isolation. */
  slow: ReadonlyMap<string, WaitingEvent>;
  /** By event id: events to be fanned out in a later batch. */
  later: ReadonlyMap<string, WaitingEvent>;
};

/** The matching of an isolated event pauses for this many times as long as it ran: it takes a quarter of the process. */
const PAUSES = 3;

/**
 * An isolated event, for which `endTurn` is given, has no limit. `endTurn` is called at each pause, and resolves when
 * it is the event's turn again.
 */
export function createFilterBudget(endTurn?: () => Promise<void>): FilterBudget {
  const slow = new Map<string, WaitingEvent>();
  const later = new Map<string, WaitingEvent>();
  const workspaceIds = new Set<string>();
  return {
    mostMs: endTurn === undefined ? MOST_MS : Number.POSITIVE_INFINITY,
    pause: endTurn === undefined ? undefined : (heldMs) => setTimeout(heldMs * PAUSES).then(endTurn),
    isLeft({ eventId, group }) {
      if (!workspaceIds.has(group.workspaceId)) return false;
      if (!slow.has(eventId)) later.set(eventId, { eventId, group });
      return true;
    },
    leave({ eventId, group }) {
      slow.set(eventId, { eventId, group });
      workspaceIds.add(group.workspaceId);
    },
    slow,
    later,
  };
}
