import type { Acknowledgement, Place } from './kind.ts';
import { type Redact, redacting } from './redact.ts';

const MOST_SHOWN = 500;

/**
 * What a server said, without the secrets and without characters that a terminal or a page would obey, and shortened. No
 * known server repeats secrets, but it may be anybody's.
 */
export function shownText(text: string, credentials: Place['credentials']): string {
  const redacted = redactOf(credentials)?.text(text) ?? text;
  const kept = redacted.length > MOST_SHOWN ? `${redacted.slice(0, MOST_SHOWN - 1)}…` : redacted;
  const shown = [...kept].map((one) => (one >= ' ' && one !== '\u007f' ? one : ' ')).join('');
  // Half of a pair of surrogates, from a cut or from the server, could not be stored, and the attempt with it.
  return Buffer.from(shown, 'utf8').toString('utf8');
}

/** What a server said about a stored message. A number stays. */
export function shownAcknowledgement(given: Acknowledgement, credentials: Place['credentials']): Acknowledgement {
  return Object.fromEntries(
    Object.entries(given).map(([name, said]) => [name, typeof said === 'string' ? shownText(said, credentials) : said]),
  );
}

/** An endpoint's credentials are one object for each of its revisions. */
const known = new WeakMap<object, { redact: Redact | undefined }>();

function redactOf(credentials: Place['credentials']): Redact | undefined {
  // A credential may have several lines, and the server may repeat one of them.
  const { redact } = known.get(credentials) ?? {
    redact: redacting(Object.values(credentials).flatMap((secret) => [secret, ...secret.split(/\r?\n/)])),
  };
  known.set(credentials, { redact });
  return redact;
}
