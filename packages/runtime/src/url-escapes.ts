import { parseUrl } from './parse-url.ts';

/** What to do with characters that have a meaning in a URL. */
export const ENCODE = 'in the user and the password encode @ as %40, / as %2F, ? as %3F, # as %23 and % as %25';

/** The text that the escapes stand for. Throws an Error with the rule when a `%` does not begin an escape. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(`has a % that is not the beginning of an escape; ${ENCODE}`);
  }
}

/**
 * Reads a URL as its client does. A `/`, `?` or `#` in a password ends the host early, and what is left may still be the
 * URL of another host: the `@` then comes after it. Throws an Error that names the rule and repeats no part of the text.
 */
export function parseLoginUrl(text: string): URL {
  const url = parseUrl(text);
  if (url === undefined) throw new Error(`must be a URL; ${ENCODE}`);
  for (const part of [url.username, url.password, url.pathname]) decoded(part);
  // A query may have an @ in a value.
  const [firstName = ''] = url.search.split('=');
  if (`${url.pathname}${firstName}${url.hash}`.includes('@')) throw new Error(`has an @ after its host; ${ENCODE}`);
  return url;
}
