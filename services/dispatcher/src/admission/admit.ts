import { randomUUID } from 'node:crypto';
import type { DeliverJob } from '@posthorn/queue/jobs';
import type { RateLimit, Throttle } from '@posthorn/queue/throttle';
import type { AttemptOutcome } from './endpoint-load.ts';
import type { RefusalReason, Slots } from './slots.ts';

/** Decides before the claim whether a delivery may be attempted now. It rejects while a store that it needs is away. */
export type Admit = (job: DeliverJob) => Promise<Admitted | Refused>;

export type Admitted = {
  kind: 'admitted';
  /** The revision of the endpoint whose limits were applied; undefined when there is no such endpoint. */
  endpointRevision: string | undefined;
  /** Releases the slots. The outcome is absent if no attempt was made. */
  release(outcome?: AttemptOutcome): void;
};

export type Refused = {
  kind: 'refused';
  reason: RefusalReason | 'max_concurrency' | 'rate_limit';
  delaySeconds: number;
  /** The time that the endpoint's rate limit has reserved for the delivery, by Redis' clock. */
  reservedAtMs?: number;
};

/** The limits that an endpoint's owner has set, at one revision of the endpoint. */
export type EndpointLimits = {
  revision: string;
  timeoutSeconds: number | null;
  rateLimit: RateLimit | null;
  maxConcurrency: number | null;
};

export type AdmitDeps = {
  slots: Slots;
  throttle: Throttle;
  /** At most a second old if there are limits; undefined when there is no such endpoint. */
  limitsOf: (endpointId: string) => Promise<EndpointLimits | undefined>;
  random: () => number;
  defaultTimeoutSeconds: number;
};

/** If its holder ends, a slot in Redis expires this long after the attempt's timeout: twice the lease's margin. */
const SLOT_MARGIN_SECONDS = 10;
/** The shortest delay if a rate has no free time within the throttle's ten minutes. It is doubled at most. */
const FAR_SECONDS = 300;

const NO_LIMITS = { timeoutSeconds: null, rateLimit: null, maxConcurrency: null };

/**
 * Takes a slot of this process, then applies the endpoint's own limits, which all dispatchers share through Redis. A
 * slot of `maxConcurrency` comes first, because a slot can be released and a time of `rateLimit` cannot.
 */
export function createAdmit(deps: AdmitDeps): Admit {
  const { slots, limitsOf } = deps;
  return async (job) => {
    const known = await limitsOf(job.endpointId);
    const limits = known ?? NO_LIMITS;
    const slot = await slots.take({ ...job, maxConcurrency: limits.maxConcurrency });
    if (slot.kind === 'refused') return { ...slot, ...reservedTime(job) };
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
      return { kind: 'admitted', endpointRevision: known?.revision, release };
    } catch (error) {
      slot.release();
      throw error;
    }
  };
}

/** Allows a delivery that is slightly late to keep its reserved time. Redis decides that. */
function reservedTime({ reservedAtMs }: DeliverJob): { reservedAtMs?: number } {
  return reservedAtMs === undefined ? {} : { reservedAtMs };
}

type OwnLimits = Omit<EndpointLimits, 'revision'>;

async function applyOwnLimits(deps: AdmitDeps, job: DeliverJob, limits: OwnLimits) {
  const held = await takeSharedSlot(deps, job, limits);
  if (held.kind === 'refused') return held;
  try {
    const refused = await reserveTime(deps, job, limits);
    if (refused === undefined) return held;
    held.release();
    return refused;
  } catch (error) {
    held.release();
    throw error;
  }
}

type Held = { kind: 'held'; release: () => void };

async function takeSharedSlot(deps: AdmitDeps, job: DeliverJob, limits: OwnLimits): Promise<Held | Refused> {
  const { slots, throttle, defaultTimeoutSeconds } = deps;
  const { maxConcurrency, timeoutSeconds } = limits;
  if (maxConcurrency === null) return { kind: 'held', release: () => {} };
  const holder = randomUUID();
  const leaseMs = 1_000 * ((timeoutSeconds ?? defaultTimeoutSeconds) + SLOT_MARGIN_SECONDS);
  if (await throttle.takeSlot(job.endpointId, { holder, max: maxConcurrency, leaseMs })) {
    const release = () => {
      throttle.releaseSlot(job.endpointId, holder).catch(() => undefined); // The slot expires with its lease.
    };
    return { kind: 'held', release };
  }
  const delaySeconds = slots.returnSeconds({ ...job, maxConcurrency });
  return { kind: 'refused', reason: 'max_concurrency', delaySeconds, ...reservedTime(job) };
}

async function reserveTime(
  { throttle, slots, random }: AdmitDeps,
  job: DeliverJob,
  { rateLimit }: OwnLimits,
): Promise<Refused | undefined> {
  if (rateLimit === null) return undefined;
  const { endpointId, reservedAtMs } = job;
  if (job.recovered === true) {
    // With a reserved time, it would make new deliveries wait for longer.
    if (await throttle.takeTime(endpointId, rateLimit)) return undefined;
    const intervalMs = (1_000 * rateLimit.periodSeconds) / rateLimit.limit;
    const delaySeconds = slots.returnSeconds({ ...job, maxConcurrency: null }, intervalMs);
    return { kind: 'refused', reason: 'rate_limit', delaySeconds };
  }
  const reservation = await throttle.reserve(endpointId, rateLimit, reservedAtMs);
  const refused = { kind: 'refused', reason: 'rate_limit' } as const;
  switch (reservation.kind) {
    case 'now':
      return undefined;
    case 'later':
      return { ...refused, delaySeconds: reservation.waitMs / 1_000, reservedAtMs: reservation.reservedAtMs };
    case 'too_far':
      return { ...refused, delaySeconds: FAR_SECONDS * (1 + random()) };
  }
}
