/** The result of an attempt. A failure of the customer's endpoint is a value, not an error. */
export type Outcome =
  | { kind: 'delivered' }
  /** Retried as long as the schedule has a step left. */
  | { kind: 'failed' }
  /** Never retried. */
  | { kind: 'ended'; reason: EndReason };

export type EndReason =
  | 'gone'
  | 'aborted_by_receiver'
  | 'blocked_address'
  | 'invalid_target'
  | 'invalid_payload'
  | 'target_exists'
  | 'message_too_large'
  | 'payload_expired'
  | 'payload_unreadable'
  | 'invalid_request'
  | 'cancelled_by_transformation';

/** The state of a delivery after an attempt (docs/interface.md, Transitions). */
export type NextState =
  | { status: 'delivered' }
  | { status: 'scheduled_retry'; delaySeconds: number }
  /** `cancelReason` is the reason that a transformation gave for cancelling the event. */
  | { status: 'failed'; failureReason: EndReason; cancelReason?: string | undefined }
  | { status: 'dead_letter'; failureReason: 'retries_exhausted' };

export type NextStateInput = {
  outcome: Outcome;
  /** The seconds until the next retry; undefined if the schedule has no step left. */
  retryDelaySeconds: number | undefined;
  /** The seconds until the event's retention ends. No retry is scheduled after that. */
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
