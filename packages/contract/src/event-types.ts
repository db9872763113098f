import { z } from 'zod';
import { LIMITS } from './limits.ts';
import { isOperational, isOperationalEventName, OPERATIONAL_PREFIX } from './operational-events.ts';
import {
  arrayOf,
  description,
  id,
  idReference,
  jsonValue,
  LONE_SURROGATE,
  nestsAtMost,
  queryFlag,
  text,
  timestamp,
} from './primitives.ts';

/** The name of an event type: lower case with dots, immutable. */
export const eventTypeName = z
  .string()
  .max(LIMITS.eventTypeNameCharacters, `must be at most ${LIMITS.eventTypeNameCharacters} characters`)
  .regex(/^[a-z0-9_]+(\.[a-z0-9_]+)*$/, 'must be dot-notation of lowercase letters, digits and underscores');

const formerName = { description: 'The same value as `eventType`. Use `eventType` instead.' };

/** The event type in an answer about something else. A test or a direct event may have none. */
export const eventTypeFields = { eventType: z.string(), eventTypeName: z.string().meta(formerName) };
export const eventTypeFieldsOrNull = {
  eventType: z.string().nullable(),
  eventTypeName: z.string().nullable().meta(formerName),
};

/** The values of the fields above for an event type. */
export function namedEventType<Name extends string | null>(eventType: Name) {
  return { eventType, eventTypeName: eventType };
}

/**
 * A name that a workspace may create. Of the names that begin with `posthorn.`, only operational events are allowed.
 */
const newEventTypeName = eventTypeName.refine(
  (name) => !isOperational(name) || isOperationalEventName(name),
  `must not begin with ${OPERATIONAL_PREFIX} unless it is the name of an operational event`,
);

/** Whether every text in a JSON value is valid Unicode. Postgres stores no other text. */
function hasOnlyText(value: unknown): boolean {
  let isText = true;
  JSON.stringify(value, (key, one) => {
    isText &&= !LONE_SURROGATE.test(key) && !(typeof one === 'string' && LONE_SURROGATE.test(one));
    return one;
  });
  return isText;
}

/** A JSON value of at most `mostBytes`. */
const documentOf = <Value extends z.ZodType>(value: Value, mostBytes: number) =>
  value
    .refine((one) => nestsAtMost(one, LIMITS.configLevels), {
      message: `must be nested at most ${LIMITS.configLevels} levels deep`,
      abort: true,
    })
    .refine((one) => new TextEncoder().encode(JSON.stringify(one ?? null)).length <= mostBytes, {
      message: `must be at most ${mostBytes / 1024} KiB`,
      abort: true,
    })
    .refine(hasOnlyText, 'must not contain lone surrogates');

/** A payload for test deliveries: any JSON value; null clears it. */
const example = documentOf(jsonValue, LIMITS.exampleBytes);

/** A JSON Schema of draft 2020-12; null clears it. Its keywords are checked when it is compiled. */
const schemaDocument = z.record(z.string(), z.unknown()).nullable().meta({
  description: 'A JSON Schema (draft 2020-12). Every reference must point to a place within it.',
});
const schema = documentOf(schemaDocument, LIMITS.schemaBytes);

const payloadRetention = z.enum(['workspace', 'until_ended', 'none']).meta({
  description:
    'How long payloads are kept. `workspace`: for the retention period of the workspace. `until_ended`: while a delivery is open or a dead letter. `none`: until each delivery has had its only attempt.',
});

const searchKey = z.object({
  name: z
    .string()
    .regex(
      /^[a-z][a-z0-9_]{0,31}$/,
      'must be 1 to 32 lowercase letters, digits and underscores, and begin with a letter',
    ),
  path: text(1, LIMITS.searchPathCharacters).meta({
    description: 'The path of the value in the payload, as in a filter.',
    example: 'data.order.id',
  }),
  fold: z.boolean().optional().meta({ description: 'Whether text is matched case-insensitively. Defaults to false.' }),
});

const KEYS_RULE = `must have 1 to ${LIMITS.searchKeysPerEventType} items, or be null`;

/** The values by which you can find events of a type; null for none. */
const searchKeys = arrayOf(searchKey, { least: 1, most: LIMITS.searchKeysPerEventType, rule: KEYS_RULE })
  .refine((keys) => new Set(keys.map(({ name }) => name)).size === keys.length, 'must not have a name twice')
  .nullable();

/** The values by which agents may filter events of a type; null for the first ones in the schema. */
const agentFilters = arrayOf(text(1, LIMITS.searchPathCharacters), {
  most: LIMITS.agentFiltersPerEventType,
  rule: `must have at most ${LIMITS.agentFiltersPerEventType} paths, or be null`,
})
  .refine((paths) => new Set(paths).size === paths.length, 'must not have a path twice')
  .nullable();

export const eventType = z
  .object({
    id: id('evt'),
    name: z.string(),
    description: z.string().nullable(),
    schema: schemaDocument,
    schemaVersion: z
      .int()
      .nonnegative()
      .meta({ description: 'The version of the schema. Each change of the schema increases it.' }),
    example: jsonValue,
    payloadRetention,
    searchKeys: z
      .array(z.object({ name: z.string(), path: z.string(), fold: z.boolean() }).meta({ id: 'SearchKey' }))
      .nullable()
      .meta({ description: 'The values in payloads by which events can be found.' }),
    agentFilters: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The paths by which agents can filter. Null for the first 30 paths of the schema.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'EventType', description: 'A named category of events, shared by the whole workspace.' });

/** The answer to a rotation of the search key. */
export const searchKeyRotation = z
  .object({
    rotatedAt: timestamp,
    formerKeyEndsAt: timestamp.meta({ description: 'When the former key ends. Until then, searches also use it.' }),
  })
  .meta({ id: 'SearchKeyRotation' });

export const createEventTypeBody = z.object({
  name: newEventTypeName,
  description: description.nullable().optional(),
  publishIn: arrayOf(idReference, {
    most: LIMITS.environmentsPerWorkspace,
    rule: `must have at most ${LIMITS.environmentsPerWorkspace} environments`,
  }).optional(),
  schema: schema.optional(),
  example: example.optional(),
  payloadRetention: payloadRetention.optional(),
  searchKeys: searchKeys.optional(),
  agentFilters: agentFilters.optional(),
});

export const updateEventTypeBody = z.object({
  description: description.nullable().optional(),
  schema: schema.optional(),
  example: example.optional(),
  payloadRetention: payloadRetention.optional(),
  searchKeys: searchKeys.optional(),
  agentFilters: agentFilters.optional(),
});

const endAgents = queryFlag
  .optional()
  .meta({ description: 'Whether to end the agent subscriptions that the change breaks.' });

export const deleteEventTypeQuery = z.object({ endAgents });

export const updateEventTypeQuery = z.object({
  endAgents,
  dryRun: queryFlag.optional().meta({ description: 'Whether to return the changes without applying them.' }),
});

/** An OpenAPI 3.1 document. */
export const catalogDocument = z.record(z.string(), z.unknown()).meta({
  id: 'CatalogDocument',
  description: 'An OpenAPI 3.1 document with a webhook for each published event type.',
  // Without what refers to components: a reader would look for them in the document that has this example.
  example: {
    openapi: '3.1.0',
    info: { title: 'Webhooks of Acme, Production', version: '1.0.0' },
    webhooks: {
      'order.created': {
        post: {
          operationId: 'order.created',
          summary: 'order.created',
          description: 'A customer placed an order.',
          requestBody: {
            content: {
              'application/json': {
                schema: { description: 'Any JSON value.' },
                example: { order: 17, total: 4_200, currency: 'EUR' },
              },
            },
          },
        },
      },
    },
  },
});

const schemaChange = z
  .object({
    path: z.string().meta({
      description: 'The path in the payload. `*` stands for every item of an array.',
      example: '/lines/*/sku',
    }),
    change: z.enum(['added', 'removed', 'type', 'required', 'enum', 'constraint']),
    breaking: z
      .boolean()
      .meta({ description: 'Whether receivers may now get payloads that the previous schema did not allow.' }),
    detail: z.string(),
  })
  .meta({ id: 'SchemaChange' });
export type SchemaChange = z.output<typeof schemaChange>;

const schemaWarnings = z
  .array(
    z
      .object({
        path: z
          .string()
          .meta({ description: 'The path of the field in the request.', example: 'schema.properties.email.pattern' }),
        message: z.string(),
      })
      .meta({ id: 'SchemaWarning' }),
  )
  .meta({ description: 'The keywords of the schema that are published, but not used to check payloads.' });

/** The answer to a POST. `schemaWarnings` is present only if the schema has keywords that no payload is checked by. */
export const createdEventType = eventType
  .extend({ schemaWarnings: schemaWarnings.optional() })
  .meta({ id: 'CreatedEventType' });

/** The answer to a PATCH. The last two fields are present only if the request has a schema, and in a dry run. */
export const updatedEventType = createdEventType
  .extend({
    schemaChanges: z.array(schemaChange).optional(),
    exampleErrors: z.array(z.string()).nullable().optional().meta({
      description:
        'At most 10 places where the example does not match the schema. Null without a schema or an example.',
    }),
  })
  .meta({ id: 'UpdatedEventType' });
