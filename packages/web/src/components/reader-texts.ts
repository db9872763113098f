import type { Attempt, Delivery, PayloadEnvelope } from '../client/resources.ts';
import { t } from '../language/language.ts';

/**
 * The texts that differ between the dashboard and the portal, because their readers have other controls and ask other
 * people for help. The portal belongs to the workspace's owner, whom its texts call the sender.
 */
export type ReaderTexts = {
  /** The reader's word for an event. */
  noun: 'event' | 'message';
  /** The page that shows who has read a payload. */
  log: 'activity' | 'audit log';
  /** Advice on an attempt without a response, by error code. */
  errors: Readonly<Record<NonNullable<Attempt['errorCode']>, string>>;
  /** Advice on a response, by status. */
  statuses: Readonly<Record<number, string>>;
  /** Why a delivery ended without success, and what to do. */
  reasons: Readonly<Record<NonNullable<Delivery['failureReason']>, string>>;
  /** The reasons with which a test can end. A test is sent once and cannot be retried, so its advice differs. */
  testReasons: Partial<ReaderTexts['reasons']>;
  /** Why a payload is not shown; an empty text if it is shown. */
  payloads: Readonly<Record<PayloadEnvelope['status'], string>>;
};

/** The advice that every reader can follow. */
export const COMMON_ERRORS = {
  dns_failure: t('Check that the host name of the URL is spelled right and resolves from the internet.'),
  connection_refused: t(
    'Check that the receiver runs, that it listens at that address and port, and that its firewall lets these requests in.',
  ),
  connection_reset: t(
    'The connection broke before the answer was complete. Look for restarts, proxies and body limits at the receiver. It may have got the request: a repeat has the same webhook-id.',
  ),
  tls_error: t('Renew or complete the certificate: it must be valid for the host name, with its whole chain.'),
  http_status: t('Look at the answer’s body below for the receiver’s own words.'),
  too_large: t('Answer with fewer or shorter headers.'),
  protocol_error: t('What came back is not HTTP. Check that the URL leads to a web server and that the port is right.'),
  oauth2_failed: t(
    'The token endpoint gave no token. Its answer is below. Check the client id, the secret or key, the scopes and the token URL.',
  ),
  nacked: t('The consumer gave it back. It comes again, as the consumer asked or by the retry schedule.'),
  transformation_failed: t(
    'The endpoint’s transformation failed, so nothing was sent. Correct its code: the next attempt runs the new one.',
  ),
  lease_expired: t(
    'The consumer said nothing before the lease ended. Ask for a longer lease, or extend it while the work goes on. Look for a consumer that ended.',
  ),
  authentication_failed: t('The credentials were refused. Renew them at the provider, and store the new ones.'),
  access_denied: t('The credentials are right, but may not send here. Give them the permissions of the setup text.'),
  target_not_found: t('The queue, topic, stream, bus or bucket does not exist. Create it, or correct the destination.'),
  unroutable: t('The broker has no queue for this message. Bind one, or correct the routing key.'),
  invalid_target: t('The template makes a name that the provider forbids. Change it in the destination.'),
  invalid_payload: t(
    'The provider does not take this payload. Send a JSON object, or change the type of the endpoint.',
  ),
  target_exists: t('Another object has this key. Put {{eventId}} into the key.'),
  message_too_large: t('The message is larger than the provider allows. Send less, such as a link to the data.'),
  throttled: t('The provider asks for fewer messages. Raise its limit, or set a rate limit for the endpoint.'),
  broker_error: t('The provider failed. It is tried again by the retry schedule. Look at the provider’s own status.'),
} satisfies Partial<ReaderTexts['errors']>;

export const COMMON_STATUSES = {
  400: t(
    'Most often the receiver refused the signature: it has another secret, or it verifies a body that was parsed before. Compare the secret, and verify the raw bytes.',
  ),
  403: t('The receiver refuses the request. Check its firewall, its allow-list and how it verifies the signature.'),
  404: t('The path does not exist at the receiver. Check the endpoint’s URL.'),
  405: t('The path does not take POST. Check the endpoint’s URL.'),
  410: t(
    'The receiver says that it is gone for good, so the endpoint was deactivated. Activate it again when that was a mistake.',
  ),
  413: t('The receiver refuses bodies of this size. Raise its limit.'),
  415: t('The receiver does not take the content type of the request. Let it accept that type.'),
} satisfies ReaderTexts['statuses'];

export const COMMON_REASONS = {
  endpoint_inactive: t('The endpoint was inactive. Activate it, then retry.'),
  endpoint_deleted: t('The endpoint was deleted. Nothing more is sent to it.'),
  subscription_ended: t('The subscription of the agent has ended. Nothing more is sent to it.'),
  retries_exhausted: t('The last attempt failed, and no other one follows. Fix the receiver, then retry.'),
  gone: t(
    'The endpoint answered 410 Gone and was deactivated. Activate it when the address works again, then recover what it missed.',
  ),
  aborted_by_receiver: t(
    'The answer had the header webhook-delivery, which ends the delivery. With the value disable it deactivates the endpoint, too. Fix the receiver, activate the endpoint if it is inactive, then retry.',
  ),
  blocked_address: t(
    'The URL leads to an address or a port that may not be reached, such as a private address. Use a public address and an allowed port, then retry.',
  ),
  cancelled: t('It was cancelled. Retry sends it, unless its payload was erased.'),
  invalid_target: t('The template made a name that the provider forbids. Change it in the destination, then retry.'),
  invalid_payload: t(
    'The provider does not take this payload. Change the type of the endpoint, or what is sent, then retry.',
  ),
  target_exists: t('Another object has this key. Put {{eventId}} into the key, then retry.'),
  message_too_large: t(
    'The message is larger than the provider allows. Send less, such as a link to the data, then retry.',
  ),
  cancelled_by_transformation: t(
    'The endpoint’s transformation cancelled it. That is not a failure. Retry runs the transformation again.',
  ),
} satisfies Partial<ReaderTexts['reasons']>;

export const COMMON_TEST_REASONS = {
  retries_exhausted: t('The test failed, and a test is sent once. Fix the receiver, then send another test.'),
  cancelled: t('The test was cancelled before it was sent. Send another test.'),
  payload_unreadable: t('The payload of the test cannot be decrypted. Send another test.'),
  payload_expired: t('The payload of the test is gone. Send another test.'),
} satisfies ReaderTexts['testReasons'];

/** Why a delivery ended without success, and what to do; an empty text when it did not. */
export function reasonWords(
  { failureReason, isTest }: Pick<Delivery, 'failureReason' | 'isTest'>,
  { reasons, testReasons }: ReaderTexts,
): string {
  if (failureReason === null) return '';
  return (isTest ? testReasons[failureReason] : undefined) ?? reasons[failureReason];
}
