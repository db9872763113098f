import { OptionError } from '../errors.ts';
import {
  type VerifiedWebhook,
  type VerifyOptions,
  verify,
  type WebhookHeaders,
  WebhookVerificationError,
} from '../webhooks.ts';

export type Webhook = VerifiedWebhook & {
  /** The event type; undefined for an event that was sent to this endpoint alone. */
  type: string | undefined;
  deliveryId: string | undefined;
  /** The content type that the producer sent. */
  contentType: string | undefined;
  /** The number of this attempt of the delivery, from 1. */
  attempt: number;
  text(): string;
  /** Parses the payload as JSON. Throws a SyntaxError if it is not JSON. */
  json<Value = unknown>(): Value;
};

/**
 * Handles a genuine webhook. When it returns, the response is 204. When it throws, the framework answers 500, and
 * Posthorn sends the webhook again.
 */
export type WebhookHandler = (webhook: Webhook) => void | Promise<void>;

/**
 * Signing secrets. If one is undefined (a variable that is not set), the receiver throws an OptionError when it starts.
 */
export type Secrets = string | undefined | readonly (string | undefined)[];

export type ReceiveOptions = Pick<VerifyOptions, 'toleranceSeconds'> & {
  /** The largest body in bytes. Default: 1.5 MiB, enough for an event of 1 MiB in an envelope, in base64. */
  maxBytes?: number | undefined;
};

export type Received = { status: 204 } | { status: 400 | 413; message: string };

export const MAX_BYTES = 3 * 2 ** 19;

/** The secrets of a receiver. Throws an OptionError if one is absent. */
export function requireSecrets(given: Secrets): readonly string[] {
  const secrets = [given].flat().map((secret) => {
    if (typeof secret === 'string' && secret.trim() !== '') return secret;
    throw new OptionError('secrets', 'must be the signing secret of the endpoint (whsec_…), and it is absent');
  });
  if (secrets.length > 0) return secrets;
  throw new OptionError('secrets', 'must be the signing secret of the endpoint (whsec_…), and there is none');
}

/** Reads, verifies and handles one request. Rejects with the error of the handler, and for a malformed secret. */
export async function receive(
  body: AsyncIterable<Uint8Array> | Uint8Array | string | null,
  headers: WebhookHeaders,
  secrets: readonly string[],
  handler: WebhookHandler,
  { toleranceSeconds, maxBytes = MAX_BYTES }: ReceiveOptions,
): Promise<Received> {
  const bytes = await readBytes(body ?? '', maxBytes);
  if (bytes === undefined) return { status: 413, message: `The body is larger than ${maxBytes} bytes` };
  let verified: VerifiedWebhook;
  try {
    verified = await verify(bytes, headers, secrets, { toleranceSeconds });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError) || error.reason === 'invalid_secret') throw error;
    return { status: 400, message: error.message };
  }
  await handler(describe(verified, (name) => headerOf(headers, name)));
  return { status: 204 };
}

function describe(verified: VerifiedWebhook, read: (name: string) => string | undefined): Webhook {
  const text = () => new TextDecoder().decode(verified.payload);
  return {
    ...verified,
    type: read('webhook-event-type'),
    deliveryId: read('webhook-delivery-id'),
    contentType: read('content-type'),
    attempt: Number(read('webhook-attempt') ?? 1),
    text,
    json: () => JSON.parse(text()),
  };
}

/** Undefined if the body is too large. */
async function readBytes(
  body: AsyncIterable<Uint8Array> | Uint8Array | string,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    return bytes.length > maxBytes ? undefined : bytes;
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) return undefined;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers === 'function') return headers(name) ?? undefined;
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
