import type { SendFailure } from '../failure.ts';
import type { Place } from '../kind.ts';
import { shownText } from '../shown.ts';

/** The same attempt would always fail, so the delivery ends. */
export function invalidTarget(message: string): SendFailure {
  return { errorCode: 'invalid_target', message, ends: 'invalid_target' };
}

export function tooLarge(message: string): SendFailure {
  return { errorCode: 'message_too_large', message, ends: 'message_too_large' };
}

export const NO_PLAINTEXT: SendFailure = { errorCode: 'tls_error', message: 'Connections without TLS are not allowed' };

/** A failure that the code of the kind found, not the library. */
export class FoundError extends Error {
  readonly failure: SendFailure;

  constructor(failure: SendFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/**
 * The failure in a form that can be shown: shortened, without credentials, which a broker may repeat, and without
 * characters that a terminal or a page would obey.
 */
export function withoutSecrets(failure: SendFailure, credentials: Place['credentials']): SendFailure {
  return { ...failure, message: shownText(failure.message, credentials) };
}
