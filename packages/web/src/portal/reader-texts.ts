import {
  COMMON_ERRORS,
  COMMON_REASONS,
  COMMON_STATUSES,
  COMMON_TEST_REASONS,
  type ReaderTexts,
} from '../components/reader-texts.ts';
import { t } from '../language/language.ts';

/**
 * The texts for a customer, who has the controls of the portal and can ask the sender. A session may not be allowed to
 * change an endpoint, so the sender is also named beside each control that does.
 */
export const PORTAL_TEXTS: ReaderTexts = {
  noun: 'message',
  log: 'activity',
  errors: {
    ...COMMON_ERRORS,
    timeout: t('Answer 2xx first and do the work afterwards. The time limit is at most 30 s.'),
    blocked_address: t('Use a public address and an allowed port.'),
    proxy_error: t(
      'The request did not reach your endpoint: the fault is the sender’s. Tell the sender. Messages wait meanwhile.',
    ),
    internal: t(
      'The fault is the sender’s, and does not count against your endpoint. If it happens again, tell the sender.',
    ),
  },
  statuses: {
    ...COMMON_STATUSES,
    401: t(
      'The receiver refused the signature or the credentials. Compare the secret first. Then set the header that it expects, under Settings, or ask the sender to set it.',
    ),
    410: t(
      'The receiver says that it is gone for good, so the endpoint was deactivated. Activate it again, or ask the sender to, when that was a mistake.',
    ),
    429: t('The receiver is overloaded. Let it accept more requests, or ask the sender for fewer at a time.'),
  },
  reasons: {
    ...COMMON_REASONS,
    endpoint_inactive: t('The endpoint was inactive. Activate it, or ask the sender to, then retry.'),
    gone: t(
      'The endpoint answered 410 Gone and was deactivated. Activate it, or ask the sender to, when the address works again. Then recover what it missed.',
    ),
    aborted_by_receiver: t(
      'The answer had the header webhook-delivery, which ends the delivery. With the value disable it deactivates the endpoint, too. Fix the receiver. If the endpoint is inactive, activate it, or ask the sender to. Then retry.',
    ),
    quarantined: t(
      'The sender failed five times in a row while it sent this, and set it aside. Retry it, and tell the sender.',
    ),
    payload_expired: t('The message reached the end of its retention. Ask the sender to send it again.'),
    payload_unreadable: t('The sender cannot decrypt the message. Tell the sender, and retry it when that is fixed.'),
    invalid_request: t(
      'The sender cannot decrypt the secret, the password or a secret header of your endpoint. Tell the sender, and retry it when that is fixed.',
    ),
  },
  testReasons: {
    ...COMMON_TEST_REASONS,
    invalid_request: t(
      'The sender cannot decrypt the secret, the password or a secret header of your endpoint. Tell the sender. When that is fixed, send another test.',
    ),
  },
  payloads: {
    available: '',
    plan_required: t('The sender does not show payloads here.'),
    forbidden: t('This session may not see payloads.'),
    expired: t('The payload reached the end of its retention and is gone.'),
    erased: t('The payload was erased.'),
    not_stored: t('The message had an empty body.'),
    unavailable: t('The sender cannot decrypt the payload. Tell the sender.'),
  },
};
