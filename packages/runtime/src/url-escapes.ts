import { parseUrl } from './parse-url.ts';

/** The advice in errors about characters with a special meaning in a URL. */
export const ENCODE = 'in the user and the password encode @ as %40, / as %2F, ? as %3F, # as %23 and % as %25';

/** Decodes percent escapes. Throws an Error with the rule when a `%` does not begin an escape. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(`has a % that is not the beginning of an escape; ${ENCODE}`);
  }
}

/**
 * Reads a URL as its client does. A `/`, `?` or `#` in a password ends the host early. The rest may then still look
 * like the URL of another host, with an `@` after it. Throws an Error that names the rule and repeats no part of the
 * text.
 */
export function parseLoginUrl(text: string): URL {
  const url = parseUrl(text);
  if (url === undefined) throw new Error(`must be a URL; ${ENCODE}`);
  for (const part of [url.username, url.password, url.pathname]) decoded(part);
  // The query's value may have an @, so only its first name is checked.
  const [firstName = ''] = url.search.split('=');
  if (`${url.pathname}${firstName}${url.hash}`.includes('@')) throw new Error(`has an @ after its host; ${ENCODE}`);
  return url;
}
