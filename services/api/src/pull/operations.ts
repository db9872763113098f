import type { ErrorCode } from '@posthorn/contract/errors';
import {
  ackBody,
  extendBody,
  extendResults,
  leaseAnswer,
  leaseBody,
  leaseResults,
  nackBody,
} from '@posthorn/contract/pull';

const errors: readonly ErrorCode[] = ['not_found', 'endpoint_inactive', 'payload_too_large', 'unsupported_media_type'];
const shared = { method: 'post', tag: 'Pull', status: 200, errors } as const;

/** The operations of consumers at an endpoint, by the last segment of the path. */
export const PULL_OPERATIONS = {
  lease: {
    ...shared,
    operationId: 'leaseMessages',
    summary: 'Lease messages',
    description:
      'Returns the messages that have been due for longest. Each is reserved for this consumer until its lease ends. With `waitSeconds`, the response waits for the first message. A response is limited to 4 MiB: a larger one has fewer messages, but at least one.',
    body: leaseBody,
    response: leaseAnswer,
  },
  ack: {
    ...shared,
    operationId: 'ackMessages',
    summary: 'Acknowledge messages',
    description:
      'Marks each message as `delivered`. An acknowledgement after the lease has ended still counts, unless another consumer has leased the message. Repeating the request is safe and returns the same result.',
    body: ackBody,
    response: leaseResults,
  },
  nack: {
    ...shared,
    operationId: 'nackMessages',
    summary: 'Reject messages',
    description:
      'Counts a failed attempt for each message. The message is due again after `delaySeconds`, or by the retry schedule. After the last step of the schedule, it is a dead letter.',
    body: nackBody,
    response: leaseResults,
  },
  extend: {
    ...shared,
    operationId: 'extendMessages',
    summary: 'Extend leases',
    description: 'Extends each lease that is still held to `leaseSeconds` from now.',
    body: extendBody,
    response: extendResults,
  },
} as const;
