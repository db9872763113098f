/** The reasons why an attempt failed: its `errorCode`. Add a code here if a kind needs one. */
export const ATTEMPT_ERROR_CODES = [
  'timeout',
  'dns_failure',
  'connection_refused',
  'connection_reset',
  'tls_error',
  'blocked_address',
  'http_status',
  'too_large',
  'protocol_error',
  'internal',
  'proxy_error',
  'oauth2_failed',
  'nacked',
  'lease_expired',
  'authentication_failed',
  'access_denied',
  'target_not_found',
  'unroutable',
  'invalid_target',
  'invalid_payload',
  'target_exists',
  'message_too_large',
  'throttled',
  'broker_error',
  'transformation_failed',
] as const;

/**
 * A failure without an answer. `http_status` is left out because it comes from an answer's status. `nacked` and an
 * expired lease concern only messages that consumers fetch.
 */
export type SendErrorCode = Exclude<(typeof ATTEMPT_ERROR_CODES)[number], 'http_status' | 'nacked' | 'lease_expired'>;

/** The failures that end the delivery: its `failureReason`. Every other failure is retried. */
export const ENDING_FAILURES = [
  'blocked_address',
  'invalid_target',
  'invalid_payload',
  'target_exists',
  'message_too_large',
] as const;
export type EndingFailure = (typeof ENDING_FAILURES)[number];

/**
 * A failed attempt without a complete answer. `message` is for the customer: it has no credentials, no forbidden
 * address, and no text that the other side controls. `ends` is set if the same attempt would always fail.
 */
export type SendFailure = { errorCode: SendErrorCode; message: string; ends?: EndingFailure };

export function timedOut(what: string, afterMs: number): SendFailure {
  return { errorCode: 'timeout', message: `${what} within ${afterMs / 1_000} s` };
}
