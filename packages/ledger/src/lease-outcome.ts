import { createHash } from 'node:crypto';
import { type EndReason, type NextState, nextState } from './next-state.ts';

/** How a lease ended: with the consumer's answer, or without one in time. */
export type LeaseOutcome =
  | { kind: 'acked' }
  /** `delaySeconds` is the consumer's wish; undefined for the schedule's delay. */
  | { kind: 'nacked'; delaySeconds: number | undefined }
  | { kind: 'expired' }
  /** The delivery can never be given to a consumer. */
  | { kind: 'ended'; reason: EndReason; cancelReason?: string | undefined };

/** This many leases in a row may end without an answer and are due again at once. Later ones wait by the schedule. */
const EXPIRED_AT_ONCE = 4;

export type AfterLease = {
  next: NextState | { status: 'pending'; delaySeconds: 0 };
  scheduleStep: number;
  lostLeases: number;
};

type Held = { scheduleStep: number; lostLeases: number; isTest: boolean; hasOneAttempt: boolean };

type Waits = {
  /** The seconds until the next retry of the schedule; undefined if no step is left. */
  retryDelaySeconds: number | undefined;
  /** The seconds until the event's retention ends. No retry is scheduled after that. */
  secondsLeft: number;
};

/**
 * The state of a delivery after a lease (docs/interface.md, Pull). A test has a single attempt, and so has an event
 * that keeps no payload.
 */
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

/**
 * Every retry uses a step of the schedule, even if the consumer asked for a delay, so that the number of attempts is
 * limited.
 */
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
 * The id of the attempt for a lease and the way it ended. It is the same for a repeated answer, which therefore writes
 * no second attempt. An answer after the end of a lease is a different attempt than the end itself.
 */
export function attemptIdOf(lease: { deliveryId: string; leaseToken: string }, how: 'answered' | 'expired'): string {
  const hash = createHash('sha256').update(`${lease.deliveryId} ${lease.leaseToken} ${how}`).digest('hex');
  // The time of the lease comes from its token (UUIDv7).
  const variant = ((Number.parseInt(hash.charAt(3), 16) & 0x3) | 0x8).toString(16);
  return `${lease.leaseToken.slice(0, 14)}7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`;
}
