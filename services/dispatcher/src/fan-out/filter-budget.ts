import type { WaitingEvent } from './plan.ts';

/** 5,000 endpoints with usual filters take about 10 ms. */
const MOST_MS = 20;

/**
 * The time that a batch spends on filters. An event whose filters take longer is fanned out in isolation, where it delays
 * no other event. The other filtered events of its workspace are left to later batches, so that a workspace with many
 * such events spends this time once in a batch.
 */
export type FilterBudget = {
  /** The time for the filters of one event. */
  mostMs: number;
  /** Whether the event is left out. It is then in `slow` or in `later`. */
  isLeft(event: WaitingEvent): boolean;
  /** Notes that the filters of the event take longer. */
  leave(event: WaitingEvent): void;
  /** By event id, to be fanned out in isolation. */
  slow: ReadonlyMap<string, WaitingEvent>;
  /** By event id, to be fanned out in a later batch. */
  later: ReadonlyMap<string, WaitingEvent>;
};

/** An isolated event has no limit. */
export function createFilterBudget({ isIsolated }: { isIsolated: boolean }): FilterBudget {
  const slow = new Map<string, WaitingEvent>();
  const later = new Map<string, WaitingEvent>();
  const workspaceIds = new Set<string>();
  return {
    mostMs: isIsolated ? Number.POSITIVE_INFINITY : MOST_MS,
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
