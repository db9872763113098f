import type { Attempt, Delivery } from '../../client/resources.ts';

/** What happened in one sentence, and what to do about it. */
export type Verdict = { said: string; advice: string };

type Judged = Pick<
  Attempt,
  'outcome' | 'errorCode' | 'errorMessage' | 'responseStatus' | 'responseHeaders' | 'durationMs'
>;

const ADVICE: Record<NonNullable<Attempt['errorCode']>, string> = {
  timeout:
    'Answer 2xx first and do the work afterwards, or raise timeoutSeconds in the endpoint’s config (at most 30).',
  dns_failure: 'Check that the host name of the URL is spelled right and resolves from the internet.',
  connection_refused:
    'Nothing listens at that address and port. Check that the receiver runs and that its firewall lets Posthorn in.',
  connection_reset:
    'The connection broke before the answer was complete. Look for restarts, proxies and body limits at the receiver. It may have got the event: a repeat has the same webhook-id.',
  tls_error: 'Renew or complete the certificate: it must be valid for the host name, with its whole chain.',
  blocked_address:
    'The host resolves to an address that Posthorn may not reach, such as a private one. Use a public address, or have the operator allow the range.',
  http_status: 'Look at the answer’s body below for the receiver’s own words.',
  too_large: 'The answer’s headers are larger than Posthorn reads. Answer with fewer headers.',
  protocol_error: 'What came back is not HTTP. Check that the URL leads to a web server and that the port is right.',
  internal: 'The fault is Posthorn’s. The attempt is repeated, and does not count against the endpoint.',
};

const STATUS_ADVICE: Record<number, string> = {
  401: 'The receiver wants credentials. Set the endpoint’s username and password, or the header that it expects.',
  403: 'The receiver refuses the request. Check its firewall, its allow-list and how it verifies the signature.',
  404: 'The path does not exist at the receiver. Check the endpoint’s URL.',
  405: 'The path does not take POST. Check the endpoint’s URL.',
  410: 'The receiver says that it is gone for good, so the endpoint was deactivated. Activate it again when that was a mistake.',
  413: 'The receiver refuses bodies of this size. Raise its limit.',
  415: 'The receiver does not take this content type.',
  429: 'The receiver is overloaded. Set a rateLimit in the endpoint’s config.',
};

/** The verdict of an attempt. */
export function verdictOf(attempt: Judged): Verdict {
  if (attempt.outcome === 'success') {
    return { said: `The endpoint answered ${attempt.responseStatus}. The event is delivered.`, advice: '' };
  }
  const { errorCode, responseStatus } = attempt;
  if (errorCode === 'http_status' && responseStatus !== null) {
    const wait = retryAfter(attempt);
    const said = `The endpoint answered ${responseStatus}${wait === null ? '' : ` and asked to wait ${wait}`}.`;
    return {
      said,
      advice: wait === null ? statusAdvice(responseStatus) : 'The next attempt honours that, up to a day.',
    };
  }
  const said = attempt.errorMessage ?? 'The attempt failed.';
  return { said, advice: ADVICE[errorCode ?? 'internal'] };
}

const REASONS: Record<NonNullable<Delivery['failureReason']>, string> = {
  endpoint_inactive: 'The endpoint was inactive. Activate it, then retry.',
  endpoint_deleted: 'The endpoint was deleted.',
  quarantined:
    'Five workers in a row were lost while they sent it, so it was set aside. Retry it, and tell the operator.',
  retries_exhausted: 'Every attempt of the schedule failed. Mend the receiver, then retry.',
  gone: 'The endpoint answered 410 Gone and was deactivated.',
  aborted_by_receiver: 'The receiver asked to stop with its answer.',
  blocked_address: 'The URL leads to an address that Posthorn may not reach.',
  payload_expired: 'The event reached the end of its retention.',
  payload_unreadable: 'The payload could not be opened with the sealing keys of this installation. Tell the operator.',
  invalid_request: 'No request can be built from the endpoint’s configuration. Look at its headers.',
  cancelled: 'It was cancelled.',
};

/** Why a delivery ended without success. */
export function reasonOf(reason: NonNullable<Delivery['failureReason']>): string {
  return REASONS[reason];
}

function statusAdvice(status: number): string {
  if (status >= 300 && status < 400) return 'Posthorn follows no redirect. Set the endpoint’s URL to where it leads.';
  if (status >= 500) return 'The receiver failed. Look into its logs; the answer’s body below may name the fault.';
  return STATUS_ADVICE[status] ?? ADVICE.http_status;
}

function retryAfter({ responseStatus, responseHeaders }: Judged): string | null {
  const header = responseHeaders?.['retry-after'];
  if (responseStatus !== 429 && responseStatus !== 503) return null;
  if (typeof header !== 'string' || header === '') return null;
  return /^\d{1,9}$/.test(header) ? `${header} s` : `until ${header}`;
}
