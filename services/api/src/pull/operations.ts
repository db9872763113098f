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

/** What consumers can do at an endpoint, by the last segment of the path. */
export const PULL_OPERATIONS = {
  lease: {
    ...shared,
    operationId: 'leaseMessages',
    summary: 'Lease messages',
    description:
      'The messages that have been due for longest, each for this consumer alone until its lease ends. With `waitSeconds`, the answer waits for the first message. An answer has at most 4 MiB: then it has fewer messages, and at least one.',
    body: leaseBody,
    response: leaseAnswer,
  },
  ack: {
    ...shared,
    operationId: 'ackMessages',
    summary: 'Acknowledge messages',
    description:
      'Each is `delivered`. After the end of a lease it still counts, as long as nobody else has leased the message. Repeat it safely: the result is the same.',
    body: ackBody,
    response: leaseResults,
  },
  nack: {
    ...shared,
    operationId: 'nackMessages',
    summary: 'Give messages back',
    description:
      'Each is a failed attempt. The message is due again after `delaySeconds`, else by the retry schedule. After the last step of the schedule it is a dead letter.',
    body: nackBody,
    response: leaseResults,
  },
  extend: {
    ...shared,
    operationId: 'extendMessages',
    summary: 'Extend leases',
    description: 'Each lease that is still held ends after `leaseSeconds` from now.',
    body: extendBody,
    response: extendResults,
  },
} as const;
