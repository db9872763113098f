import { z } from 'zod';
import { documentedForms } from './primitives.ts';

// The signatures of a request: docs/interface.md, Signature. A `standard` signature is in the `webhook-*` headers.
// Every other form has its own headers, for receivers that already verify that form.

/** Signatures of Standard Webhooks. */
const STANDARD_SIGNATURES = ['standard', 'standard-ed25519'] as const;

/** Signature forms of other services, which receivers already verify. */
export const SIGNATURE_PRESETS = [
  'svix',
  'stripe',
  'github',
  'shopify',
  'slack',
  'convoy',
  'convoy-advanced',
  'outpost',
  'hook0',
] as const;

export type SignaturePreset = (typeof SIGNATURE_PRESETS)[number];

const SIGNATURE_NAMES = [...STANDARD_SIGNATURES, ...SIGNATURE_PRESETS] as const;

/** Printable ASCII without the quote and the backslash, which a header value would have to escape. */
const FORM = /^[\x20\x21\x23-\x5b\x5d-\x7e]{1,200}$/;
const PLACEHOLDER = /\{[^{}]*\}/g;
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;

const signatureHeader = z.string().regex(HEADER_NAME, 'must be a valid header name');

const form = z
  .string()
  .regex(FORM, 'must be 1 to 200 printable ASCII characters, without quotes and backslashes')
  .superRefine((given, context) => {
    const placeholders: string[] = given.match(PLACEHOLDER) ?? [];
    const unknown = placeholders.find((one) => one !== '{signature}' && one !== '{timestamp}');
    if (unknown !== undefined || /[{}]/.test(given.replaceAll(PLACEHOLDER, ''))) {
      context.addIssue({ code: 'custom', message: 'may contain only the placeholders {signature} and {timestamp}' });
    }
    if (placeholders.filter((one) => one === '{signature}').length !== 1) {
      context.addIssue({ code: 'custom', message: 'must contain {signature} once' });
    }
  });

/** A signature of your own form: an HMAC in a header that you name. */
const hmacSignature = z
  .looseObject({
    scheme: z.literal('hmac', 'must be hmac'),
    header: signatureHeader,
    algorithm: z.enum(['sha256', 'sha512', 'sha1'], 'must be one of sha256, sha512, sha1').optional(),
    encoding: z.enum(['hex', 'base64'], 'must be one of hex, base64').optional(),
    content: z
      .enum(['body', 'timestamp.body', 'id.timestamp.body'], 'must be one of body, timestamp.body, id.timestamp.body')
      .optional(),
    form: form.optional().meta({
      description:
        'The format of the header value, with `{signature}` and optionally `{timestamp}`, such as `t={timestamp},v1={signature}`.',
    }),
    timestampHeader: signatureHeader.optional(),
    idHeader: signatureHeader.optional(),
  })
  .meta({ id: 'HmacSignature', description: 'An HMAC signature in a header of your choice.' });

export type HmacSignature = z.output<typeof hmacSignature>;

export const signature = z
  .union([
    z.enum(SIGNATURE_NAMES, `must be one of ${SIGNATURE_NAMES.join(', ')}, or an object with scheme`),
    hmacSignature,
  ])
  .meta({
    documentedAs: documentedForms(
      'Signature',
      `The signature of the requests: one of ${SIGNATURE_NAMES.join(', ')}, or an object with \`scheme\` and \`header\` for a custom HMAC.`,
      [z.enum(SIGNATURE_NAMES), hmacSignature],
    ),
  });

export type Signature = z.output<typeof signature>;

/** Whether the requests have only Standard Webhooks signatures. */
export function isStandard(given: Signature | undefined): given is undefined | (typeof STANDARD_SIGNATURES)[number] {
  return given === undefined || STANDARD_SIGNATURES.some((one) => one === given);
}

/** The headers that your own form of signature sets. */
export function headersOfSignature(given: Signature | undefined): string[] {
  if (typeof given !== 'object') return [];
  const { header, timestampHeader, idHeader } = given;
  return [header, timestampHeader, idHeader].filter((one) => one !== undefined);
}

const WITHOUT_TIME: readonly Signature[] = ['github', 'shopify', 'convoy', 'outpost'];

/** Whether the signature covers the time of the request. Without it, a receiver accepts an old request again. */
export function coversTime(given: Signature | undefined): boolean {
  if (typeof given === 'object') return given.content !== undefined && given.content !== 'body';
  return given === undefined || !WITHOUT_TIME.includes(given);
}
