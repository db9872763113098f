/** The request of a delivery for a slot. */
export type SlotRequest = {
  endpointId: string;
  workspaceId: string;
  /** The endpoint's own limit on attempts at once, when it is known. */
  maxConcurrency: number | null;
  /** The time reserved by the endpoint's own rate limit; a long delay would lose it. */
  reservedAtMs?: number;
  /** An operation has enqueued it: it gives way to new deliveries of its endpoint. */
  recovered?: true;
};

export type AttemptOutcome = { succeeded: boolean; durationMs: number };

/** The state of an endpoint in one process that delivers to it. */
export type EndpointLoad = {
  /** Attempts under way, oldest first. */
  inFlight: Set<{ startedAtMs: number }>;
  /** Waiting requests; one is called for each slot that becomes free. */
  waiting: (() => void)[];
  /** The last attempt in this process; before the first, `slow` if the endpoint was failing when this process began. */
  last: 'quick' | 'slow' | 'none';
  duration: DurationEstimate;
  returnTimes: ReturnTimes;
  /** Those of recovered deliveries, so that new ones do not line up behind them. */
  recoveredReturnTimes: ReturnTimes;
};

/** An endpoint that succeeds within a second releases its slots so soon that it never crowds out others. */
const QUICK_MS = 1_000;
/** A quick endpoint that takes longer than this, and twice its average, may have begun to hang. */
const HESITATES_MS = 250;
/** Before the first attempt has ended; each new duration counts a fifth, so that five attempts show a change. */
const DURATION = { firstMs: 500, weight: 1 / 5 };
/** About 1 KB each. */
const MAX_ENDPOINTS = 10_000;

/**
 * The load of each endpoint, bounded: endpoints with nothing in flight are removed first. `recentlyFailing` lists the
 * endpoints that were failing when this process began.
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
        recoveredReturnTimes: createReturnTimes(random),
      };
      loads.set(endpointId, fresh);
      return fresh;
    },
  };
}

/**
 * `quick`: the last attempt succeeded within a second, and no attempt in flight is older than that. `new`: no attempt
 * has ended yet, and none in flight is older than a second. `slow`: all others.
 */
export function paceOf({ last, inFlight }: EndpointLoad, nowMs: number): 'quick' | 'new' | 'slow' {
  const [oldest] = inFlight;
  if (last === 'slow' || (oldest !== undefined && nowMs - oldest.startedAtMs >= QUICK_MS)) return 'slow';
  return last === 'none' ? 'new' : last;
}

/** The share of all slots that one endpoint may take. A new one gets a few to show its pace. */
const SHARES = { quick: 1 / 2, slow: 1 / 4, new: 1 / 32 };

/** The slots that one endpoint may take; never more than its owner allows. */
export function slotLimit(
  { maxConcurrency }: Pick<SlotRequest, 'maxConcurrency'>,
  load: EndpointLoad,
  { slots, nowMs }: { slots: number; nowMs: number },
): number {
  const pace = paceOf(load, nowMs);
  const share = Math.max(1, Math.ceil(slots * SHARES[pace === 'quick' && hesitates(load, nowMs) ? 'slow' : pace]));
  return maxConcurrency === null ? share : Math.min(maxConcurrency, share);
}

/** An attempt takes longer than usual for its endpoint: the endpoint may have begun to hang. */
function hesitates({ inFlight, duration }: EndpointLoad, nowMs: number): boolean {
  const [oldest] = inFlight;
  return oldest !== undefined && nowMs - oldest.startedAtMs >= Math.max(HESITATES_MS, 2 * duration.averageMs());
}

export function learn(load: EndpointLoad, { succeeded, durationMs }: AttemptOutcome): void {
  load.last = succeeded && durationMs < QUICK_MS ? 'quick' : 'slow';
}

/** Resolves when a slot of the endpoint becomes free, or after `withinMs`. */
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
   * The expected duration of an attempt in flight: the average, or the time since the last attempt ended, if that is
   * longer. Hanging attempts end only at their timeouts; until then the average does not include them.
   */
  expectedMs(nowMs: number): number;
};

/** `firstMs` is the average before any attempt has ended; each new duration enters it with `weight`. */
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

/** A deferral is a write: a shorter one would cost more than it saves. */
const MIN_RETURN_MS = 500;
/** Longer estimates are unreliable, and a recovered endpoint must not stay idle for longer. */
const MAX_RETURN_MS = 5 * 60_000;

/** Returns the milliseconds after which the next deferred delivery is due. */
export type ReturnTimes = (nowMs: number, intervalMs: number) => number;

/**
 * Spreads deferred deliveries over time: each is due one interval after the one before. So they become due as fast as
 * slots become free, and 100,000 rows behind one slow endpoint are not read again and again. Between half a second and
 * five minutes, with a jitter of a tenth.
 */
export function createReturnTimes(random: () => number): ReturnTimes {
  let lastAtMs = Number.NEGATIVE_INFINITY;
  return (nowMs, intervalMs) => {
    lastAtMs = Math.min(Math.max(lastAtMs + intervalMs, nowMs + MIN_RETURN_MS), nowMs + MAX_RETURN_MS);
    const delayMs = lastAtMs - nowMs;
    // At the limit the right time is unknown: spread over the second half of the range.
    if (delayMs >= MAX_RETURN_MS) return MAX_RETURN_MS * (0.5 + random() / 2);
    return delayMs * (0.9 + random() / 5);
  };
}
