import type { Clock } from '@posthorn/runtime/clock';
import type { Response } from 'express';
import { ApiError } from './error.ts';

/** Spends one request of a caller's limit (a credential, or an address) and sets the answer's headers; throws `rate_limited` with nothing left. */
export type RateLimit = (response: Response, callerId: string) => void;

export type RateLimitOptions = {
  clock: Pick<Clock, 'monotonicMs'>;
  /** Requests a second in the long run; 0 switches the limit off. */
  perSecond: number;
  /** How many may come at once, as seconds of the rate. */
  burstSeconds: number;
  /** What is limited, as the refusal names it. */
  caller?: string;
};

/**
 * A token bucket per caller (decisions §10). It is kept in this process: a shared one would put Redis on the way of
 * every answer, and an API must go on without it. So with several processes a caller may get as many times the limit.
 */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { clock, perSecond, burstSeconds, caller = 'This credential' } = options;
  if (perSecond === 0) return () => {};
  const burst = perSecond * burstSeconds;
  const refillMs = 1_000 / perSecond;
  // When each bucket is full again says all of it: what is missing now is the time until then, over the refill time.
  const fullAt = new Map<string, number>();

  return (response, callerId) => {
    const nowMs = clock.monotonicMs();
    forgetFull(fullAt, nowMs);
    const before = Math.max(fullAt.get(callerId) ?? nowMs, nowMs);
    const left = burst - (before - nowMs) / refillMs;
    const allowed = left >= 1 - ROUNDING;
    const after = allowed ? before + refillMs : before;
    // Taken out and put in again, so that the least recently used stands first.
    fullAt.delete(callerId);
    fullAt.set(callerId, after);
    response.set('RateLimit-Limit', String(burst));
    response.set('RateLimit-Remaining', String(Math.max(0, Math.floor(allowed ? left - 1 + ROUNDING : 0))));
    response.set('RateLimit-Reset', String(Math.ceil((after - nowMs) / 1_000)));
    if (allowed) return;
    const waitSeconds = Math.max(1, Math.ceil(((1 - left) * refillMs) / 1_000));
    throw new ApiError('rate_limited', `${caller} may make ${perSecond} requests a second`, {
      'Retry-After': String(waitSeconds),
    });
  };
}

const ROUNDING = 1e-6;

/** A full bucket is as good as none. Two a call at most, so that no call is slow and the map still shrinks. */
function forgetFull(fullAt: Map<string, number>, nowMs: number): void {
  let looked = 0;
  for (const [callerId, at] of fullAt) {
    if (at > nowMs || looked === 2) return;
    fullAt.delete(callerId);
    looked += 1;
  }
}
