import { randomUUID } from 'node:crypto';
import type { DeliverJob } from '@posthorn/queue/jobs';
import type { RateLimit, Throttle } from '@posthorn/queue/throttle';
import type { Clock } from '@posthorn/runtime/clock';
import type { AttemptOutcome } from './endpoint-load.ts';
import type { RefusalReason, RefusedSlot, Slots } from './slots.ts';

/** Decides before the claim whether a delivery may be attempted now. Rejects while a store that it needs is away. */
export type Admit = (job: DeliverJob) => Promise<Admitted | Refused>;

export type Admitted = {
  kind: 'admitted';
  /** The revision of the endpoint whose limits were applied; undefined if there is no such endpoint. */
  endpointRevision: string | undefined;
  /** Its time in the endpoint's rate limit; absent if there is no rate limit. */
  time?: TimeInRate | undefined;
  /** Releases the slots. `outcome` is absent if no attempt was made. */
  release(outcome?: AttemptOutcome): void;
};

export type TimeInRate = {
  /** The request must be sent at this time on the monotonic clock, and not earlier. */
  atMs: number;
  /** Reports to the limit how much later the request was sent. */
  tellLate(lateMs: number): void;
};

export type Refused = {
  kind: 'refused';
  reason: RefusalReason | 'max_concurrency' | 'rate_limit';
  delaySeconds: number;
  /** The delivery enters the line of its endpoint, whose next turn comes after the delay. */
  entersLine?: true;
};

/** The limits that an endpoint's owner has set, at one revision of the endpoint. */
export type EndpointLimits = {
  revision: string;
  timeoutSeconds: number | null;
  rateLimit: RateLimit | null;
  maxConcurrency: number | null;
  /**
   * Set if `rateLimit` is a temporary one (catch-up.ts). Events from this id on pass it while nothing waits in the
   * line.
   */
  passesFrom?: string | undefined;
};

export type OwnLimits = Omit<EndpointLimits, 'revision'>;

export type OwnLimitsDeps = {
  throttle: Throttle;
  clock: Clock;
  /** Gives the line of an endpoint a turn now. */
  hurryLine: (endpointId: string) => void;
  defaultTimeoutSeconds: number;
};

export type AdmitDeps = OwnLimitsDeps & {
  slots: Slots;
  /** Limits are at most a second old; undefined if there is no such endpoint. */
  limitsOf: (endpointId: string) => Promise<EndpointLimits | undefined>;
};

/** How far ahead lines reserve the times of a rate. */
export const AHEAD_MS = 300;
/** A line whose turn is within this time is hurried. A later turn is found in time anyway. */
export const SOON_SECONDS = AHEAD_MS / 1_000;

/** If its holder ends, a slot in Redis expires this long after the attempt's timeout: twice the lease's margin. */
const SLOT_MARGIN_SECONDS = 10;

const NO_LIMITS = { timeoutSeconds: null, rateLimit: null, maxConcurrency: null };

/**
 * Takes a slot of this process, then applies the endpoint's own limits, which all dispatchers share through the queues.
 * Only these shared limits include `maxConcurrency`: the slots of a process are its own. A slot of `maxConcurrency` is
 * taken before a time of `rateLimit`, because a slot can be released and a time cannot.
 */
export function createAdmit(deps: AdmitDeps): Admit {
  const { slots, limitsOf } = deps;
  return async (job) => {
    const known = await limitsOf(job.endpointId);
    const limits = known ?? NO_LIMITS;
    const slot = await slots.take(job);
    if (slot.kind === 'refused') return refusalByProcess(slot, limits);
    try {
      const own = await applyOwnLimits(deps, job, limits);
      if (own.kind === 'refused') {
        slot.release();
        return own;
      }
      const release = (outcome?: AttemptOutcome) => {
        own.release();
        slot.release(outcome);
      };
      return { kind: 'admitted', endpointRevision: known?.revision, time: own.time, release };
    } catch (error) {
      slot.release();
      throw error;
    }
  };
}

/**
 * Adapts a refusal by this process. If the process has as many attempts as it may for an endpoint with
 * `maxConcurrency`, the delivery enters the line, like deliveries that the limit refuses. Otherwise these would pass
 * each other.
 */
export function refusalByProcess(
  refused: RefusedSlot,
  limits: Pick<EndpointLimits, 'maxConcurrency'> | undefined,
): Refused {
  if (refused.reason !== 'endpoint' || (limits?.maxConcurrency ?? null) === null) return refused;
  return { ...refused, delaySeconds: 0, entersLine: true };
}

/** The parts of its endpoint's own limits that a delivery holds. */
export type Held = { kind: 'held'; time?: TimeInRate; release: () => void };

/** Applies the limits to a delivery that is not in the line. It passes no delivery that is. */
export async function applyOwnLimits(
  deps: OwnLimitsDeps,
  { endpointId, eventId }: Pick<DeliverJob, 'endpointId' | 'eventId'>,
  limits: OwnLimits,
): Promise<Held | Refused> {
  // With a rate limit, that limit says whether deliveries wait in the line.
  const held = await takeSharedSlot(deps, endpointId, { ...limits, isTurn: limits.rateLimit !== null });
  if (held === undefined) return { kind: 'refused', reason: 'max_concurrency', delaySeconds: 0, entersLine: true };
  const { rateLimit, passesFrom } = limits;
  if (rateLimit === null) return held;
  try {
    const passes = passesFrom !== undefined && eventId >= passesFrom;
    const taken = await deps.throttle.takeTime(endpointId, rateLimit, { passes });
    if (taken.kind === 'now') return { ...held, time: timeInRate(deps, endpointId, { rateLimit, waitMs: 0 }) };
    held.release();
    return { kind: 'refused', reason: 'rate_limit', delaySeconds: taken.waitMs / 1_000, entersLine: true };
  } catch (error) {
    held.release();
    throw error;
  }
}

export function timeInRate(
  { throttle, clock }: Pick<OwnLimitsDeps, 'throttle' | 'clock'>,
  endpointId: string,
  { rateLimit, waitMs }: { rateLimit: RateLimit; waitMs: number },
): TimeInRate {
  return {
    atMs: clock.monotonicMs() + waitMs,
    tellLate: (lateMs) => throttle.tellLate(endpointId, rateLimit, lateMs),
  };
}

/** Takes a slot of `maxConcurrency`; undefined if none is free. Its release gives the line a turn. */
export async function takeSharedSlot(
  { throttle, hurryLine, defaultTimeoutSeconds }: OwnLimitsDeps,
  endpointId: string,
  { maxConcurrency, timeoutSeconds, isTurn }: Omit<OwnLimits, 'rateLimit'> & { isTurn: boolean },
): Promise<Held | undefined> {
  if (maxConcurrency === null) return { kind: 'held', release: () => {} };
  const holder = randomUUID();
  const leaseMs = 1_000 * ((timeoutSeconds ?? defaultTimeoutSeconds) + SLOT_MARGIN_SECONDS);
  if (!(await throttle.takeSlot(endpointId, { holder, max: maxConcurrency, leaseMs, isTurn }))) return undefined;
  const release = async () => {
    // A slot that cannot be released expires with its lease, and then the line has a turn.
    if (await throttle.releaseSlot(endpointId, holder).catch(() => false)) hurryLine(endpointId);
  };
  return { kind: 'held', release: () => void release() };
}
