/** A delivery's request for a slot. */
export type SlotRequest = {
  endpointId: string;
  workspaceId: string;
  /** An operation has enqueued the delivery. New deliveries of the endpoint go first. */
  recovered?: true;
};

export type AttemptOutcome = { succeeded: boolean; durationMs: number };

/** The state of an endpoint in one process that delivers to it. */
export type EndpointLoad = {
  /** Attempts in progress, oldest first. */
  inFlight: Set<{ startedAtMs: number }>;
  /** Waiting requests. One is called for each slot that becomes free. */
  waiting: (() => void)[];
  /**
   * The result of the last attempt in this process. Initially `slow` if the endpoint was failing when the process
   * started.
   */
  last: 'quick' | 'slow' | 'none';
  /** The time of the last success within a second in this process. */
  lastQuickAtMs: number;
  duration: DurationEstimate;
  returnTimes: ReturnTimes;
  /** The return times of recovered deliveries. They are separate, so that new deliveries do not wait behind them. */
  recoveredReturnTimes: ReturnTimes;
};

/** An endpoint that succeeds within a second releases its slots so soon that it delays no other endpoint. */
const QUICK_MS = 1_000;
/** If a quick endpoint takes longer than this, and longer than twice its average, it may have begun to hang. */
const HESITATES_MS = 250;
/** The average before the first attempt has ended. Each new duration counts a fifth, so five attempts show a change. */
const DURATION = { firstMs: 500, weight: 1 / 5 };
/** The most endpoints in memory. An entry takes about 1 KB. */
const MAX_ENDPOINTS = 10_000;

/**
 * Keeps the load of a limited number of endpoints. Endpoints without attempts in progress are removed first.
 * `recentlyFailing` are the endpoints that were failing when this process started.
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
        lastQuickAtMs: Number.NEGATIVE_INFINITY,
        duration: createDurationEstimate(DURATION),
        returnTimes: createReturnTimes(random),
        recoveredReturnTimes: createReturnTimes(random),
      };
      loads.set(endpointId, fresh);
      return fresh;
    },
    /** The endpoints with attempts in progress. */
    busy: (): [string, EndpointLoad][] => [...loads].filter(([, { inFlight }]) => inFlight.size > 0),
  };
}

/**
 * `quick`: the last attempt succeeded within a second, and no attempt in progress is older than that. `new`: no attempt
 * has ended yet, and none in progress is older than a second. `slow`: all others.
 */
export function paceOf({ last, inFlight }: EndpointLoad, nowMs: number): 'quick' | 'new' | 'slow' {
  const [oldest] = inFlight;
  if (last === 'slow' || (oldest !== undefined && nowMs - oldest.startedAtMs >= QUICK_MS)) return 'slow';
  return last === 'none' ? 'new' : last;
}

/** Whether the endpoint succeeded within the last second, or since the given time. */
export function hasSucceededSince({ lastQuickAtMs }: EndpointLoad, sinceMs: number, nowMs: number): boolean {
  return lastQuickAtMs >= sinceMs || nowMs - lastQuickAtMs < QUICK_MS;
}

/** The share of all slots that one endpoint may take. A new endpoint gets a few, to show how quick it is. */
const SHARES = { quick: 1 / 2, slow: 1 / 4, new: 1 / 32 };

/** The number of slots that one endpoint may take. */
export function slotLimit(load: EndpointLoad, { slots, nowMs }: { slots: number; nowMs: number }): number {
  const pace = paceOf(load, nowMs);
  return Math.max(1, Math.ceil(slots * SHARES[pace === 'quick' && hesitates(load, nowMs) ? 'slow' : pace]));
}

/** Whether an attempt takes longer than usual for its endpoint, which may have begun to hang. */
function hesitates({ inFlight, duration }: EndpointLoad, nowMs: number): boolean {
  const [oldest] = inFlight;
  return oldest !== undefined && nowMs - oldest.startedAtMs >= Math.max(HESITATES_MS, 2 * duration.averageMs());
}

export function learn(load: EndpointLoad, { succeeded, durationMs }: AttemptOutcome, nowMs: number): void {
  load.last = succeeded && durationMs < QUICK_MS ? 'quick' : 'slow';
  if (load.last === 'quick') load.lastQuickAtMs = nowMs;
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

/** An estimate of how long attempts hold the slots that they share. */
export type DurationEstimate = {
  began(nowMs: number): void;
  /** `lastedMs` is absent if no attempt was made. */
  ended(nowMs: number, lastedMs?: number): void;
  /** The moving average of the durations of ended attempts. */
  averageMs(): number;
  /**
   * The expected duration of an attempt in progress: the average, or the time since the last attempt ended if that is
   * longer. Attempts that hang end only at their timeouts, and the average does not include them until then.
   */
  expectedMs(nowMs: number): number;
};

/** `firstMs` is the average before any attempt has ended. Each new duration enters the average with `weight`. */
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

/** A deferral is a write. A shorter deferral would cost more than it saves. */
const MIN_RETURN_MS = 500;
/** A longer estimate is unreliable, and an endpoint that recovers must not stay idle for longer. */
const MAX_RETURN_MS = 5 * 60_000;

/** Returns the milliseconds after which the next deferred delivery is due. */
export type ReturnTimes = (nowMs: number, intervalMs: number) => number;

/**
 * Spreads deferred deliveries over time: each is due one interval after the one before. They therefore become due as
 * fast as slots become free, and 100,000 rows of one slow endpoint are not read again and again. The delay is between
 * half a second and five minutes, with a jitter of a tenth.
 */
export function createReturnTimes(random: () => number): ReturnTimes {
  let lastAtMs = Number.NEGATIVE_INFINITY;
  return (nowMs, intervalMs) => {
    lastAtMs = Math.min(Math.max(lastAtMs + intervalMs, nowMs + MIN_RETURN_MS), nowMs + MAX_RETURN_MS);
    const delayMs = lastAtMs - nowMs;
    // At the longest delay the right time is unknown: the deliveries are spread over the second half of the range.
    if (delayMs >= MAX_RETURN_MS) return MAX_RETURN_MS * (0.5 + random() / 2);
    return delayMs * (0.9 + random() / 5);
  };
}
