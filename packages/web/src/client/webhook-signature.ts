const SECRET_PREFIX = 'whsec_';
const PUBLIC_KEY_PREFIX = 'whpk_';
const PUBLIC_KEY_BYTES = 32;

/** The content that a signature covers, as Standard Webhooks defines it. */
export type SignedContent = { id: string; timestamp: string; body: Uint8Array };

/** The HMAC-SHA256 of id, timestamp and body, in base64. It needs a page on https or localhost. */
export async function signatureOf(secret: string, content: SignedContent): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', keyOf(secret), algorithm, false, ['sign']);
  const digest = await crypto.subtle.sign('HMAC', key, signedBytes(content));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

/**
 * True if one of the signatures (base64 of Ed25519) was made with the private key of this public key. Throws a
 * NotSupportedError in a browser without Ed25519.
 */
export async function isSignedFor(
  publicKey: string,
  signatures: readonly string[],
  content: SignedContent,
): Promise<boolean> {
  const bytes = bytesOfBase64(publicKey.slice(PUBLIC_KEY_PREFIX.length));
  const key = await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify']);
  const signed = signedBytes(content);
  for (const signature of signatures) {
    if (isBase64(signature) && (await crypto.subtle.verify('Ed25519', key, bytesOfBase64(signature), signed)))
      return true;
  }
  return false;
}

/**
 * The bytes of a secret: `whsec_` secrets are decoded. Endpoints with other kinds of signatures may have any text as
 * secret.
 */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  return isSecret(secret) ? bytesOfBase64(secret.slice(SECRET_PREFIX.length)) : new TextEncoder().encode(secret);
}

function signedBytes({ id, timestamp, body }: SignedContent): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  return signed;
}

/** True if a text has the form of a signing secret. */
export function isSecret(text: string): boolean {
  const key = text.slice(SECRET_PREFIX.length);
  return text.startsWith(SECRET_PREFIX) && key !== '' && isBase64(key);
}

/** True if a text has the form of a public key. */
export function isPublicKey(text: string): boolean {
  const key = text.slice(PUBLIC_KEY_PREFIX.length);
  return text.startsWith(PUBLIC_KEY_PREFIX) && isBase64(key) && bytesOfBase64(key).length === PUBLIC_KEY_BYTES;
}

function isBase64(text: string): boolean {
  try {
    return bytesOfBase64(text).length > 0;
  } catch {
    return false; // Not base64, or a wrong length.
  }
}

export type SignatureCheck = { kind: 'valid' } | { kind: 'wrong' } | { kind: 'missing header'; name: string };

/** True if one of a request's `v1` signatures was made with this secret. The age of the request is not checked. */
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
