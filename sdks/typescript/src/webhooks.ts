// This file has no imports: a receiver needs no client.

export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | ((name: string) => string | null | undefined);

export type VerifyOptions = {
  /** How far the time of a webhook may be in the past or in the future. Default: 300. */
  toleranceSeconds?: number | undefined;
  /** The current time. Default: the clock's. */
  now?: Date | undefined;
};

export type VerifiedWebhook = {
  /** The bytes that were signed. */
  payload: Uint8Array<ArrayBuffer>;
  /** The event's id, the same in every attempt: if you know it, you have received the event before. */
  id: string;
  /** The time of this attempt. */
  timestamp: Date;
};

export type VerificationFailure =
  | 'missing_header'
  | 'invalid_timestamp'
  | 'too_old'
  | 'too_new'
  | 'no_matching_signature'
  | 'invalid_secret';

/** The webhook is not genuine; with `invalid_secret`, the receiver's own secret is wrong. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError';
  readonly reason: VerificationFailure;

  constructor(reason: VerificationFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

export type Bytes = string | Uint8Array | ArrayBuffer;

const encoder = new TextEncoder();

/** The number of signatures that are read. Each costs a hash of the whole body, and anybody can send a request. */
const MOST_SIGNATURES = 100;

/**
 * Rejects with a WebhookVerificationError unless one of the secrets (`whsec_…`) or public keys (`whpk_…`) has signed these
 * bytes within the tolerance. `payload` is the body as it arrived, before any parsing.
 */
export async function verify(
  payload: Bytes,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<VerifiedWebhook> {
  const [id, time, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    readHeader(headers, `webhook-${name}`),
  ) as [string, string, string];
  if (!/^\d{1,12}$/.test(time)) fail('invalid_timestamp', 'webhook-timestamp is not a number of seconds');
  const age = now.getTime() / 1_000 - Number(time);
  // Written so that a tolerance that is not a number accepts nothing.
  if (!(age <= toleranceSeconds)) fail('too_old', 'webhook-timestamp is too old');
  if (!(-age <= toleranceSeconds)) fail('too_new', 'webhook-timestamp is in the future');
  const bytes = toBytes(payload);
  const content = signedContent(id, time, bytes);
  const keys = await Promise.all([secrets].flat().map(importKey));
  if (keys.length === 0) fail('invalid_secret', 'no secret is given');
  for (const entry of signatures.split(' ', MOST_SIGNATURES)) {
    const comma = entry.indexOf(',');
    const signature = fromBase64(entry.slice(comma + 1));
    for (const { version, key } of keys) {
      // Web Crypto compares in constant time.
      if (version !== entry.slice(0, Math.max(0, comma)) || signature === undefined) continue;
      if (await crypto.subtle.verify(key.algorithm.name, key, signature, content)) {
        return { payload: bytes, id, timestamp: new Date(Number(time) * 1_000) };
      }
    }
  }
  return fail('no_matching_signature', 'no signature matches: the body was changed, or the secret is another');
}

export type SignOptions = { id?: string | undefined; timestamp?: Date | undefined };

/** The headers that Posthorn would send with these bytes, for unit tests of a receiver. */
export async function sign(
  payload: Bytes,
  secret: string,
  { id = `msg_${crypto.randomUUID()}`, timestamp = new Date() }: SignOptions = {},
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const { version, key } = await importKey(secret);
  if (version !== 'v1') fail('invalid_secret', 'a public key cannot sign');
  const time = String(Math.floor(timestamp.getTime() / 1_000));
  const signature = await crypto.subtle.sign('HMAC', key, signedContent(id, time, toBytes(payload)));
  const text = btoa(String.fromCharCode(...new Uint8Array(signature)));
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${text}` };
}

function readHeader(headers: WebhookHeaders, name: string): string {
  let value: string | readonly string[] | null | undefined;
  if (typeof headers === 'function') value = headers(name);
  else if (headers instanceof Headers) value = headers.get(name);
  else value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = typeof value === 'string' ? value : value?.[0];
  return text || fail('missing_header', `${name} is missing`);
}

/** Imports a secret. One from a file or from the clipboard often has a line break at its end. */
async function importKey(given: string): Promise<{ version: 'v1' | 'v1a'; key: CryptoKey }> {
  const secret = given.trim();
  const isPublic = secret.startsWith('whpk_');
  const bytes = fromBase64(secret.replace(/^wh(sec|pk)_/, ''));
  if (!bytes?.length || (isPublic && bytes.length !== 32))
    return fail('invalid_secret', 'a secret is not whsec_ or whpk_ and base64');
  return isPublic
    ? { version: 'v1a', key: await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify']) }
    : {
        version: 'v1',
        key: await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify', 'sign']),
      };
}

function signedContent(id: string, time: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const start = encoder.encode(`${id}.${time}.`);
  const content = new Uint8Array(start.length + body.length);
  content.set(start);
  content.set(body, start.length);
  return content;
}

/** A view of an ArrayBuffer, or a copy of a Uint8Array. */
function toBytes(payload: Bytes): Uint8Array<ArrayBuffer> {
  return typeof payload === 'string' ? encoder.encode(payload) : new Uint8Array(payload);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function fail(reason: VerificationFailure, message: string): never {
  throw new WebhookVerificationError(reason, message);
}
