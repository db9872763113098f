import type { Clock } from '@posthorn/runtime/clock';
import {
  type AttemptOutcome,
  createDurationEstimate,
  createEndpointLoads,
  createReturnTimes,
  type EndpointLoad,
  hasSucceededSince,
  learn,
  paceOf,
  type SlotRequest,
  slotFreed,
  slotLimit,
} from './endpoint-load.ts';
import { createOwnerShares } from './owner-shares.ts';
import { createSlotQueue } from './slot-queue.ts';

/** The slots for concurrent attempts of this process, which endpoints and workspaces share. Uses no store. */
export type Slots = {
  /** Takes a slot, or refuses with a delay. May wait up to 250 ms for a slot. */
  take(request: SlotRequest): Promise<SlotAnswer>;
  /** Takes a slot that is free now; undefined if there is none. */
  tryTake(request: SlotRequest): TakenSlot | undefined;
  /** The refusal that a new delivery of a slow endpoint would get now; undefined if it might get a slot. */
  refusalOfSlow(request: SlotRequest): RefusedSlot | undefined;
  /**
   * The endpoints with attempts in progress that are slow and would be refused another slot in any workspace, with the
   * interval in milliseconds at which a slot becomes free for them.
   */
  slow(): Map<string, number>;
  /**
   * Takes a slot for a delivery without a job, in one queue with the jobs. It waits until a slot is free beyond those
   * that are kept for jobs. Undefined if another limit was reached.
   */
  takeInTurn(request: SlotRequest): Promise<TakenSlot | undefined>;
  /**
   * The number of free slots that no request waits for. A request that waits for its own endpoint does not count,
   * because it gets a slot of that endpoint.
   */
  free(): number;
  /** Resolves when a slot is released, or after this time. */
  freed(withinMs: number): Promise<void>;
  /**
   * The delay, in seconds, of a delivery that is deferred although it has a slot. It is due one interval after the
   * delivery of its endpoint that was deferred before it. The interval is that at which slots of the endpoint become
   * free.
   */
  returnSeconds(request: SlotRequest): number;
  /**
   * Whether the attempts in progress, and the deliveries that wait for a slot of their endpoint, are as many as the
   * slots. The process then waits for endpoints.
   */
  isFull(): boolean;
};

export type TakenSlot = { kind: 'taken'; release: (outcome?: AttemptOutcome) => void };
export type RefusedSlot = { kind: 'refused'; reason: RefusalReason; delaySeconds: number };
export type SlotAnswer = TakenSlot | RefusedSlot;

/** The share that is used up: of the endpoint, of its workspace, or of all endpoints that are slow or may hang. */
export type RefusalReason = 'endpoint' | 'workspace' | 'slow_endpoints';

export type SlotsOptions = {
  slots: number;
  clock: Clock;
  random: () => number;
  /**
   * The owner of a workspace. All workspaces of an owner have one share. By default, each workspace is its own owner.
   */
  ownerOf?: (workspaceId: string) => string;
  /** The endpoints that were failing when this process started. All others start as new. */
  recentlyFailing?: Iterable<string>;
};

/**
 * The first estimate is low, so that a new process soon tries again. If an endpoint hangs, it shows because nothing
 * completes. Each new duration counts a tenth, because many endpoints share the estimate.
 */
const SLOW_DURATION = { firstMs: 150, weight: 1 / 10 };

/** How long a job may wait for a slot of a quick endpoint, or of others. A deferral takes longer, and is a write. */
const WAIT_MS = 250;

/** The share of the slots that is kept for jobs, because retries must not wait for new events. */
export const KEPT_FOR_JOBS = 1 / 16;

/**
 * The interval between deferred deliveries of a new endpoint. It is short, because the endpoint's duration is soon
 * known.
 */
const NEW_INTERVAL_MS = 1;
/**
 * The interval between deferred deliveries of quick endpoints that may hang. It is longer, because each deferral is a
 * write, and there may be many.
 */
const UNCERTAIN_INTERVAL_MS = 5;

/**
 * The share of the slots that is kept for owners whose attempts that may hang hold less than this share. They need not
 * wait for the hanging attempts of others, which took their slots when nobody else requested any.
 */
const KEPT_FOR_NEWCOMERS = 1 / 16;

/** While others request slots, an owner holds at most this many slots for each free slot. */
const HELD_PER_FREE_SLOT = 7;

/**
 * An attempt may hold its slot until its timeout. So a quarter of the slots is kept for endpoints whose attempts are
 * likely to end soon: their last attempt succeeded within a second, and it ended within the last second or since slots
 * became scarce. An endpoint that was quick an hour ago may have begun to hang, and so may hundreds at once. Another
 * eighth is kept for all but slow endpoints, so that a process finds the working endpoints while all its slow endpoints
 * request slots. One endpoint that is not quick takes at most a quarter of all slots. Of the quarter for attempts that
 * are likely to end soon, a quarter is also for owners that hold hardly any slot. Half of that is also for slow
 * endpoints of owners that hold none. A refused delivery of an owner that holds none does not return behind deliveries
 * of owners that do.
 *
 * While others request slots, all workspaces of one owner together take at most three quarters of what each of these
 * limits allows, and of all slots seven for each one that remains free. So their endpoints leave some to others,
 * however quick they were before.
 */
export function createSlots(options: SlotsOptions): Slots {
  const { slots, clock, random, recentlyFailing = [], ownerOf = (workspaceId) => workspaceId } = options;
  const uncertainSlots = Math.max(1, slots - Math.floor(slots / 4));
  const slowSlots = Math.max(1, uncertainSlots - Math.floor(slots / 8));
  const newcomerSlots = Math.min(slots - uncertainSlots, Math.max(1, Math.floor(slots * KEPT_FOR_NEWCOMERS)));
  const loads = createEndpointLoads(random, recentlyFailing);
  const shares = createOwnerShares(clock);
  const slowReturnTimes = createReturnTimes(random);
  const newcomerReturnTimes = createReturnTimes(random);
  const newReturnTimes = createReturnTimes(random);
  const uncertainReturnTimes = createReturnTimes(random);
  const slowDuration = createDurationEstimate(SLOW_DURATION);
  const now = () => clock.monotonicMs();
  let [inFlight, uncertainInFlight, waiting] = [0, 0, 0];
  /** The time since which attempts that may hang have held half of the slots. */
  let scarceSinceMs = Number.POSITIVE_INFINITY;
  const withoutJobs = Math.max(1, Math.floor(slots * (1 - KEPT_FOR_JOBS)));
  const queue = createSlotQueue();

  /** Called when a slot is released, and when a woken delivery takes no slot, so that the slot is still free. */
  const wakeNext = () => {
    if (inFlight >= slots) return;
    const isAllowed = (request: SlotRequest) => keptForOthers(request, loads.of(request.endpointId)) === undefined;
    queue.wakeNext({ isAllowed, isKeptForJobs: inFlight >= withoutJobs });
  };
  /** Whether an attempt is likely to end soon. Any other counts as one that may hang. */
  const isCertain = (load: EndpointLoad) =>
    paceOf(load, now()) === 'quick' && hasSucceededSince(load, scarceSinceMs, now());
  /** Why a request does not get a slot although one is free: it is kept for other endpoints or workspaces. */
  const keptForOthers = (request: SlotRequest, load: EndpointLoad): RefusalReason | undefined => {
    const ownerId = ownerOf(request.workspaceId);
    const othersWant = shares.othersWant(ownerId);
    const held = shares.heldBy(ownerId);
    if (othersWant && held.all >= HELD_PER_FREE_SLOT * (slots - inFlight)) return 'workspace';
    if (isCertain(load)) return undefined;
    const isSlow = paceOf(load, now()) === 'slow';
    const isNewcomer = held.uncertain < (isSlow ? 1 : newcomerSlots);
    const forNewcomers = isSlow ? Math.floor(newcomerSlots / 2) : newcomerSlots;
    if (isNewcomer && uncertainInFlight < uncertainSlots + forNewcomers) return undefined;
    const limit = isSlow ? slowSlots : uncertainSlots;
    if (uncertainInFlight >= limit) return 'slow_endpoints';
    return othersWant && held.uncertain >= Math.max(1, Math.floor((limit * 3) / 4)) ? 'workspace' : undefined;
  };
  const refusal = (request: SlotRequest, load: EndpointLoad): RefusalReason | undefined => {
    if (load.inFlight.size >= slotLimit(load, { slots, nowMs: now() })) return 'endpoint';
    return keptForOthers(request, load);
  };
  const hold = (request: SlotRequest, load: EndpointLoad): TakenSlot => {
    const attempt = { startedAtMs: now() };
    // Counted for one owner until the end, even if the real owner becomes known meanwhile.
    const ownerId = ownerOf(request.workspaceId);
    const slow = paceOf(load, now()) !== 'quick';
    const uncertain = isCertain(load) ? 0 : 1;
    const count = (by: 1 | -1) => {
      inFlight += by;
      uncertainInFlight += by * uncertain;
      scarceSinceMs = uncertainInFlight < slots / 2 ? Number.POSITIVE_INFINITY : Math.min(scarceSinceMs, now());
      shares.count(ownerId, by, uncertain);
    };
    load.inFlight.add(attempt);
    load.duration.began(now());
    if (slow) slowDuration.began(now());
    count(1);
    const release = (outcome?: AttemptOutcome) => {
      if (!load.inFlight.delete(attempt)) return;
      count(-1);
      if (outcome !== undefined) learn(load, outcome, now());
      load.duration.ended(now(), outcome?.durationMs);
      if (slow) slowDuration.ended(now(), outcome?.durationMs);
      load.waiting.shift()?.();
      wakeNext();
      queue.tellReleased();
    };
    return { kind: 'taken', release };
  };
  const mayWait = (load: EndpointLoad): boolean => {
    const pace = paceOf(load, now());
    if (pace === 'quick') return load.waiting.length < load.inFlight.size;
    // The first answer makes a new endpoint quick or slow. In either case it may take several slots.
    return pace === 'new' && waiting < slots / 4 && load.waiting.length < 4 * load.inFlight.size;
  };
  /** Resolves when the request may get a slot, or after a moment; undefined if it must not wait. */
  const waitFor = (request: SlotRequest, reason: RefusalReason, load: EndpointLoad): Promise<void> | undefined => {
    if (reason === 'endpoint') return mayWait(load) ? slotFreed(load, WAIT_MS) : undefined;
    return paceOf(load, now()) === 'quick' ? queue.shareFree(request, WAIT_MS) : undefined;
  };
  const returnSeconds = (request: SlotRequest): number => {
    const load = loads.of(request.endpointId);
    const limit = slotLimit(load, { slots, nowMs: now() });
    const returnTimes = request.recovered === true ? load.recoveredReturnTimes : load.returnTimes;
    return returnTimes(now(), load.duration.expectedMs(now()) / limit) / 1_000;
  };
  const delayAfter = (reason: RefusalReason, request: SlotRequest, load: EndpointLoad): number => {
    const pace = paceOf(load, now());
    if (reason !== 'endpoint' && pace === 'quick') return uncertainReturnTimes(now(), UNCERTAIN_INTERVAL_MS) / 1_000;
    if (reason !== 'endpoint') {
      const holdsNone = shares.heldBy(ownerOf(request.workspaceId)).uncertain === 0;
      const returnTimes = holdsNone ? newcomerReturnTimes : slowReturnTimes;
      return returnTimes(now(), slowDuration.expectedMs(now()) / uncertainSlots) / 1_000;
    }
    if (pace === 'new') return newReturnTimes(now(), NEW_INTERVAL_MS) / 1_000;
    return returnSeconds(request);
  };
  const tryTake = (request: SlotRequest): TakenSlot | undefined => {
    shares.requested(ownerOf(request.workspaceId));
    const load = loads.of(request.endpointId);
    if (inFlight >= slots || load.waiting.length > 0 || refusal(request, load) !== undefined) return undefined;
    return hold(request, load);
  };
  return {
    async take(request) {
      shares.requested(ownerOf(request.workspaceId));
      while (inFlight >= slots) await queue.anyFree({ hasJob: true });
      let load = loads.of(request.endpointId);
      let reason = refusal(request, load);
      if (reason !== undefined) wakeNext();
      const wait = reason && waitFor(request, reason, load);
      if (wait !== undefined) {
        const forEndpoint = reason === 'endpoint';
        waiting += Number(forEndpoint);
        await wait;
        waiting -= Number(forEndpoint);
        // Others may have taken every slot meanwhile.
        const mayGo = !forEndpoint || refusal(request, load) === undefined;
        while (mayGo && inFlight >= slots) await queue.anyFree({ hasJob: true });
        load = loads.of(request.endpointId);
        reason = refusal(request, load);
        if (reason !== undefined) wakeNext();
      }
      if (reason === undefined) return hold(request, load);
      return { kind: 'refused', reason, delaySeconds: delayAfter(reason, request, load) };
    },
    tryTake,
    async takeInTurn(request) {
      while (inFlight >= withoutJobs) await queue.anyFree({ hasJob: false });
      const slot = tryTake(request);
      if (slot === undefined) wakeNext();
      return slot;
    },
    refusalOfSlow(request) {
      const load = loads.of(request.endpointId);
      const reason = paceOf(load, now()) === 'slow' ? refusal(request, load) : undefined;
      return reason && { kind: 'refused', reason, delaySeconds: delayAfter(reason, request, load) };
    },
    slow() {
      const areScarce = uncertainInFlight >= slowSlots;
      const sharedMs = slowDuration.expectedMs(now()) / uncertainSlots;
      return new Map(
        loads.busy().flatMap(([endpointId, load]) => {
          const limit = slotLimit(load, { slots, nowMs: now() });
          if (paceOf(load, now()) !== 'slow' || !(areScarce || load.inFlight.size >= limit)) return [];
          return [[endpointId, Math.max(load.duration.expectedMs(now()) / limit, areScarce ? sharedMs : 0)] as const];
        }),
      );
    },
    free: () => Math.max(0, slots - inFlight - queue.waitingForAny()),
    freed: queue.released,
    returnSeconds,
    isFull: () => inFlight + waiting >= slots,
  };
}
