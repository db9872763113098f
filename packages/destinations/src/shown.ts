import type { Acknowledgement, Place } from './kind.ts';
import { type Redact, redacting } from './redact.ts';

const MOST_SHOWN = 500;

/**
 * A server's text in a form that can be shown: shortened, without secrets, and without characters that a terminal or a
 * page would obey. No known server repeats secrets, but the server may be anybody's.
 */
export function shownText(text: string, credentials: Place['credentials']): string {
  const redacted = redactOf(credentials)?.text(text) ?? text;
  const kept = redacted.length > MOST_SHOWN ? `${redacted.slice(0, MOST_SHOWN - 1)}…` : redacted;
  const shown = [...kept].map((one) => (one >= ' ' && one !== '\u007f' ? one : ' ')).join('');
  // Half a surrogate pair, from a cut or from the server, would make it impossible to store the text and the attempt.
  return Buffer.from(shown, 'utf8').toString('utf8');
}

/** A server's words about a stored message, in a form that can be shown. Numbers stay. */
export function shownAcknowledgement(given: Acknowledgement, credentials: Place['credentials']): Acknowledgement {
  return Object.fromEntries(
    Object.entries(given).map(([name, said]) => [name, typeof said === 'string' ? shownText(said, credentials) : said]),
  );
}

/** Cached by the credentials object, which exists once for each revision of an endpoint. */
const known = new WeakMap<object, { redact: Redact | undefined }>();

function redactOf(credentials: Place['credentials']): Redact | undefined {
  // A credential may have several lines, and the server may repeat just one of them.
  const { redact } = known.get(credentials) ?? {
    redact: redacting(Object.values(credentials).flatMap((secret) => [secret, ...secret.split(/\r?\n/)])),
  };
  known.set(credentials, { redact });
  return redact;
}
