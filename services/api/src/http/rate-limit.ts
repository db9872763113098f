import type { Clock } from '@posthorn/runtime/clock';
import type { Response } from 'express';
import { ApiError } from './error.ts';

/**
 * Spends requests of a caller's limit and sets the answer's `RateLimit-*` headers; throws `rate_limited` when too few
 * are left. A full bucket admits any number and goes negative. With 0 nothing is spent, but one request must be left.
 */
export type RateLimit = (response: Response, callerId: string, requests?: number) => void;

export type RateLimitOptions = {
  clock: Pick<Clock, 'monotonicMs'>;
  /** The long-term rate in requests a second; 0 switches the limit off. */
  perSecond: number;
  /** The burst that is allowed at once, in seconds of the rate. */
  burstSeconds: number;
  /** The name of the limited caller in the refusal. */
  caller?: string;
};

/** A workspace may make as many requests as this many of its credentials. */
const CREDENTIALS_OF_A_WORKSPACE = 4;

/**
 * The limit of each credential, and the limit of all credentials of a workspace together (docs/interface.md, Rate
 * limits).
 */
export function createRateLimits(options: Omit<RateLimitOptions, 'caller'>): {
  credential: RateLimit;
  workspace: RateLimit;
} {
  const perSecond = CREDENTIALS_OF_A_WORKSPACE * options.perSecond;
  return {
    credential: createRateLimit(options),
    workspace: createRateLimit({ ...options, perSecond, caller: 'This workspace' }),
  };
}

/**
 * A token bucket for each caller (docs/interface.md, Rate limits), kept in this process. A shared bucket would make
 * every answer depend on Redis, and an API must work without Redis. So several processes together allow a multiple of
 * the limit.
 */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { clock, perSecond, burstSeconds, caller = 'This credential' } = options;
  if (perSecond === 0) return () => {};
  const burst = perSecond * burstSeconds;
  const refillMs = 1_000 / perSecond;
  // The time at which a bucket is full again also tells how much is missing now.
  const fullAt = new Map<string, number>();

  return (response, callerId, requests = 1) => {
    const nowMs = clock.monotonicMs();
    forgetFull(fullAt, nowMs);
    const before = Math.max(fullAt.get(callerId) ?? nowMs, nowMs);
    const left = burst - (before - nowMs) / refillMs;
    const needed = Math.min(burst, Math.max(1, requests));
    const allowed = left >= needed - ROUNDING;
    const after = allowed ? before + requests * refillMs : before;
    // Deleted and inserted again, so that the least recently used key is first.
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

/** Of two limits, the headers show the one with less left. */
function setHeaders(response: Response, { burst, remaining, resetSeconds }: Figures): void {
  const known = response.get('RateLimit-Remaining');
  if (known !== undefined && Number(known) < remaining) return;
  response.set('RateLimit-Limit', String(burst));
  response.set('RateLimit-Remaining', String(remaining));
  response.set('RateLimit-Reset', String(resetSeconds));
}

const ROUNDING = 1e-6;

/**
 * A full bucket equals an absent one. Each call removes at most two, so that no call is slow and the map still shrinks.
 */
function forgetFull(fullAt: Map<string, number>, nowMs: number): void {
  let looked = 0;
  for (const [callerId, at] of fullAt) {
    if (at > nowMs || looked === 2) return;
    fullAt.delete(callerId);
    looked += 1;
  }
}
