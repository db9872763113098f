const SECRET_PREFIX = 'whsec_';

/** The key of a signing secret; undefined for a text that is none. */
export function hmacKeyOf(secret: string): Uint8Array<ArrayBuffer> | undefined {
  if (!secret.startsWith(SECRET_PREFIX) || secret.length === SECRET_PREFIX.length) return undefined;
  try {
    return Uint8Array.from(atob(secret.slice(SECRET_PREFIX.length)), (character) => character.charCodeAt(0));
  } catch {
    return undefined; // Not base64.
  }
}

/** The HMAC-SHA256 of `id.timestamp.body` as base64 (Standard Webhooks). */
export async function signatureOf(
  key: Uint8Array<ArrayBuffer>,
  headers: ReadonlyMap<string, string>,
  body: string,
): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const hmac = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  const signed = `${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.${body}`;
  const digest = await crypto.subtle.sign('HMAC', hmac, new TextEncoder().encode(signed));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}
