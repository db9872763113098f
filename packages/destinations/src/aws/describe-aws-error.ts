import { FoundError } from '../broker/failures.ts';
import type { SendFailure } from '../failure.ts';
import { shownText } from '../shown.ts';
import { describeSendError } from '../webhook/send-error.ts';
import { judgeFault } from './fault.ts';
import { RoleError } from './identity.ts';
import { TOO_LARGE } from './transport.ts';

type Properties = {
  name?: unknown;
  message?: unknown;
  code?: unknown;
  $fault?: unknown;
  $metadata?: { httpStatusCode?: unknown };
  $response?: { statusCode?: unknown };
};

/** Describes an error of the AWS SDK as the failure of an attempt. The text contains none of the credentials. */
export function describeAwsError(error: unknown, credentials: Readonly<Record<string, string>>): SendFailure {
  if (error instanceof FoundError) return error.failure;
  if (error instanceof RoleError) return describeRoleFault(error, credentials);
  const properties: Properties = typeof error === 'object' && error !== null ? error : {};
  const { name, message, code, $fault, $metadata, $response } = properties;
  const status = numberOf($metadata?.httpStatusCode) ?? numberOf($response?.statusCode);
  if ($fault !== undefined) {
    return judgeFault({ name: textOf(name), said: textOf(message), status }, credentials);
  }
  if (code === TOO_LARGE) return { errorCode: 'protocol_error', message: 'The answer is too large' };
  if (status !== null && status >= 500) {
    return { errorCode: 'broker_error', message: `The service answered with status ${status}` };
  }
  if (status !== null) {
    return { errorCode: 'protocol_error', message: `The answer with status ${status} is not from this service` };
  }
  return describeSendError(error);
}

/** Describes an error of the token service, which gets a request before the endpoint's own service does. */
function describeRoleFault({ cause }: RoleError, credentials: Readonly<Record<string, string>>): SendFailure {
  const { name, message, $fault }: Properties = typeof cause === 'object' && cause !== null ? cause : {};
  // An error without `$fault` comes from no service: the dispatcher has no identity, or the token service was
  // unreachable.
  const said = $fault === undefined ? 'the token service gave no answer' : textOf(message);
  const { message: words } = judgeFault({ name: textOf(name), said, status: null }, credentials);
  const shown = shownText(`The role could not be taken. ${words}`, credentials);
  return { errorCode: 'authentication_failed', message: shown };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
