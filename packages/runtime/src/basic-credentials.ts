/** What splits the pair, what decoding would change, and what is not printable ASCII. */
const NEEDS_ESCAPE = /[^\x21-\x7e]|[%+]/gu;

/**
 * The value of `Authorization` with the id and the secret of a client of OAuth 2 (RFC 6749, section 2.3.1). Servers that decode
 * both and servers that compare them as they came must find the same, so only what decoding would change is escaped.
 */
export function basicCredentials(id: string, secret: string): string {
  const pair = `${escaped(id).replaceAll(':', '%3A')}:${escaped(secret)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function escaped(text: string): string {
  return text.replaceAll(NEEDS_ESCAPE, (one) => encodeURIComponent(one));
}
