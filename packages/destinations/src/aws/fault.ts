import type { SendErrorCode, SendFailure } from '../failure.ts';
import type { Place } from '../kind.ts';
import { shownText } from '../shown.ts';

/** The names that the services of AWS give to their errors, by what they mean for an attempt. */
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

/** Services that have one name for every wrong parameter say in their words that the message is too long. */
const PARAMETER =
  /^(InvalidParameter|InvalidParameterValue|InvalidParameterException|ValidationException|InvalidArgumentException|ValidationError|InvalidAttributeValue)$/;
const TOO_LONG =
  /too long|too large|shorter than|over the limit|length less than or equal|exceeds? the (maximum|limit)/i;

type Fault = { name: string; said: string; status: number | null };

/**
 * What an error of an AWS service means. `name` is the service's name for the error, and `said` its words. An answer that
 * is not known is `broker_error`, and will be tried again.
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
  // A bucket in another region. The answer to HEAD has no name for it.
  if (status === 301) return 'target_not_found';
  return 'broker_error';
}
