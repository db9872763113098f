/** What an attempt came to. A customer's failure is a value. */
export type Outcome =
  | { kind: 'delivered' }
  /** Worth another try, while the schedule has a step left. */
  | { kind: 'failed' }
  /** No try can help. */
  | { kind: 'ended'; reason: EndReason };

export type EndReason =
  | 'gone'
  | 'aborted_by_receiver'
  | 'blocked_address'
  | 'payload_expired'
  | 'payload_unreadable'
  | 'invalid_request';

/** Where a delivery goes after an attempt (docs/interface.md, Transitions). */
export type NextState =
  | { status: 'delivered' }
  | { status: 'scheduled_retry'; delaySeconds: number }
  | { status: 'failed'; failureReason: EndReason }
  | { status: 'dead_letter'; failureReason: 'retries_exhausted' };

export type NextStateInput = {
  outcome: Outcome;
  /** Seconds to the next try, or undefined when the schedule has no step left. */
  retryDelaySeconds: number | undefined;
  /** Seconds until the event's retention ends: no try is set past it. */
  secondsLeft: number;
};

export function nextState({ outcome, retryDelaySeconds, secondsLeft }: NextStateInput): NextState {
  switch (outcome.kind) {
    case 'delivered':
      return { status: 'delivered' };
    case 'ended':
      return { status: 'failed', failureReason: outcome.reason };
    case 'failed':
      if (retryDelaySeconds === undefined || retryDelaySeconds >= secondsLeft) {
        return { status: 'dead_letter', failureReason: 'retries_exhausted' };
      }
      return { status: 'scheduled_retry', delaySeconds: retryDelaySeconds };
  }
}
