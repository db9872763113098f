import { language, t } from '../language/language.ts';

export type FieldProblem = { field: string; message: string; rule?: string };

/**
 * Texts for the rules that a field can break, by the rule's name (docs/interface/errors.md). They are functions because
 * this module is loaded before the language is known.
 */
const RULES: Readonly<Record<string, () => string>> = {
  required: () => t('Fill in this field.'),
  url: () => t('This is no complete address. One begins with https://, such as https://example.com/webhooks.'),
  https: () => t('The address must begin with https://.'),
  host: () => t('The name of the host in the address is not valid.'),
  credentials: () => t('The address must not contain a user name or a password.'),
  fragment: () => t('The address must not contain a fragment, which begins with #.'),
  port: () => t('The address must not use this port.'),
  private_address: () => t('The address must not lead into a private or reserved network.'),
  email: () => t('This is no email address.'),
};

/** Texts for the service's error codes. Errors with other codes name the field and the rule in their message. */
const CODES: Readonly<Record<string, () => string>> = {
  unauthorized: () => t('This session has ended. Open the portal again.'),
  forbidden: () => t('This session may not do that.'),
  plan_required: () => t('The sender’s plan does not allow that.'),
  not_found: () => t('That does not exist any more.'),
  limit_reached: () => t('A limit is reached. Delete what you no longer need, or ask the sender.'),
  external_id_taken: () => t('Another endpoint has this name already.'),
  not_cancellable: () => t('It has ended already.'),
  delivery_in_progress: () => t('It is being sent right now. Wait for the end of the attempt.'),
  endpoint_inactive: () => t('The endpoint is inactive. Activate it first.'),
  payload_expired: () => t('The payload is no longer kept. Ask the sender to send the message again.'),
  payload_too_large: () => t('That is too large.'),
  rate_limited: () => t('That was too often. Wait a moment, then try again.'),
  internal_error: () => t('The service has a fault. Try again, and tell the sender if it happens again.'),
  unavailable: () => t('The service cannot be reached right now. Try again.'),
};

/**
 * The message of a problem in the page's language. In English it is the service's own message, which is more precise.
 */
export function problemWords({ message, rule }: FieldProblem): string {
  if (language() === 'en') return message;
  return (rule === undefined ? undefined : RULES[rule]?.()) ?? t('Not accepted: {message}', { message });
}

/** The message of an error in the language of the page. */
export function errorWords(error: unknown): string {
  if (!(error instanceof Error)) return t('An unexpected error');
  if (language() === 'en' || !isApiError(error)) return error.message;
  const [first] = error.details;
  return CODES[error.code]?.() ?? (first === undefined ? error.message : problemWords(first));
}

type Refusal = Error & { code: string; details: readonly FieldProblem[] };

function isApiError(error: Error): error is Refusal {
  return error.name === 'ApiError';
}
