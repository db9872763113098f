import { clusterFields, SOURCE_TYPE, topicName } from '@posthorn/destinations/source-kind';
import { z } from 'zod';
import { externalId } from './applications.ts';
import { eventTypeName } from './event-types.ts';
import { LIMITS } from './limits.ts';
import { arrayOf, cursor, id, idReference, name, offsetDateTime, pageLimit, text, timestamp } from './primitives.ts';
import { endpointCredentials } from './request-credentials.ts';

// Topics whose records become events (docs/interface.md, Sources).

const header = text(1, 128).meta({ description: 'The name of a header of the record.' });
const pointer = text(0, LIMITS.searchPathCharacters)
  .refine((given) => given === '' || given.startsWith('/'), 'must be a JSON pointer, such as /data/id')
  .meta({ description: 'A JSON pointer into the value (RFC 6901).', example: '/meta/type' });

/** Exactly one of the fields says where a text comes from. */
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
    description: 'They must exist.',
  }),
  start: start.default('latest').meta({
    description: '`latest`, `earliest` or a time: where the first reading of a topic begins.',
  }),
};

/** The fields of a config that belong to an environment: a promotion does not carry them. */
export const SOURCE_PLACE_FIELDS: readonly string[] = Object.keys(place);

/** Where a source that a promotion creates reads. */
export const sourcePlace = z
  .strictObject(place)
  .meta({ id: 'SourcePlace', description: 'The brokers and the topics of a source, as in its config.' });
export type SourcePlace = z.output<typeof sourcePlace>;

const config = z.strictObject({
  ...place,
  eventType: oneOf({ header: header.optional(), pointer: pointer.optional(), fixed: eventTypeName.optional() }).meta({
    id: 'SourceEventType',
    description: 'Where the event type of a record is.',
  }),
  data: z
    .strictObject({ pointer })
    .optional()
    .meta({ id: 'SourceData', description: 'Absent: the value, byte for byte.' }),
  application: oneOf({ header: header.optional(), pointer: pointer.optional() })
    .optional()
    .meta({ id: 'SourceApplication', description: 'Where the `externalId` of the application is.' }),
  orderingKey: z
    .enum(['key'], 'must be key or null')
    .nullable()
    .default(null)
    .meta({ description: '`key`: the ordering key of an event is the key of its record.' }),
  idempotencyKey: z
    .strictObject({ header })
    .optional()
    .meta({ id: 'SourceIdempotencyKey', description: 'Where the idempotency key is.' }),
  contentType: text(1, LIMITS.contentTypeCharacters).default('application/json'),
  tombstones: z
    .enum(['skip', 'send'], 'must be skip or send')
    .default('skip')
    .meta({ description: 'What becomes of a record without a value: `send` makes an event without a payload.' }),
  onError: z.enum(['reject', 'stop'], 'must be reject or stop').default('reject').meta({
    description: 'Of a record that cannot become an event: `reject` notes it and reads on; `stop` stops before it.',
  }),
});

export type SourceConfig = z.output<typeof config>;

const description = 'Which topics are read, and how a record becomes an event.';
/** Of a request: what is left out has its default. */
const givenSourceConfig = config.meta({ id: 'SourceConfigInput', description });

/** What a reader reports; `inactive` is of a source that is switched off. */
const SOURCE_STATUSES = ['starting', 'running', 'paused', 'quota', 'failing', 'stopped'] as const;

export const source = z
  .object({
    id: id('src'),
    externalId: z.string().nullable().meta({ description: 'Your own name for it, unique in its environment.' }),
    name: z.string(),
    type: z.literal(SOURCE_TYPE),
    environmentId: id('env'),
    isActive: z.boolean(),
    config: config.meta({ id: 'SourceConfig', description }),
    credentialNames: z.array(z.string()).meta({ description: 'The credentials that are stored, by name.' }),
    promotedFrom: id('src')
      .nullable()
      .meta({ description: 'The source of another environment from which a promotion made it.' }),
    health: z
      .object({
        status: z.enum([...SOURCE_STATUSES, 'inactive']).meta({
          description:
            '`paused`: deliveries of the workspace wait; `quota`: the quota of the day is used up; `failing`: it is tried again and again; `stopped`: only a change or a seek lets it read on.',
        }),
        error: z.string().nullable().meta({ description: 'Of `failing` and `stopped`: why.' }),
        lagRecords: z.int().nullable().meta({ description: 'The records that wait in the topics.' }),
        lagSeconds: z.int().nullable().meta({
          description: 'The age of the newest record that was read, while others wait; 0 while none waits.',
        }),
        lastRecordAt: timestamp.nullable().meta({ description: 'The time of the newest record that was read.' }),
        rejected: z.int().meta({ description: 'All records that were rejected.' }),
      })
      .meta({ id: 'SourceHealth', description: 'As the reader has reported it, at most some seconds ago.' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Source', description: 'Topics whose records become events.' });

export const sourcesPage = z.object({ sources: z.array(source), nextCursor: z.string().nullable() });

const page = { limit: pageLimit, cursor: cursor.optional() };
export const listSourcesQuery = z.object({ ...page, environment_id: idReference.optional() });

export const createSourceBody = z.object({
  name,
  externalId: externalId.optional(),
  type: z.literal(SOURCE_TYPE, `must be ${SOURCE_TYPE}`).default(SOURCE_TYPE),
  environmentId: idReference.optional().meta({ description: 'Absent: the default environment.' }),
  isActive: z.boolean('must be true or false').default(true),
  config: givenSourceConfig,
  credentials: endpointCredentials.optional(),
});

export const updateSourceBody = z.object({
  name: name.optional(),
  externalId: externalId.nullable().optional(),
  isActive: z.boolean('must be true or false').optional(),
  config: givenSourceConfig.optional().meta({ description: 'Replaces the whole config.' }),
  credentials: endpointCredentials.optional(),
});

const OFFSET_RULE = 'must be a whole number from 0';
export const seekSourceBody = z
  .object({
    topic: topicName,
    partition: z.int('must be a whole number').min(0, OFFSET_RULE).optional().meta({ description: 'Absent: all.' }),
    offset: z
      .int(OFFSET_RULE)
      .min(0, OFFSET_RULE)
      .max(Number.MAX_SAFE_INTEGER, OFFSET_RULE)
      .optional()
      .meta({ description: 'The record that is read next.' }),
    timestamp: offsetDateTime.optional().meta({ description: 'The first record of this time, or after it.' }),
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
    size: z.int().meta({ description: 'The bytes of the value.' }),
    at: timestamp,
  })
  .meta({ id: 'SourceRejection', description: 'A record that did not become an event. It stays where it is.' });

export const rejectionsPage = z.object({ rejections: z.array(sourceRejection), nextCursor: z.string().nullable() });

const testedTopic = z
  .object({
    name: z.string(),
    partitions: z.int(),
    records: z.int().meta({ description: 'The records that the topic holds now.' }),
  })
  .meta({ id: 'TestedTopic' });

const testedRecord = z
  .object({
    topic: z.string(),
    partition: z.int(),
    offset: z.int(),
    timestamp,
    size: z.int().meta({ description: 'The bytes of the value.' }),
    eventType: z.string().nullable().meta({ description: 'The event type that it says; null if it is not an event.' }),
    rejection: z.string().nullable().meta({ description: 'Why it could not become an event; null if it could.' }),
  })
  .meta({ id: 'TestedRecord' });

/** The answer of a dispatcher, which the API passes on. */
export const sourceTest = z
  .object({
    sourceId: id('src'),
    outcome: z.enum(['success', 'failure']),
    error: z.string().nullable().meta({ description: 'Of a failure: why, in the words of the brokers.' }),
    topics: z.array(testedTopic),
    record: testedRecord.nullable().meta({ description: 'A record among the newest ones. Null if there is none.' }),
    durationMs: z.int(),
  })
  .meta({ id: 'SourceTest', description: 'What a source finds at its brokers. Nothing is stored.' });
export type SourceTest = z.output<typeof sourceTest>;

export const listRejectionsQuery = z.object(page);
