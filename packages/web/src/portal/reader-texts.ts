import { COMMON_ERRORS, COMMON_REASONS, COMMON_STATUSES, type ReaderTexts } from '../components/reader-texts.ts';

/** The texts for a customer, who has the controls of the portal and can turn to the sender. */
export const PORTAL_TEXTS: ReaderTexts = {
  noun: 'message',
  log: 'activity',
  errors: {
    ...COMMON_ERRORS,
    timeout: 'Answer 2xx first and do the work afterwards. The time limit is at most 30 s.',
    blocked_address: 'Change the address to a public one.',
    internal:
      'The fault is the sender’s, and does not count against your endpoint. If it happens again, tell the sender.',
  },
  statuses: {
    ...COMMON_STATUSES,
    401: 'The receiver refused the signature or the credentials. Compare the secret first. Then set the header that it expects, under Settings.',
    429: 'The receiver is overloaded. Let it accept more requests, or ask the sender for fewer at a time.',
  },
  reasons: {
    ...COMMON_REASONS,
    quarantined:
      'The sender failed five times in a row while it sent this, and set it aside. Retry it, and tell the sender.',
    payload_expired: 'The message reached the end of its retention. Ask the sender to send it again.',
    payload_unreadable: 'The sender cannot decrypt the message. Tell the sender, and retry it when that is mended.',
    invalid_request:
      'The sender cannot decrypt the secret or a secret header of your endpoint. Tell the sender, and retry it when that is mended.',
  },
  payloads: {
    available: '',
    plan_required: 'The sender does not show payloads here.',
    forbidden: 'This session may not see payloads.',
    expired: 'The payload reached the end of its retention and is gone.',
    not_stored: 'The message had an empty body.',
    unavailable: 'The sender cannot decrypt the payload. Tell the sender.',
  },
};
