/** A delivery that asks for a slot. */
export type SlotRequest = {
  endpointId: string;
  workspaceId: string;
  /** The endpoint's own limit on attempts at once, when it is known. */
  maxConcurrency: number | null;
  /** The time that the endpoint's own rate limit has reserved for it: a long delay would lose it. */
  reservedAtMs?: number;
};

export type AttemptOutcome = { succeeded: boolean; durationMs: number };

/** What one process knows of an endpoint while it delivers to it. */
export type EndpointLoad = {
  /** Attempts under way, oldest first. */
  inFlight: Set<{ startedAtMs: number }>;
  /** Told, one at a time, that a slot came free. */
  waiting: (() => void)[];
  /** The last attempt here; before the first, `slow` where other processes have just seen it fail. */
  last: 'quick' | 'slow' | 'none';
  duration: DurationEstimate;
  returnTimes: ReturnTimes;
};

/** An endpoint that succeeds within a second holds its slots so shortly that it never crowds out others. */
const QUICK_MS = 1_000;
/** A quick endpoint that takes longer than this, and twice its average, may have begun to hang. */
const HESITATES_MS = 250;
/** Before the first attempt has ended; each new duration counts a fifth, so that five attempts show a change. */
const DURATION = { firstMs: 500, weight: 1 / 5 };
/** About 1 KB each. */
const MAX_ENDPOINTS = 10_000;

/**
 * The load of each endpoint, bounded: endpoints with nothing in flight are forgotten first. `recentlyFailing` are those
 * that were failing when this process began.
 */
export function createEndpointLoads(random: () => number, recentlyFailing: Iterable<string>) {
  const loads = new Map<string, EndpointLoad>();
  const failing = new Set(recentlyFailing);
  return {
    of(endpointId: string): EndpointLoad {
      const known = loads.get(endpointId);
      if (known !== undefined) return known;
      if (loads.size >= MAX_ENDPOINTS) forgetIdle(loads);
      const fresh: EndpointLoad = {
        inFlight: new Set(),
        waiting: [],
        last: failing.delete(endpointId) ? 'slow' : 'none',
        duration: createDurationEstimate(DURATION),
        returnTimes: createReturnTimes(random),
      };
      loads.set(endpointId, fresh);
      return fresh;
    },
  };
}

/**
 * `quick`: its last attempt succeeded within a second, and none in flight is older than that. `new`: nothing is known of
 * it, and none in flight is older than a second. `slow`: all others.
 */
export function paceOf({ last, inFlight }: EndpointLoad, nowMs: number): 'quick' | 'new' | 'slow' {
  const [oldest] = inFlight;
  if (last === 'slow' || (oldest !== undefined && nowMs - oldest.startedAtMs >= QUICK_MS)) return 'slow';
  return last === 'none' ? 'new' : last;
}

/** The share of all slots that one endpoint may take. A new one gets a few to show its pace. */
const SHARES = { quick: 1 / 2, slow: 1 / 4, new: 1 / 32 };

/** The slots that one endpoint may take, and never more than its owner allows. */
export function slotLimit(
  { maxConcurrency }: Pick<SlotRequest, 'maxConcurrency'>,
  load: EndpointLoad,
  { slots, nowMs }: { slots: number; nowMs: number },
): number {
  const pace = paceOf(load, nowMs);
  const share = Math.max(1, Math.ceil(slots * SHARES[pace === 'quick' && hesitates(load, nowMs) ? 'slow' : pace]));
  return maxConcurrency === null ? share : Math.min(maxConcurrency, share);
}

/** An attempt takes longer than its endpoint's do: it may be the first of many that hang. */
function hesitates({ inFlight, duration }: EndpointLoad, nowMs: number): boolean {
  const [oldest] = inFlight;
  return oldest !== undefined && nowMs - oldest.startedAtMs >= Math.max(HESITATES_MS, 2 * duration.averageMs());
}

export function learn(load: EndpointLoad, { succeeded, durationMs }: AttemptOutcome): void {
  load.last = succeeded && durationMs < QUICK_MS ? 'quick' : 'slow';
}

/** Resolves when a slot of the endpoint came free, or after the time. */
export function slotFreed(load: EndpointLoad, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      load.waiting = load.waiting.filter((one) => one !== wake);
      resolve();
    };
    const timer = setTimeout(wake, withinMs);
    load.waiting.push(wake);
  });
}

function forgetIdle(loads: Map<string, EndpointLoad>): void {
  for (const [endpointId, { inFlight, waiting }] of loads) {
    if (inFlight.size === 0 && waiting.length === 0) loads.delete(endpointId);
    if (loads.size <= MAX_ENDPOINTS / 2) return;
  }
}

/** How long attempts hold the slots that they share. */
export type DurationEstimate = {
  began(nowMs: number): void;
  /** `lastedMs` is left out where no attempt was made in the end. */
  ended(nowMs: number, lastedMs?: number): void;
  /** The moving average of the attempts that have ended. */
  averageMs(): number;
  /**
   * The duration to expect of an attempt in flight: the average, or the time for which none has ended, if that is
   * longer. 500 attempts that hang end only at their timeouts; until then the average is that of the attempts before.
   */
  expectedMs(nowMs: number): number;
};

/** `firstMs` is the average before any attempt has ended; the latest duration has the given `weight` in it. */
export function createDurationEstimate({ firstMs, weight }: { firstMs: number; weight: number }): DurationEstimate {
  let averageMs = firstMs;
  let inFlight = 0;
  let noneEndedSinceMs = 0;
  return {
    began(nowMs) {
      if (inFlight === 0) noneEndedSinceMs = nowMs;
      inFlight += 1;
    },
    ended(nowMs, lastedMs = averageMs) {
      inFlight -= 1;
      noneEndedSinceMs = nowMs;
      averageMs += weight * (lastedMs - averageMs);
    },
    averageMs: () => averageMs,
    expectedMs: (nowMs) => (inFlight === 0 ? averageMs : Math.max(averageMs, nowMs - noneEndedSinceMs)),
  };
}

/** A deferral is a write: one that came back sooner would cost more than it waits. */
const MIN_RETURN_MS = 500;
/** Estimates further ahead are worth nothing, and an endpoint that has recovered must not stay idle for longer. */
const MAX_RETURN_MS = 5 * 60_000;

/** Answers in how many milliseconds the next deferred delivery returns. */
export type ReturnTimes = (nowMs: number, intervalMs: number) => number;

/**
 * Spreads deferred deliveries over time: each returns one interval after the one before, so they return as fast as slots
 * come free, and 100,000 rows behind one slow endpoint are not read again and again. Between half a second and five
 * minutes, with a jitter of a tenth.
 */
export function createReturnTimes(random: () => number): ReturnTimes {
  let lastAtMs = Number.NEGATIVE_INFINITY;
  return (nowMs, intervalMs) => {
    lastAtMs = Math.min(Math.max(lastAtMs + intervalMs, nowMs + MIN_RETURN_MS), nowMs + MAX_RETURN_MS);
    const delayMs = lastAtMs - nowMs;
    // At the limit the true time is not known: spread over its second half.
    if (delayMs >= MAX_RETURN_MS) return MAX_RETURN_MS * (0.5 + random() / 2);
    return delayMs * (0.9 + random() / 5);
  };
}
