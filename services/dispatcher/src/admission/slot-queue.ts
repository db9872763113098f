import type { SlotRequest } from './endpoint-load.ts';

/** Decides which waiting deliveries may take a free slot. */
export type FreeSlot = {
  /** Whether this request may take the slot, which may be kept for others. */
  isAllowed(request: SlotRequest): boolean;
  /** Whether only deliveries with jobs may take the slot. */
  isKeptForJobs: boolean;
};

/** The deliveries that wait for a slot of this process, in the order of their requests. */
export type SlotQueue = {
  /** The number of deliveries, with and without jobs, that wait because every slot was taken. */
  waitingForAny(): number;
  /** Resolves when the delivery is woken because a slot is free. */
  anyFree(options: { hasJob: boolean }): Promise<void>;
  /** Resolves when no free slot is kept from the request any more, or after the time. */
  shareFree(request: SlotRequest, withinMs: number): Promise<void>;
  /** Wakes the delivery for which the free slot is. Deliveries that were refused kept slots come first. */
  wakeNext(slot: FreeSlot): void;
  /** Resolves when a slot is released, or after the time. */
  released(withinMs: number): Promise<void>;
  /** Notifies all calls of `released`. */
  tellReleased(): void;
};

export function createSlotQueue(): SlotQueue {
  const forAny: { wake: () => void; hasJob: boolean }[] = [];
  /** Holds only deliveries with jobs. */
  const forShare = new Set<{ wake: () => void; request: SlotRequest }>();
  const forRelease = new Set<() => void>();
  return {
    waitingForAny: () => forAny.length,
    anyFree: ({ hasJob }) => new Promise((wake) => forAny.push({ wake, hasJob })),
    shareFree: (request, withinMs) =>
      new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          forShare.delete(one);
          resolve();
        };
        const one = { request, wake };
        const timer = setTimeout(wake, withinMs);
        forShare.add(one);
      }),
    wakeNext({ isAllowed, isKeptForJobs }) {
      for (const { request, wake } of forShare) {
        if (isAllowed(request)) return wake();
      }
      const next = isKeptForJobs ? forAny.findIndex(({ hasJob }) => hasJob) : 0;
      if (next >= 0) forAny.splice(next, 1)[0]?.wake();
    },
    released: (withinMs) =>
      new Promise((resolve) => {
        const tell = () => {
          clearTimeout(timer);
          forRelease.delete(tell);
          resolve();
        };
        const timer = setTimeout(tell, withinMs);
        forRelease.add(tell);
      }),
    tellReleased() {
      for (const tell of forRelease) tell();
    },
  };
}
