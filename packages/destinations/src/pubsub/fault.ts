import { Code, ConnectError } from '@connectrpc/connect';
import { FoundError } from '../broker/failures.ts';
import type { SendErrorCode, SendFailure } from '../failure.ts';
import { describeSendError } from '../webhook/send-error.ts';

/** Describes an error of the library or of Node as the failure of an attempt. */
export function describePubSubError(error: unknown): SendFailure {
  if (error instanceof FoundError) return error.failure;
  if (!(error instanceof ConnectError)) return describeSendError(error);
  const { code, rawMessage, metadata, cause } = error;
  if (metadata.has('grpc-status')) {
    return { errorCode: CODES[code] ?? 'broker_error', message: `Pub/Sub refused (${Code[code]}): ${rawMessage}` };
  }
  if (cause !== undefined) {
    const failure = describeSendError(cause);
    return failure.errorCode === 'internal' ? CLOSED : failure;
  }
  if (rawMessage.startsWith('HTTP 5') || rawMessage === 'HTTP 429') {
    return {
      errorCode: rawMessage === 'HTTP 429' ? 'throttled' : 'broker_error',
      message: `The answer is ${rawMessage}`,
    };
  }
  if (rawMessage.startsWith('http/2 stream closed')) return CLOSED;
  return { errorCode: 'protocol_error', message: 'The answer is not from Pub/Sub' };
}

export const CLOSED: SendFailure = {
  errorCode: 'connection_reset',
  message: 'The connection was closed before the message was acknowledged',
};

/** Failures by gRPC code (https://cloud.google.com/pubsub/docs/reference/error-codes). */
const CODES: Partial<Record<Code, SendErrorCode>> = {
  [Code.Unauthenticated]: 'authentication_failed',
  [Code.PermissionDenied]: 'access_denied',
  [Code.NotFound]: 'target_not_found',
  [Code.ResourceExhausted]: 'throttled',
  [Code.DeadlineExceeded]: 'timeout',
};
