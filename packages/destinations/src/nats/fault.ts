import { JetStreamApiError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { FoundError } from '../broker/failures.ts';
import type { SendErrorCode, SendFailure } from '../failure.ts';
import { describeSendError } from '../webhook/send-error.ts';
import { NoStreamError } from './connection.ts';

const NO_STREAM = 'No stream of JetStream answers for this subject. Messages that no stream stores are not delivered';

/** Describes an error of the library as the failure of an attempt. */
export function describeNatsError(error: unknown): SendFailure {
  if (error instanceof FoundError) return error.failure;
  if (error instanceof JetStreamApiError) return describeApiError(error);
  if (error instanceof NoStreamError || isWithoutStream(error)) {
    return { errorCode: 'target_not_found', message: NO_STREAM };
  }
  const [, describe] = KNOWN.find(([type]) => error instanceof type) ?? [];
  if (describe !== undefined) return describe(error instanceof Error ? error.message : '');
  // The library gives no error if the server closes the connection while it opens.
  if (error === undefined) return CLOSED;
  if (!(error instanceof errors.ConnectionError) && !(error instanceof errors.RequestError)) {
    const failure = describeSendError(error);
    return failure.errorCode === 'internal' ? NOT_NATS : failure;
  }
  if (error.message.includes("does not support 'tls'")) return NO_TLS;
  return error.cause === undefined ? CLOSED : describeNatsError(error.cause);
}

const NOT_NATS: SendFailure = {
  errorCode: 'protocol_error',
  message: 'The server does not speak the protocol of NATS',
};

const NO_TLS: SendFailure = { errorCode: 'tls_error', message: 'The server does not offer TLS' };

const CLOSED: SendFailure = {
  errorCode: 'connection_reset',
  message: 'The connection was closed before the server acknowledged the message',
};

const said = (errorCode: SendErrorCode) => (words: string) => ({ errorCode, message: `NATS refused: ${words}` });

type Known = [type: new (...given: never[]) => Error, describe: (words: string) => SendFailure];
const KNOWN: readonly Known[] = [
  [errors.AuthorizationError, said('authentication_failed')],
  [errors.UserAuthenticationExpiredError, said('authentication_failed')],
  [errors.PermissionViolationError, said('access_denied')],
  [errors.ProtocolError, said('broker_error')],
  [errors.TimeoutError, () => ({ errorCode: 'timeout', message: 'The server did not answer in time' })],
  [errors.ClosedConnectionError, () => CLOSED],
  [errors.DrainingConnectionError, () => CLOSED],
];

/** The library does not export the class of this error: nobody listens on the subject. */
function isWithoutStream(error: unknown): boolean {
  return error instanceof Error && error.name === 'JetStreamNotEnabled';
}

/** Describes an error by JetStream's code (https://github.com/nats-io/nats-server/blob/main/server/errors.json). */
function describeApiError({ code, message }: JetStreamApiError): SendFailure {
  const errorCode = CODES[code] ?? 'broker_error';
  return {
    errorCode,
    message: `JetStream refused: ${message}`,
    ...(errorCode === 'message_too_large' ? { ends: errorCode } : {}),
  };
}

const CODES: Readonly<Record<number, 'message_too_large' | 'target_not_found' | 'access_denied'>> = {
  10054: 'message_too_large', // message size exceeds maximum allowed
  10097: 'message_too_large', // headers too large
  10059: 'target_not_found', // stream not found
  10039: 'target_not_found', // JetStream not enabled for account
  10076: 'target_not_found', // JetStream not enabled
  10109: 'access_denied', // stream sealed
};
