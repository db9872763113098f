import { hasDestination, KINDS } from '@posthorn/destinations/kinds';
import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { arrayOf, nestsAtMost, recordOf } from './primitives.ts';
import { oauth2, tls } from './request-credentials.ts';
import { headersOfSignature, isStandard, type Signature, signature } from './signature.ts';

const FIVE_DAYS_SECONDS = 5 * 86_400;
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const HEADER_VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$|^$/;
const OWNED_HEADERS = new Set(
  'host content-length content-type content-encoding transfer-encoding connection keep-alive te trailer upgrade expect accept-encoding idempotency-key user-agent traceparent tracestate'.split(
    ' ',
  ),
);

/** Whether HTTP, this service or Standard Webhooks owns a header, so that a config must not set it. */
function isOwnedHeader(header: string): boolean {
  const lower = header.toLowerCase();
  return OWNED_HEADERS.has(lower) || lower.startsWith('proxy-') || lower.startsWith('webhook-');
}

/** Counts headers to set and headers to remove. An endpoint never has more than ten to remove. */
const MAX_NAMED_SECRET_HEADERS = 100;

const headerName = z.string().regex(HEADER_NAME, 'must be a valid header name');
const headerValue = z
  .string()
  .max(1_024, 'must be at most 1,024 characters')
  .refine((value) => !value.startsWith(' ') && !value.endsWith(' '), {
    message: 'must not begin or end with a space',
    abort: true,
  })
  .regex(HEADER_VALUE, 'must be printable ASCII');

const headersOf = <Value extends z.ZodType>(value: Value, most: number) =>
  recordOf(headerName, value, { most, rule: `must have at most ${most} headers` });

/** The rules for headers with visible values: an endpoint's own headers, and headers that a transformation adds. */
export const configHeaders = headersOf(headerValue, 20).superRefine((given, context) => {
  checkHeaderNames(Object.keys(given), context);
});
export type ConfigHeaders = z.output<typeof configHeaders>;

/**
 * Headers with secret values, which are sealed and never shown again (docs/interface.md, Secret headers). Null removes
 * a header, and does not count towards the limit.
 */
export const secretHeaders = headersOf(headerValue.nullable(), MAX_NAMED_SECRET_HEADERS).superRefine(
  (given, context) => {
    if (Object.values(given).filter((value) => value !== null).length > LIMITS.secretHeaders) {
      context.addIssue({ code: 'custom', message: `must have at most ${LIMITS.secretHeaders} headers` });
    }
    checkHeaderNames(Object.keys(given), context);
  },
);

function checkHeaderNames(given: string[], context: z.RefinementCtx): void {
  const names = given.map((header) => header.toLowerCase());
  if (new Set(names).size < names.length) {
    context.addIssue({ code: 'custom', message: 'must not name a header twice' });
  }
  for (const header of given.filter(isOwnedHeader)) {
    context.addIssue({ code: 'custom', message: 'is a header that cannot be set', path: [header] });
  }
}

type Signed = {
  headers?: Record<string, string> | undefined;
  signature?: Signature | undefined;
  standardHeaders?: boolean | undefined;
};

/** Checks `signature`, `standardHeaders` and `headers` against each other. */
function checkSignature(config: Signed, context: z.RefinementCtx): void {
  const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', message, path });
  const { standardHeaders } = config;
  if (standardHeaders === false && isStandard(config.signature)) {
    refuse(['standardHeaders'], 'can be false only with a signature in headers of its own');
  }
  if (typeof config.signature !== 'object') return;
  const { content = 'body', form = '{signature}', timestampHeader, idHeader } = config.signature;
  const names = headersOfSignature(config.signature).map((name) => name.toLowerCase());
  if (new Set(names).size < names.length) refuse(['signature'], 'must not name a header twice');
  const open = Object.keys(config.headers ?? {}).map((name) => name.toLowerCase());
  for (const key of ['header', 'timestampHeader', 'idHeader'] as const) {
    const name = config.signature[key];
    if (name === undefined) continue;
    if (isOwnedHeader(name) || name.toLowerCase() === 'authorization') {
      refuse(['signature', key], 'is a header that cannot be set');
    }
    if (open.includes(name.toLowerCase())) refuse(['signature', key], 'must not be in config.headers too');
  }
  if (standardHeaders !== false) return;
  // A receiver needs every signed value to verify the signature.
  if (content !== 'body' && timestampHeader === undefined && !form.includes('{timestamp}')) {
    refuse(['signature', 'timestampHeader'], 'is required without standard headers, because the timestamp is signed');
  }
  if (content === 'id.timestamp.body' && idHeader === undefined) {
    refuse(['signature', 'idHeader'], 'is required without standard headers, because the id is signed');
  }
}

/** OAuth 2 sends its token as `authorization`, so no other header may have this name. */
function checkAuthorization({ oauth2, headers = {} }: Authorised, context: z.RefinementCtx): void {
  const given = Object.keys(headers).find((name) => name.toLowerCase() === 'authorization');
  if (oauth2 === undefined || given === undefined) return;
  context.addIssue({
    code: 'custom',
    message: 'must not be set together with config.oauth2',
    path: ['headers', given],
  });
}

type Authorised = { oauth2?: object | undefined; headers?: Record<string, string> | undefined };

const retryStep = z.int('must be whole seconds').min(1, 'must be 1 to 86,400').max(86_400, 'must be 1 to 86,400');
const retrySchedule = arrayOf(retryStep, { most: 20, rule: 'must have at most 20 steps' }).refine(
  (steps) => steps.reduce((sum, step) => sum + step, 0) <= FIVE_DAYS_SECONDS,
  'must be at most 5 days together',
);

/** The forms of a request body (docs/interface.md, Payload formats). */
export const PAYLOAD_FORMATS = ['raw', 'envelope', 'cloudevents'] as const;
/** Whether deliveries of events with one ordering key wait for one another (docs/interface.md, Order). */
const ORDERINGS = ['none', 'fifo'] as const;
/**
 * How fast to send deliveries that waited during a Posthorn outage (docs/interface.md, After an outage of Posthorn).
 */
const CATCH_UPS = ['paced', 'at-once'] as const;

/** JavaScript code with a function `transform(event)`. */
export const transformationCode = z
  .string('must be a string')
  .min(1, 'must not be empty')
  .max(LIMITS.transformationCharacters, 'must be at most 51,200 characters')
  .refine((code) => !code.includes('\0'), 'must not contain U+0000');

/** How many deliveries an endpoint gets in a period. */
export const rateLimit = z.looseObject({
  limit: z.int('must be a whole number').min(1, 'must be 1 to 10,000').max(10_000, 'must be 1 to 10,000'),
  periodSeconds: z.int('must be whole seconds').min(1, 'must be 1 to 3,600').max(3_600, 'must be 1 to 3,600'),
});
const maxConcurrency = z.int('must be a whole number').min(1, 'must be 1 to 100').max(100, 'must be 1 to 100');

/** Code that makes the request body of an event (docs/interface.md, Transformations). The API also compiles it. */
const transformation = z.looseObject({
  language: z.enum(['javascript'], 'must be javascript'),
  code: transformationCode,
  isEnabled: z.boolean('must be true or false').optional(),
});

/**
 * The parts of the config that only one kind of endpoint has. `destination` is missing: several kinds share it, so it
 * is checked where the kind is known.
 */
const sections = Object.fromEntries(
  KINDS.flatMap((kind) =>
    kind.section === null || hasDestination(kind) ? [] : [[kind.section.key, kind.section.schema.optional()]],
  ),
);

const DESTINATIONS = Object.fromEntries(
  KINDS.flatMap((kind) => {
    if (kind.section === null || !hasDestination(kind)) return [];
    const id = `${kind.type.charAt(0).toUpperCase()}${kind.type.slice(1)}Destination`;
    return [
      [kind.type, kind.section.schema.meta({ id, description: `The destination of messages to ${kind.label}.` })],
    ];
  }),
);

/** The destination of messages to a broker or a store. It is checked where the endpoint's kind is known. */
export function destination(description: string) {
  return z.record(z.string(), z.unknown()).meta({ description, forms: { name: 'Destination', forms: DESTINATIONS } });
}

/**
 * The configuration of an endpoint's requests (docs/interface.md, Endpoint config). New keys must be known. An unknown
 * key from before this rule may stay, as long as the request sends it back unchanged.
 */
export const endpointConfig = z
  .looseObject({
    headers: configHeaders.optional(),
    timeoutSeconds: z.int('must be whole seconds').min(1, 'must be 1 to 30').max(30, 'must be 1 to 30').optional(),
    retrySchedule: retrySchedule.optional(),
    rateLimit: rateLimit.optional(),
    maxConcurrency: maxConcurrency.optional(),
    catchUp: z.enum(CATCH_UPS, `must be one of ${CATCH_UPS.join(', ')}`).optional(),
    ordering: z.enum(ORDERINGS, `must be one of ${ORDERINGS.join(', ')}`).optional(),
    payloadFormat: z.enum(PAYLOAD_FORMATS, `must be one of ${PAYLOAD_FORMATS.join(', ')}`).optional(),
    ...sections,
    destination: destination(
      'The destination of messages, as described by `configSchema` of the endpoint type.',
    ).optional(),
    signature: signature.optional(),
    transformation: transformation.optional(),
    standardHeaders: z.boolean('must be true or false').optional(),
    oauth2: oauth2.optional(),
    tls: tls.optional(),
  })
  .superRefine(checkSignature)
  .superRefine(checkAuthorization)
  .refine((config) => nestsAtMost(config, LIMITS.configLevels), {
    message: `must be nested at most ${LIMITS.configLevels} levels deep`,
    abort: true,
  })
  .refine(
    (config) => new TextEncoder().encode(JSON.stringify(withoutCode(config))).length <= LIMITS.configBytes,
    'must be at most 32 KiB',
  )
  .meta({
    id: 'EndpointConfig',
    description: 'The configuration of the requests to an endpoint. Unknown keys are refused.',
  });

/** The config without the transformation's code, which has its own limit. */
function withoutCode(config: { transformation?: object | undefined }) {
  const { transformation } = config;
  return transformation === undefined ? config : { ...config, transformation: { ...transformation, code: '' } };
}

export type EndpointConfig = z.output<typeof endpointConfig>;
