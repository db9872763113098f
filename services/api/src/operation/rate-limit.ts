import type { Clock } from '@posthorn/runtime/clock';
import type { Response } from 'express';
import { ApiError } from '../transport/error.ts';

/**
 * Takes requests from a caller's bucket, and sets the answer's `RateLimit-*` headers. Throws `rate_limited` when too
 * few are left. A full bucket admits any number, and goes negative. For 0 requests it takes nothing, but one must be
 * left.
 */
export type RateLimit = (response: Response, callerId: string, requests?: number) => void;

export type RateLimitOptions = {
  clock: Clock;
  /** The long-term rate in requests a second; 0 switches the limit off. */
  perSecond: number;
  /** The burst, in seconds of the rate. */
  burstSeconds: number;
  /** How the refusal names the limited caller. */
  caller?: string;
};

/** The limit of a workspace is this many times the limit of one credential. */
const CREDENTIALS_OF_A_WORKSPACE = 4;

export type RateLimits = {
  credential: RateLimit;
  /** All portal sessions of an application together have the limit of one credential. */
  portal: RateLimit;
  /** All portal sessions of a workspace together have half of its limit, so that customers leave it the rest. */
  portals: RateLimit;
  /** The limit of all credentials of a workspace together. */
  workspace: RateLimit;
};

/** The limits of docs/interface.md, Rate limits. */
export function createRateLimits(options: Omit<RateLimitOptions, 'caller'>): RateLimits {
  const perSecond = CREDENTIALS_OF_A_WORKSPACE * options.perSecond;
  return {
    credential: createRateLimit(options),
    portal: createRateLimit({ ...options, caller: 'The portal of this application' }),
    portals: createRateLimit({ ...options, perSecond: perSecond / 2, caller: 'The portals of this workspace' }),
    workspace: createRateLimit({ ...options, perSecond, caller: 'This workspace' }),
  };
}

/**
 * A token bucket for each caller (docs/interface.md, Rate limits), kept in this process. A shared bucket would make
 * every answer depend on Redis, but an API must work without Redis. So several processes together allow several times
 * the limit.
 */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { clock, perSecond, burstSeconds, caller = 'This credential' } = options;
  if (perSecond === 0) return () => {};
  const burst = perSecond * burstSeconds;
  const refillMs = 1_000 / perSecond;
  // The time at which a bucket is full again. It also gives the number that is missing now.
  const fullAt = new Map<string, number>();

  return (response, callerId, requests = 1) => {
    const nowMs = clock.monotonicMs();
    forgetFull(fullAt, nowMs);
    const before = Math.max(fullAt.get(callerId) ?? nowMs, nowMs);
    const left = burst - (before - nowMs) / refillMs;
    const needed = Math.min(burst, Math.max(1, requests));
    const allowed = left >= needed - ROUNDING;
    const after = allowed ? before + requests * refillMs : before;
    // Deleted and inserted again, so that the least recently used key is the first.
    fullAt.delete(callerId);
    fullAt.set(callerId, after);
    const remaining = Math.max(0, Math.floor(allowed ? left - requests + ROUNDING : 0));
    setHeaders(response, { burst, remaining, resetSeconds: Math.ceil((after - nowMs) / 1_000) });
    if (allowed) return;
    const waitSeconds = Math.max(1, Math.ceil(((needed - left) * refillMs) / 1_000));
    throw new ApiError('rate_limited', `${caller} may make ${perSecond} requests a second`, {
      'Retry-After': String(waitSeconds),
    });
  };
}

type Figures = { burst: number; remaining: number; resetSeconds: number };

/** If two limits apply, the headers show the one that has less left. */
function setHeaders(response: Response, { burst, remaining, resetSeconds }: Figures): void {
  const known = response.get('RateLimit-Remaining');
  if (known !== undefined && Number(known) < remaining) return;
  response.set('RateLimit-Limit', String(burst));
  response.set('RateLimit-Remaining', String(remaining));
  response.set('RateLimit-Reset', String(resetSeconds));
}

const ROUNDING = 1e-6;

/** Removes full buckets, which equal absent ones. It removes at most two a call, so that no call is slow. */
function forgetFull(fullAt: Map<string, number>, nowMs: number): void {
  let looked = 0;
  for (const [callerId, at] of fullAt) {
    if (at > nowMs || looked === 2) return;
    fullAt.delete(callerId);
    looked += 1;
  }
}
