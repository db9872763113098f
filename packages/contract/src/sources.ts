import { clusterFields, SOURCE_TYPE, topicName } from '@posthorn/destinations/source-kind';
import { z } from 'zod';
import { externalId } from './applications.ts';
import { eventTypeName } from './event-types.ts';
import { LIMITS } from './limits.ts';
import { arrayOf, cursor, id, idReference, name, offsetDateTime, pageLimit, text, timestamp } from './primitives.ts';
import { endpointCredentials } from './request-credentials.ts';

// Topics whose records become events (docs/interface.md, Sources).

const header = text(1, 128).meta({ description: 'The name of a record header.' });
const pointer = text(0, LIMITS.searchPathCharacters)
  .refine((given) => given === '' || given.startsWith('/'), 'must be a JSON pointer, such as /data/id')
  .meta({ description: 'A JSON pointer into the record value (RFC 6901).', example: '/meta/type' });

/** An object with exactly one of these fields, which says where a text comes from. */
function oneOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape);
  return z.strictObject(shape).refine((given) => Object.values(given).filter((one) => one !== undefined).length === 1, {
    message: `must have ${names.join(' or ')}, and no other`,
  });
}

const POINTS = ['latest', 'earliest'];
const start = z
  .string()
  .refine(
    (given) => POINTS.includes(given) || offsetDateTime.safeParse(given).success,
    'must be latest, earliest or an ISO 8601 date-time with an offset',
  );

const place = {
  ...clusterFields,
  topics: arrayOf(topicName, { least: 1, most: 10, rule: 'must have 1 to 10 items' }).meta({
    description: 'The topics to read. They must exist.',
  }),
  start: start.default('latest').meta({
    description: 'Where reading starts in a topic that is new to the source: `latest`, `earliest` or a time.',
  }),
};

/** The config fields that belong to an environment. A promotion does not carry them. */
export const SOURCE_PLACE_FIELDS: readonly string[] = Object.keys(place);

/** The brokers and topics of a source that a promotion creates. */
export const sourcePlace = z
  .strictObject(place)
  .meta({ id: 'SourcePlace', description: 'The brokers and topics of a source, as in its `config`.' });
export type SourcePlace = z.output<typeof sourcePlace>;

const config = z.strictObject({
  ...place,
  eventType: oneOf({ header: header.optional(), pointer: pointer.optional(), fixed: eventTypeName.optional() }).meta({
    id: 'SourceEventType',
    description: 'The location of the event type in a record, or a fixed event type.',
  }),
  data: z.strictObject({ pointer }).optional().meta({
    id: 'SourceData',
    description: 'The location of the payload in a record. Defaults to the record value, byte for byte.',
  }),
  application: oneOf({ header: header.optional(), pointer: pointer.optional() })
    .optional()
    .meta({ id: 'SourceApplication', description: "The location of the application's `externalId` in a record." }),
  orderingKey: z
    .enum(['key'], 'must be key or null')
    .nullable()
    .default(null)
    .meta({ description: 'The source of the ordering key. `key` uses the key of the record.' }),
  idempotencyKey: z
    .strictObject({ header })
    .optional()
    .meta({ id: 'SourceIdempotencyKey', description: 'The location of the idempotency key in a record.' }),
  contentType: text(1, LIMITS.contentTypeCharacters).default('application/json'),
  tombstones: z.enum(['skip', 'send'], 'must be skip or send').default('skip').meta({
    description:
      'How to handle a record without a value. `send` creates an event without a payload, `skip` ignores the record.',
  }),
  onError: z.enum(['reject', 'stop'], 'must be reject or stop').default('reject').meta({
    description:
      'How to handle a record that cannot become an event. `reject` notes it and continues, `stop` stops before it.',
  }),
});

export type SourceConfig = z.output<typeof config>;

const description = 'The topics to read, and how a record becomes an event.';
/** Of a request: what is left out has its default. */
const givenSourceConfig = config.meta({ id: 'SourceConfigInput', description });

/** The statuses that a reader reports. A source that is switched off is `inactive` instead. */
const SOURCE_STATUSES = ['starting', 'running', 'paused', 'quota', 'failing', 'stopped'] as const;

export const source = z
  .object({
    id: id('src'),
    externalId: z.string().nullable().meta({ description: 'Your own id for the source, unique in its environment.' }),
    name: z.string(),
    type: z.literal(SOURCE_TYPE),
    environmentId: id('env'),
    isActive: z.boolean(),
    config: config.meta({ id: 'SourceConfig', description }),
    credentialNames: z.array(z.string()).meta({ description: 'The names of the stored credentials.' }),
    promotedFrom: id('src')
      .nullable()
      .meta({ description: 'The source in another environment from which this source was promoted.' }),
    health: z
      .object({
        status: z.enum([...SOURCE_STATUSES, 'inactive']).meta({
          description:
            'The status of the source. `paused`: reading waits until the workspace has fewer waiting deliveries. `quota`: a quota of the workspace is used up. `failing`: reading fails and is retried. `stopped`: reading continues only after an update or a seek.',
        }),
        error: z.string().nullable().meta({
          description:
            'The reason for the status `failing`, `stopped` or `quota`, or why no dispatcher reads a source that is `starting`.',
        }),
        lagRecords: z.int().nullable().meta({ description: 'The number of records that are waiting in the topics.' }),
        lagSeconds: z.int().nullable().meta({
          description:
            'The age of the newest record that was read, in seconds, while other records are waiting. 0 if none are waiting.',
        }),
        lastRecordAt: timestamp.nullable().meta({
          description: 'The timestamp of the newest record that was read, or the time of reading if that is earlier.',
        }),
        rejected: z.int().meta({ description: 'The total number of rejected records.' }),
      })
      .meta({
        id: 'SourceHealth',
        description: 'The health of a source as reported by its reader, at most a few seconds ago.',
      }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Source', description: 'A source reads topics, whose records become events.' });

export const sourcesPage = z.object({ sources: z.array(source), nextCursor: z.string().nullable() });

const page = { limit: pageLimit, cursor: cursor.optional() };
export const listSourcesQuery = z.object({ ...page, environment_id: idReference.optional() });

export const createSourceBody = z.object({
  name,
  externalId: externalId.nullable().optional(),
  type: z.literal(SOURCE_TYPE, `must be ${SOURCE_TYPE}`).default(SOURCE_TYPE),
  environmentId: idReference
    .optional()
    .meta({ description: 'The environment. Defaults to the default environment of the workspace.' }),
  isActive: z.boolean('must be true or false').default(true),
  config: givenSourceConfig,
  credentials: endpointCredentials.optional(),
});

export const updateSourceBody = z.object({
  name: name.optional(),
  externalId: externalId.nullable().optional(),
  isActive: z.boolean('must be true or false').optional(),
  config: givenSourceConfig
    .optional()
    .meta({ description: 'The new config, which replaces the current one as a whole.' }),
  credentials: endpointCredentials.optional(),
});

const OFFSET_RULE = 'must be a whole number from 0';
const MOST_PARTITION = 2_147_483_647;
const PARTITION_RULE = 'must be a whole number from 0 to 2,147,483,647';
export const seekSourceBody = z
  .object({
    topic: topicName,
    partition: z
      .int(PARTITION_RULE)
      .min(0, PARTITION_RULE)
      .max(MOST_PARTITION, PARTITION_RULE)
      .optional()
      .meta({ description: 'The partition. If omitted, all partitions.' }),
    offset: z
      .int(OFFSET_RULE)
      .min(0, OFFSET_RULE)
      .max(Number.MAX_SAFE_INTEGER, OFFSET_RULE)
      .optional()
      .meta({ description: 'The offset of the next record to read.' }),
    timestamp: offsetDateTime
      .optional()
      .meta({ description: 'The time of the next record to read: the first record at or after this time.' }),
  })
  .refine(({ offset, timestamp: at }) => (offset === undefined) !== (at === undefined), {
    path: ['offset'],
    message: 'or timestamp must be given, and not both',
  });

export const sourceRejection = z
  .object({
    topic: z.string(),
    partition: z.int(),
    offset: z.int(),
    reason: z.string().meta({ description: 'An error code.', example: 'schema_violation' }),
    message: z.string(),
    size: z.int().meta({ description: 'The size of the record value in bytes.' }),
    at: timestamp,
  })
  .meta({ id: 'SourceRejection', description: 'A record that could not become an event. It remains in its topic.' });

export const rejectionsPage = z.object({ rejections: z.array(sourceRejection), nextCursor: z.string().nullable() });

const testedTopic = z
  .object({
    name: z.string(),
    partitions: z.int(),
    records: z.int().meta({ description: 'The number of records in the topic now.' }),
  })
  .meta({ id: 'TestedTopic' });

const testedRecord = z
  .object({
    topic: z.string(),
    partition: z.int(),
    offset: z.int(),
    timestamp,
    size: z.int().meta({ description: 'The size of the record value in bytes.' }),
    eventType: z
      .string()
      .nullable()
      .meta({ description: 'The event type that the record names. Null if it names none.' }),
    rejection: z.string().nullable().meta({
      description:
        'Why the record could not become an event. Null if it could. Conflicts of idempotency keys are not checked.',
    }),
  })
  .meta({ id: 'TestedRecord' });

/** A dispatcher's answer, which the API passes on. */
export const sourceTest = z
  .object({
    sourceId: id('src'),
    outcome: z.enum(['success', 'failure']),
    error: z.string().nullable().meta({ description: 'The error message of the brokers, if the test failed.' }),
    topics: z.array(testedTopic),
    record: testedRecord.nullable().meta({ description: 'One of the newest records. Null if there is none.' }),
    durationMs: z.int(),
  })
  .meta({ id: 'SourceTest', description: 'The result of testing a source. Nothing is stored.' });
export type SourceTest = z.output<typeof sourceTest>;

export const listRejectionsQuery = z.object(page);
