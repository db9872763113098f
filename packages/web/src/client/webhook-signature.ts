const SECRET_PREFIX = 'whsec_';

/** What a signature covers, as Standard Webhooks defines it. */
export type SignedContent = { id: string; timestamp: string; body: Uint8Array };

/** The base64 of HMAC-SHA256 over id, timestamp and body. It needs a page on https or localhost. */
export async function signatureOf(secret: string, { id, timestamp, body }: SignedContent): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const bytes = bytesOfBase64(secret.slice(SECRET_PREFIX.length));
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  const digest = await crypto.subtle.sign('HMAC', key, signed);
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

/** Whether a text has the form of a signing secret. */
export function isSecret(text: string): boolean {
  if (!text.startsWith(SECRET_PREFIX) || text.length === SECRET_PREFIX.length) return false;
  try {
    return bytesOfBase64(text.slice(SECRET_PREFIX.length)).length > 0;
  } catch {
    return false; // Not base64.
  }
}

export type SignatureCheck = { kind: 'valid' } | { kind: 'wrong' } | { kind: 'missing header'; name: string };

/** Whether one of the `v1` signatures of a request is by that secret. The age of the request is not checked. */
export async function checkSignature(
  secret: string,
  request: { headers: Readonly<Record<string, string>>; body: Uint8Array },
): Promise<SignatureCheck> {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': given } = request.headers;
  if (id === undefined) return { kind: 'missing header', name: 'webhook-id' };
  if (timestamp === undefined) return { kind: 'missing header', name: 'webhook-timestamp' };
  if (given === undefined) return { kind: 'missing header', name: 'webhook-signature' };
  const expected = `v1,${await signatureOf(secret, { id, timestamp, body: request.body })}`;
  return { kind: given.split(' ').includes(expected) ? 'valid' : 'wrong' };
}

export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
