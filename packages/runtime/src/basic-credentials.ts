/** Characters to escape: those that decoding would change, and those that are not printable ASCII. */
const NEEDS_ESCAPE = /[^\x21-\x7e]|[%+]/gu;

/**
 * The `Authorization` value with the id and secret of an OAuth 2 client (RFC 6749, section 2.3.1). Some servers decode
 * both, and others compare them as received. Only characters that decoding would change are escaped, so both find the
 * same.
 */
export function basicCredentials(id: string, secret: string): string {
  const pair = `${escaped(id).replaceAll(':', '%3A')}:${escaped(secret)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function escaped(text: string): string {
  return text.replaceAll(NEEDS_ESCAPE, (one) => encodeURIComponent(one));
}
