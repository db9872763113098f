import { AuthenticationError, NetworkError, ProtocolError, TimeoutError, UserError } from '@platformatic/kafka';
import { FoundError, tooLarge } from '../broker/failures.ts';
import type { SendErrorCode, SendFailure } from '../failure.ts';
import { describeSendError } from '../webhook/send-error.ts';
import { textOf } from '../webhook/tls-fault.ts';

/** Describes an error of the library as the failure of an attempt, by the most informative error inside it. */
export function describeKafkaError(error: unknown): SendFailure {
  const errors = withCauses(error);
  for (const describe of DESCRIPTIONS) {
    for (const one of errors) {
      const failure = describe(one);
      if (failure !== undefined) return failure;
    }
  }
  return { errorCode: 'protocol_error', message: 'The server does not speak the protocol of Kafka' };
}

/** Whether a broker refused a message because another broker now leads the partition. */
export function isStale(error: unknown): boolean {
  return withCauses(error).some((one) => one instanceof ProtocolError && STALE.has(String(Reflect.get(one, 'apiId'))));
}

/** Whether the connection to the broker was lost or could not be made. */
export function isLost(error: unknown): boolean {
  return withCauses(error).some((one) => one instanceof NetworkError);
}

const STALE = new Set(['NOT_LEADER_OR_FOLLOWER', 'LEADER_NOT_AVAILABLE', 'FENCED_LEADER_EPOCH']);

const MOST_ERRORS = 50;

/** An error, the errors that it collects, and their causes. */
function withCauses(error: unknown): unknown[] {
  const found: unknown[] = [error];
  for (const one of found) {
    if (typeof one !== 'object' || one === null || found.length > MOST_ERRORS) continue;
    const gathered: unknown = Reflect.get(one, 'errors');
    if (Array.isArray(gathered)) found.push(...gathered.slice(0, MOST_ERRORS));
    const cause: unknown = Reflect.get(one, 'cause');
    if (cause !== undefined && cause !== null) found.push(cause);
  }
  return found;
}

/** The first function that recognizes one of the errors decides. */
const DESCRIPTIONS: readonly ((error: unknown) => SendFailure | undefined)[] = [
  (error) => (error instanceof FoundError ? error.failure : undefined),
  (error) => {
    const failure = describeSendError(error);
    return failure.ends === undefined ? undefined : failure;
  },
  (error) =>
    error instanceof ProtocolError ? describeProtocolError(error, String(Reflect.get(error, 'apiId'))) : undefined,
  (error) =>
    error instanceof AuthenticationError
      ? { errorCode: 'authentication_failed', message: `Kafka refused: ${error.message}` }
      : undefined,
  (error) => (error instanceof UserError ? describeUserError(error.message) : undefined),
  (error) =>
    error instanceof TimeoutError ? { errorCode: 'timeout', message: 'The broker did not answer in time' } : undefined,
  (error) => (OF_CLIENT.test(textOf(error, 'code')) ? NO_CERTIFICATE : undefined),
  (error) => {
    const failure = describeSendError(error);
    return failure.errorCode === 'internal' ? undefined : failure;
  },
  (error) => (error instanceof NetworkError ? CLOSED : undefined),
];

/** The TLS alerts by which a broker refuses a client, as OpenSSL names them. */
const OF_CLIENT =
  /^ERR_SSL_(TLSV1|TLSV13|SSLV3)_ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|UNKNOWN_CA)$/;
const NO_CERTIFICATE: SendFailure = {
  errorCode: 'tls_error',
  message:
    'The broker refused the client certificate, or requires one. Give clientCertificate and clientKey of an authority that it trusts',
};

const CLOSED: SendFailure = {
  errorCode: 'connection_reset',
  message: 'The connection was closed before the broker acknowledged the message',
};

/** The library has no classes for these errors. */
function describeUserError(words: string): SendFailure | undefined {
  if (words.startsWith('Unknown topic')) {
    return { errorCode: 'target_not_found', message: 'The topic does not exist, or the user may not describe it' };
  }
  return words.startsWith('TLS handshake failed')
    ? { errorCode: 'tls_error', message: 'The TLS handshake failed. Use the port for TLS' }
    : undefined;
}

/** Describes an error by its protocol code (https://kafka.apache.org/protocol.html#protocol_error_codes). */
function describeProtocolError(error: Error, apiId: string): SendFailure {
  const said: unknown = Reflect.get(error, 'serverErrorMessage');
  const words = typeof said === 'string' && said !== '' ? said : error.message;
  const errorCode = CODES[apiId] ?? 'broker_error';
  const message = `Kafka refused: ${words}`;
  return errorCode === 'message_too_large' ? tooLarge(message) : { errorCode, message };
}

const CODES: Readonly<Record<string, SendErrorCode>> = {
  SASL_AUTHENTICATION_FAILED: 'authentication_failed',
  UNSUPPORTED_SASL_MECHANISM: 'authentication_failed',
  ILLEGAL_SASL_STATE: 'authentication_failed',
  TOPIC_AUTHORIZATION_FAILED: 'access_denied',
  CLUSTER_AUTHORIZATION_FAILED: 'access_denied',
  UNKNOWN_TOPIC_OR_PARTITION: 'target_not_found',
  INVALID_TOPIC_EXCEPTION: 'target_not_found',
  MESSAGE_TOO_LARGE: 'message_too_large',
  RECORD_LIST_TOO_LARGE: 'message_too_large',
  THROTTLING_QUOTA_EXCEEDED: 'throttled',
};
