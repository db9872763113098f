import { createHash } from 'node:crypto';
import { type EndReason, type NextState, nextState } from './next-state.ts';

/** How a lease ended: what the consumer said, or that it said nothing in time. */
export type LeaseOutcome =
  | { kind: 'acked' }
  /** `delaySeconds` is the consumer's wish; undefined for the schedule's. */
  | { kind: 'nacked'; delaySeconds: number | undefined }
  | { kind: 'expired' }
  /** Nothing can be given to a consumer, now or later. */
  | { kind: 'ended'; reason: EndReason; cancelReason?: string | undefined };

/** So many leases that end in a row without an answer are due again at once. Later ones wait by the schedule. */
const EXPIRED_AT_ONCE = 4;

export type AfterLease = {
  next: NextState | { status: 'pending'; delaySeconds: 0 };
  scheduleStep: number;
  lostLeases: number;
};

type Held = { scheduleStep: number; lostLeases: number; isTest: boolean; hasOneAttempt: boolean };

type Waits = {
  /** Seconds to the next retry by the schedule, or undefined when it has no step left. */
  retryDelaySeconds: number | undefined;
  /** Seconds until the event's retention ends: no retry is scheduled past it. */
  secondsLeft: number;
};

/** The state of a delivery after a lease (docs/interface.md, Pull). A test has one attempt, as has an event that keeps no payload. */
export function afterLease(outcome: LeaseOutcome, held: Held, waits: Waits): AfterLease {
  const { scheduleStep } = held;
  const isLast = held.isTest || held.hasOneAttempt;
  switch (outcome.kind) {
    case 'acked':
      return { next: { status: 'delivered' }, scheduleStep, lostLeases: 0 };
    case 'ended': {
      const { reason: failureReason, cancelReason } = outcome;
      return { next: { status: 'failed', failureReason, cancelReason }, scheduleStep, lostLeases: 0 };
    }
    case 'nacked':
      return { ...retried(held, waits, outcome.delaySeconds), lostLeases: 0 };
    case 'expired': {
      const lostLeases = held.lostLeases + 1;
      if (isLast || lostLeases > EXPIRED_AT_ONCE) return { ...retried(held, waits, undefined), lostLeases };
      const status = scheduleStep === 0 ? 'pending' : 'scheduled_retry';
      return { next: { status, delaySeconds: 0 } as AfterLease['next'], scheduleStep, lostLeases };
    }
  }
}

/** Every retry uses a step of the schedule, whatever delay the consumer asked for: the attempts stay bounded. */
function retried({ scheduleStep, isTest, hasOneAttempt }: Held, waits: Waits, delaySeconds: number | undefined) {
  const step = isTest || hasOneAttempt ? undefined : waits.retryDelaySeconds;
  const next = nextState({
    outcome: { kind: 'failed' },
    retryDelaySeconds: step === undefined ? undefined : (delaySeconds ?? step),
    secondsLeft: waits.secondsLeft,
  });
  return { next, scheduleStep: scheduleStep + (next.status === 'scheduled_retry' ? 1 : 0) };
}

/**
 * The id of the attempt that a lease is, by how it ended: the same for a repeated answer, which so writes no second attempt.
 * An answer after the end of the lease is another attempt than the end itself.
 */
export function attemptIdOf(lease: { deliveryId: string; leaseToken: string }, how: 'answered' | 'expired'): string {
  const hash = createHash('sha256').update(`${lease.deliveryId} ${lease.leaseToken} ${how}`).digest('hex');
  // The time of the lease, which its token has (UUIDv7).
  const variant = ((Number.parseInt(hash.charAt(3), 16) & 0x3) | 0x8).toString(16);
  return `${lease.leaseToken.slice(0, 14)}7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`;
}
