import { createHmac, type KeyObject } from 'node:crypto';
import type { HmacSignature, Signature, SignaturePreset } from '@posthorn/contract/signature';
import { signWebhook } from '@posthorn/crypto/webhook-signature';

/** A live secret. `key` is what `whsec_` decodes to, or else the bytes of the text. */
export type LiveSecret = { key: Buffer; text: Buffer; privateKey: KeyObject | null };

export type MessageToSign = {
  /** The `webhook-id`. */
  id: string;
  /** Whole seconds since 1970. */
  timestampSeconds: number;
  contentType: string | null;
  /** The body, byte for byte as it is sent. */
  body: Buffer;
  /** At least one secret, the newest first. */
  secrets: readonly LiveSecret[];
};

type Given = { signature: Signature | undefined; standardHeaders: boolean };

/** The signature headers of one request, in lower case (docs/interface.md, Signature). */
export function signatureHeaders(
  message: MessageToSign,
  { signature, standardHeaders }: Given,
): Record<string, string> {
  return {
    ...(standardHeaders ? standard(message) : {}),
    ...(typeof signature === 'object' ? hmac(message, signature) : {}),
    ...(typeof signature === 'string' && isPreset(signature) ? PRESETS[signature](message) : {}),
  };
}

function standard({ id, timestampSeconds, body, secrets }: MessageToSign): Record<string, string> {
  const privateKeys = secrets.flatMap(({ privateKey }) => (privateKey === null ? [] : [privateKey]));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signWebhook({
      ...{ id, timestampSeconds, body, privateKeys },
      secrets: secrets.map(({ key }) => key),
    }),
  };
}

type Preset = (message: MessageToSign) => Record<string, string>;

/**
 * Signature headers that receivers of other services verify. A header with room for one signature is signed with the
 * newest secret.
 * ¶ Sources: Svix, "Verifying webhooks manually"; Stripe, "Verify webhook signatures manually"; GitHub, "Validating
 * webhook deliveries"; Shopify, "Validate HTTPS webhooks"; Slack, "Verifying requests"; Convoy, "Signatures"; Outpost,
 * DESTINATIONS_WEBHOOK_SIGNATURE_HEADER_TEMPLATE; Hook0, "Webhook authentication".
 */
const PRESETS: Record<SignaturePreset, Preset> = {
  svix: (message) => {
    const { id, timestampSeconds: t } = message;
    const content = [`${id}.${t}.`, message.body];
    const signatures = message.secrets.map(({ key }) => `v1,${digest(key, content, 'sha256', 'base64')}`);
    return { 'svix-id': id, 'svix-timestamp': `${t}`, 'svix-signature': signatures.join(' ') };
  },
  stripe: (message) => ({ 'stripe-signature': timed(message, `${message.timestampSeconds}.`) }),
  github: ({ body, secrets }) => ({ 'x-hub-signature-256': `sha256=${newest(secrets, [body])}` }),
  shopify: ({ body, secrets }) => ({ 'x-shopify-hmac-sha256': newest(secrets, [body], 'base64') }),
  slack: ({ timestampSeconds: t, body, secrets }) => ({
    'x-slack-request-timestamp': `${t}`,
    'x-slack-signature': `v0=${newest(secrets, [`v0:${t}:`, body])}`,
  }),
  convoy: ({ body, secrets }) => ({ 'x-convoy-signature': newest(secrets, [body]) }),
  'convoy-advanced': (message) => ({ 'x-convoy-signature': timed(message, `${message.timestampSeconds},`) }),
  outpost: ({ body, secrets }) => ({
    'x-outpost-signature': `v0=${secrets.map(({ text }) => digest(text, [body])).join(',')}`,
  }),
  // Hook0's receivers verify v0 or v1. `h` names the headers that v1 signs.
  hook0: ({ timestampSeconds: t, contentType, body, secrets }) => {
    const [names, values] = contentType === null ? ['', ''] : ['content-type', contentType];
    const v0 = newest(secrets, [`${t}.`, body]);
    const v1 = newest(secrets, [`${t}.${names}.${values}.`, body]);
    return { 'x-hook0-signature': `t=${t},v0=${v0},h=${names},v1=${v1}` };
  },
};

function isPreset(name: string): name is SignaturePreset {
  return Object.hasOwn(PRESETS, name);
}

/** `t=…,v1=…,v1=…`: the time, and a signature for each live secret. */
function timed({ timestampSeconds, body, secrets }: MessageToSign, start: string): string {
  const signatures = secrets.map(({ text }) => `v1=${digest(text, [start, body])}`);
  return [`t=${timestampSeconds}`, ...signatures].join(',');
}

function newest(secrets: readonly LiveSecret[], content: Content, encoding: 'hex' | 'base64' = 'hex'): string {
  const [secret] = secrets;
  if (secret === undefined) throw new Error('a webhook cannot be signed without a secret');
  return digest(secret.text, content, 'sha256', encoding);
}

/**
 * The headers of a signature in the endpoint's own format. A format with several parts between commas repeats the part
 * with the signature for each live secret. Any other format has room for one signature, made with the newest secret.
 */
function hmac(message: MessageToSign, given: HmacSignature): Record<string, string> {
  const { header, algorithm, encoding, content = 'body', form = '{signature}', timestampHeader, idHeader } = given;
  const { id, timestampSeconds: t, body, secrets } = message;
  const start = { body: '', 'timestamp.body': `${t}.`, 'id.timestamp.body': `${id}.${t}.` }[content];
  const parts = form.split(',');
  const signing = parts.length > 1 ? secrets : secrets.slice(0, 1);
  const signatures = signing.map(({ text }) => digest(text, [start, body], algorithm, encoding));
  const filled = parts.flatMap((part) => {
    const withTime = part.replaceAll('{timestamp}', `${t}`);
    return part.includes('{signature}')
      ? signatures.map((signature) => withTime.replace('{signature}', () => signature))
      : [withTime];
  });
  return {
    ...(timestampHeader === undefined ? {} : { [timestampHeader.toLowerCase()]: `${t}` }),
    ...(idHeader === undefined ? {} : { [idHeader.toLowerCase()]: id }),
    [header.toLowerCase()]: filled.join(','),
  };
}

type Content = readonly (string | Buffer)[];

function digest(
  key: Buffer,
  content: Content,
  algorithm: 'sha256' | 'sha512' | 'sha1' = 'sha256',
  encoding: 'hex' | 'base64' = 'hex',
): string {
  const signing = createHmac(algorithm, key);
  for (const part of content) signing.update(part);
  return signing.digest(encoding);
}
