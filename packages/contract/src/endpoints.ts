import { DEFAULT_KIND, KINDS, kindOf } from '@posthorn/destinations/kinds';
import { parseUrl } from '@posthorn/runtime/parse-url';
import { z } from 'zod';
import { externalId } from './applications.ts';
import { gracePeriod } from './credentials.ts';
import { endpointConfig, secretHeaders } from './endpoint-config.ts';
import type { UrlRule } from './errors.ts';
import { LIMITS } from './limits.ts';
import {
  arrayOf,
  CONTROL_OR_LONE_SURROGATE,
  description,
  documentedForms,
  id,
  idReference,
  metadataOf,
  pageFields,
  queryFlag,
  text,
  timestamp,
} from './primitives.ts';
import { pullStatus, shownPullKey } from './pull.ts';
import { endpointCredentials } from './request-credentials.ts';
import { endpointStats } from './stats.ts';
import { chosenEventTypes, chosenPatterns, eventTypePattern } from './subscriptions.ts';

/** Client generators disagree on unions of simple types, so the description names the forms instead. */
const metadataValue = documentedForms('MetadataValue', 'A string, number, boolean or null.', [
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
]).meta({ not: { type: ['object', 'array'], items: {} } });

export const endpoint = z
  .object({
    id: id('ep'),
    environmentId: id('env'),
    applicationId: id('app').nullable(),
    externalId: z.string().nullable().meta({
      description: "Your own id for the endpoint. `ext:` and this value is accepted wherever the endpoint's id is.",
    }),
    promotedFrom: id('ep')
      .nullable()
      .meta({ description: 'The endpoint in another environment from which this endpoint was promoted.' }),
    url: z.string(),
    target: z
      .string()
      .meta({ description: 'A human-readable description of where messages are sent. For a webhook, the `url`.' }),
    secret: z
      .string()
      .nullable()
      .meta({ description: 'The secret that signs every request. Null for callers who may not see it.' }),
    publicKey: z.string().nullable().meta({
      description:
        'The public key that verifies the `v1a` signatures. Null unless `config.signature` is `standard-ed25519`.',
    }),
    description: z.string(),
    authUsername: z.string().nullable(),
    hasAuth: z.boolean(),
    isActive: z.boolean(),
    disabledAt: timestamp.nullable(),
    disabledReason: z.enum(['manual', 'failing', 'gone', 'receiver']).nullable(),
    health: z.enum(['healthy', 'degraded', 'failing']),
    pull: pullStatus.nullable().meta({ description: 'The state of a pull endpoint. Null for other types.' }),
    type: z.string(),
    // Not validated on read: stored configs were valid in the version that stored them.
    config: z.record(z.string(), z.unknown()).meta({ documentedAs: endpointConfig }),
    eventTypePatterns: z.array(eventTypePattern).meta({
      description: 'The patterns of event types. Every matching event type, including later ones, gets a subscription.',
    }),
    credentialNames: z.array(z.string()).meta({ description: 'The names of the stored credentials.' }),
    secretHeaderNames: z.array(z.string()).meta({ description: 'The names of the headers with secret values.' }),
    metadata: z.record(z.string(), metadataValue),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Endpoint', description: 'A destination that receives signed deliveries.' });

/** An endpoint on creation. No other answer has the pull key. */
export const createdEndpoint = endpoint.extend({ pullKey: shownPullKey.optional() }).meta({
  id: 'CreatedEndpoint',
  description: 'A new endpoint, with its first pull key if it is a pull endpoint.',
});

const types = KINDS.map(({ type }) => type);
const type = z.enum(types, `must be ${types.slice(0, -1).join(', ')} or ${types.at(-1)}`);

const jsonSchema = z.record(z.string(), z.unknown()).nullable();
const sentence = (description: string) => z.string().meta({ description });

/** The description of an endpoint type, with the fields that a form for it asks for. */
export const endpointType = z
  .object({
    type,
    label: z.string(),
    description: z.string(),
    setup: sentence('The setup instructions, in Markdown: what to create at the provider.'),
    hasUrl: z.boolean().meta({ description: 'Whether you set the `url` of an endpoint of this type.' }),
    configKey: z
      .string()
      .nullable()
      .meta({ description: 'The key of `config` that is specific to this type. `configSchema` describes its value.' }),
    configSchema: jsonSchema.meta({
      description: 'The JSON Schema (2020-12) of that value. Null without a `configKey`.',
    }),
    credentialsSchema: jsonSchema.meta({
      description: 'The JSON Schema (2020-12) of the credentials. Null if the type takes none.',
    }),
    delivered: sentence('The meaning of the status `delivered`.'),
    ordering: sentence('The order in which events arrive.'),
    deduplication: sentence('How a receiver detects duplicates.'),
    maxBytes: z
      .int()
      .meta({ description: "The maximum size of an event's payload for an endpoint of this type, in bytes." }),
    defaults: z
      .object({ timeoutSeconds: z.int(), retrySchedule: z.array(z.int()) })
      .meta({ id: 'EndpointDefaults', description: 'The values that apply unless `config` sets others.' }),
  })
  .meta({ id: 'EndpointType', description: 'A type of endpoint.' });

/** An endpoint in a read, with its statistics if they were requested. */
export const endpointRead = endpoint
  .extend({ stats: endpointStats.optional() })
  .meta({ id: 'EndpointRead', description: 'An endpoint, with the fields that `include` adds.' });

const include = z.literal('stats', 'must be stats').optional();

const NO_CONTROL = {
  message: 'must not contain control characters or lone surrogates',
  // Reports only the first fault of a URL.
  abort: true,
};
const ofUrl = { format: 'uri', pattern: '^https://', maxLength: LIMITS.urlCharacters };
const urlText = z
  .string()
  .min(1, { message: 'is required', abort: true })
  .refine((value) => !CONTROL_OR_LONE_SURROGATE.test(value), NO_CONTROL);

/** The URL rule that a text breaks. This rule holds for every kind of endpoint. */
function urlFault(text: string): { rule: UrlRule; message: string } | undefined {
  if (text.length > LIMITS.urlCharacters) {
    return { rule: 'length', message: `must be at most ${LIMITS.urlCharacters.toLocaleString('en')} characters` };
  }
  const url = parseUrl(text);
  if (url === undefined) return { rule: 'url', message: 'must be a valid URL' };
  if (url.protocol === 'https:') return undefined;
  return { rule: 'https', message: 'Webhook URL must use HTTPS' };
}

/**
 * An endpoint's URL. These rules are reported together with faults of other fields. The remaining rules need a name
 * look-up, and are checked separately.
 */
export const endpointUrl = urlText
  .superRefine((given, context) => {
    const fault = urlFault(given);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault.message, params: { rule: fault.rule } });
  })
  .meta(ofUrl);

/** A URL in a workspace document. Its rules are checked later, for all endpoints before the first fault is reported. */
export const documentUrl = urlText.meta(ofUrl);

const authUsername = text(1, LIMITS.nameCharacters)
  .refine((value) => !value.includes(':'), 'must not contain a colon')
  .meta({ pattern: String.raw`^[^:\x00-\x1f\x7f-\x9f]*$` });
const authPassword = text(1, 1_000);
const metadata = metadataOf(
  z
    .union([z.string(), z.number(), z.boolean(), z.null()], 'must be a string, number, boolean or null')
    .meta({ documentedAs: metadataValue }),
);
const secret = z.string();

const kindNamed = (type = DEFAULT_KIND.type) => kindOf(type) ?? DEFAULT_KIND;

const createdFields = {
  url: endpointUrl.optional().meta({
    description: 'The URL of the endpoint. Required if the endpoint type has one; for other types, Posthorn sets it.',
  }),
  description: description.optional(),
  authUsername: authUsername.nullable().optional(),
  authPassword: authPassword.nullable().optional(),
  type: type.optional(),
  config: endpointConfig.optional(),
  secretHeaders: secretHeaders.optional(),
  credentials: endpointCredentials.optional(),
  metadata: metadata.optional(),
  environmentId: idReference.optional(),
  externalId: externalId.nullable().optional(),
  secret: secret.nullable().optional(),
  isActive: z.boolean().optional(),
  eventTypes: chosenEventTypes.optional(),
};

type Placed = { url?: string | undefined; type?: string | undefined };
const hasUrlOrTakesNone = ({ url, type }: Placed) => url !== undefined || !kindNamed(type).hasUrl;
const takesUrlOrHasNone = ({ url, type }: Placed) => url === undefined || kindNamed(type).hasUrl;
const URL_REQUIRED = {
  path: ['url'],
  message: 'is required',
  params: { rule: 'required' },
  // Report this together with faults of other fields.
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
};
const URL_GIVEN = {
  path: ['url'],
  error: ({ input }: { input: unknown }) => `of a ${(input as Placed).type} is given by the service`,
};

const applicationId = idReference.nullable().optional().meta({
  description: 'The application that owns the endpoint. If omitted, the endpoint belongs to the workspace itself.',
});

export const createEndpointBody = z
  .object({ ...createdFields, applicationId })
  .refine(hasUrlOrTakesNone, URL_REQUIRED)
  .refine(takesUrlOrHasNone, URL_GIVEN)
  .meta({ id: 'CreateEndpointBody' });

/** The body for an application that the path names. */
export const createApplicationEndpointBody = z
  .object(createdFields)
  .refine(hasUrlOrTakesNone, URL_REQUIRED)
  .refine(takesUrlOrHasNone, URL_GIVEN)
  .meta({ id: 'CreateApplicationEndpointBody' });

/** No endpoint has as many secrets. */
const MOST_NAMES = 100;
const storedNames = (what: string) =>
  arrayOf(z.string(), { most: MOST_NAMES, rule: `must have at most ${MOST_NAMES} names` })
    .optional()
    .meta({ description: `The names of the stored ${what} to keep, as an endpoint shows them.` });

/** An answer can be sent back: it names what it cannot show. */
const replacedFields = {
  ...createdFields,
  eventTypePatterns: chosenPatterns.optional().meta({
    description:
      'The patterns, as an endpoint shows them. They replace the stored patterns, and other subscriptions are kept. Ignored with `eventTypes`.',
  }),
  secretHeaderNames: storedNames('secret headers'),
  credentialNames: storedNames('credentials'),
};

export const upsertEndpointBody = z
  .object({ ...replacedFields, applicationId })
  .refine(hasUrlOrTakesNone, URL_REQUIRED)
  .meta({ id: 'UpsertEndpointBody' });

/** For an application that the path names. */
export const upsertApplicationEndpointBody = z
  .object(replacedFields)
  .refine(hasUrlOrTakesNone, URL_REQUIRED)
  .meta({ id: 'UpsertApplicationEndpointBody' });

export const updateEndpointBody = z.object({
  url: endpointUrl.optional(),
  description: description.optional(),
  isActive: z.boolean().optional(),
  authUsername: authUsername.nullable().optional(),
  authPassword: authPassword.nullable().optional(),
  config: endpointConfig.optional(),
  secretHeaders: secretHeaders.optional(),
  credentials: endpointCredentials.optional(),
  metadata: metadata.nullable().optional(),
  externalId: externalId.nullable().optional(),
  eventTypePatterns: chosenPatterns.optional(),
});

export const listEndpointsQuery = z.object({
  ...pageFields,
  environment_id: idReference.optional(),
  application_id: idReference.optional(),
  is_active: queryFlag.optional(),
  event_type_id: idReference.optional(),
  external_id: externalId.optional(),
  include,
});

export const getEndpointQuery = z.object({ include });

export const rotateSecretBody = z.object({ gracePeriodSeconds: gracePeriod, secret: secret.optional() });
