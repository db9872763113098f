import type { SendErrorCode, SendFailure } from '../failure.ts';
import type { Place } from '../kind.ts';
import { shownText } from '../shown.ts';

/** For each failure of an attempt, the names that AWS services give to the matching errors. */
const CODES: Readonly<Record<string, SendErrorCode>> = {
  ...all('authentication_failed', [
    ...['InvalidClientTokenId', 'UnrecognizedClientException', 'InvalidAccessKeyId', 'SignatureDoesNotMatch'],
    ...['InvalidSignatureException', 'IncompleteSignature', 'IncompleteSignatureException', 'ExpiredToken'],
    ...['ExpiredTokenException', 'InvalidToken', 'MissingAuthenticationToken', 'MissingAuthenticationTokenException'],
    ...['AuthFailure', 'InvalidSecurity', 'RequestExpired', 'RequestTimeTooSkewed', 'TokenRefreshRequired'],
  ]),
  ...all('access_denied', [
    ...['AccessDenied', 'AccessDeniedException', 'AuthorizationError', 'AuthorizationErrorException', 'Forbidden'],
    ...['AllAccessDisabled', 'AccountProblem', 'KmsAccessDenied', 'KMSAccessDenied', 'KMSAccessDeniedException'],
    ...['KMSOptInRequired', 'OptInRequired', 'UnauthorizedOperation', 'InvalidObjectState', 'NotAuthorized'],
    ...['NotAuthorizedForSourceException', 'NotAuthorizedForDetailTypeException'],
  ]),
  ...all('target_not_found', [
    ...['QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue', 'QueueDeletedRecently', 'InvalidAddress'],
    ...['NotFound', 'NotFoundException', 'ResourceNotFoundException', 'NoSuchBucket', 'PermanentRedirect'],
    ...['AuthorizationHeaderMalformed', 'IllegalLocationConstraintException'],
  ]),
  ...all('throttled', [
    ...['Throttling', 'ThrottlingException', 'Throttled', 'ThrottledException', 'RequestThrottled'],
    ...['RequestThrottledException', 'TooManyRequests', 'TooManyRequestsException', 'OverLimit', 'SlowDown'],
    ...['ProvisionedThroughputExceededException', 'RequestLimitExceeded', 'LimitExceededException'],
    ...['KmsThrottled', 'KMSThrottling', 'KMSThrottlingException', 'BandwidthLimitExceeded'],
  ]),
  ...all('message_too_large', ['BatchRequestTooLong', 'MessageTooLong', 'EntityTooLarge', 'RequestEntityTooLarge']),
  ...all('invalid_target', ['KeyTooLongError', 'InvalidURI', 'XMinioInvalidObjectName']),
  ...all('invalid_payload', ['InvalidMessageContents', 'MalformedDetail']),
};

function all(code: SendErrorCode, names: readonly string[]): Record<string, SendErrorCode> {
  return Object.fromEntries(names.map((name) => [name, code]));
}

/** Some services use one name for every wrong parameter. Only their message says that the payload is too long. */
const PARAMETER =
  /^(InvalidParameter|InvalidParameterValue|InvalidParameterException|ValidationException|InvalidArgumentException|ValidationError|InvalidAttributeValue)$/;
const TOO_LONG =
  /too long|too large|shorter than|over the limit|length less than or equal|exceeds? the (maximum|limit)/i;

type Fault = { name: string; said: string; status: number | null };

/**
 * Describes an error of an AWS service as a failure. `name` is the service's name for the error, and `said` its
 * message. An unknown error is `broker_error` and is retried.
 */
export function judgeFault({ name, said, status }: Fault, credentials: Place['credentials']): SendFailure {
  const errorCode = codeOf(name, said, status);
  const ends = ENDING.find((code) => code === errorCode);
  const message = said === '' ? name : `${name}: ${said}`;
  return { errorCode, message: shownText(message, credentials), ...(ends === undefined ? {} : { ends }) };
}

const ENDING = ['message_too_large', 'invalid_target', 'invalid_payload'] as const;

function codeOf(name: string, said: string, status: number | null): SendErrorCode {
  const known = Object.hasOwn(CODES, name) ? CODES[name] : undefined;
  if (known !== undefined) return known;
  if (status === 413 || (PARAMETER.test(name) && TOO_LONG.test(said))) return 'message_too_large';
  if (status === 429) return 'throttled';
  if (status === 401) return 'authentication_failed';
  if (status === 403) return 'access_denied';
  // The bucket is in another region. The answer to HEAD has no error name for that.
  if (status === 301) return 'target_not_found';
  return 'broker_error';
}
