import {
  COMMON_ERRORS,
  COMMON_REASONS,
  COMMON_STATUSES,
  COMMON_TEST_REASONS,
  type ReaderTexts,
} from '../components/reader-texts.ts';

/** The texts for the people of a workspace. */
export const DASHBOARD_TEXTS: ReaderTexts = {
  noun: 'event',
  log: 'audit log',
  errors: {
    ...COMMON_ERRORS,
    timeout:
      'Answer 2xx first and do the work afterwards, or raise the timeout under Advanced → Limits, to at most 30 s.',
    blocked_address:
      'Use a public address and an allowed port. The operator can allow a private range (EGRESS_ALLOW_CIDRS).',
    proxy_error:
      'The request did not reach the endpoint, because the operator’s proxy failed. Tell the operator. Deliveries wait meanwhile.',
    internal:
      'The fault is Posthorn’s, and does not count against the endpoint. If it happens again, tell the operator.',
  },
  statuses: {
    ...COMMON_STATUSES,
    401: 'The receiver refused the signature or the credentials. Compare the secret first. Then set the username and password, or the header that it expects, under Security.',
    429: 'The receiver is overloaded. Let it accept more requests, or set a limit under Advanced → Limits.',
  },
  reasons: {
    ...COMMON_REASONS,
    quarantined:
      'Five dispatchers in a row were lost while they sent it, so it was set aside. Retry it, and tell the operator.',
    payload_expired: 'The event reached the end of its retention. Ask the producer to send the event again.',
    payload_unreadable:
      'The payload cannot be decrypted. The operator must bring the old key back (SEALING_KEYS). Retry it afterwards.',
    invalid_request:
      'The secret, the password or a secret header of the endpoint cannot be decrypted. The operator must bring the old key back (SEALING_KEYS). Retry it afterwards.',
  },
  testReasons: {
    ...COMMON_TEST_REASONS,
    invalid_request:
      'The secret, the password or a secret header of the endpoint cannot be decrypted. The operator must bring the old key back (SEALING_KEYS). Then send another test.',
  },
  payloads: {
    available: '',
    plan_required: 'Payloads are shown on the Pro plan and above.',
    forbidden: 'Your role may not see payloads. A member, an admin or an owner may.',
    expired: 'The payload reached the end of its retention and is gone.',
    erased: 'The payload was erased.',
    not_stored: 'The event had an empty body.',
    unavailable: 'The payload cannot be decrypted. The operator must bring the old key back (SEALING_KEYS).',
  },
};
