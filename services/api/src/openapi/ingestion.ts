import type { ErrorCode } from '@posthorn/contract/errors';
import { directIngestAnswer, ingestAnswer } from '@posthorn/contract/ingest';
import { batchAnswer, batchBody } from '@posthorn/contract/ingest-batch';
import { LIMITS } from '@posthorn/contract/limits';
import type { z } from 'zod';
import { REQUEST_ID } from './errors.ts';
import { EXAMPLE_IDS } from './examples.ts';
import type { JsonObject } from './json.ts';
import { json, type Part, visibleAsciiOf, type Writers, type WrittenOperation } from './operation.ts';
import { sdkName } from './sdk-name.ts';

/**
 * The ingestion interface (docs/interface.md, Ingestion). Its bodies are payloads, so it is not in the table of rows.
 */
export function describeIngestion(writers: Writers, part: Part): WrittenOperation[] {
  const { schemas } = writers;
  const anyBody = part === 'sdk' ? JSON_CONTENT : ANY_CONTENT;
  const operations = [
    {
      path: '/api/ingest/event/{eventType}',
      operation: write(writers, {
        operationId: 'ingestEvent',
        summary: 'Send an event to every subscribed endpoint',
        description: `${ANY_BODY} The event is sent to the endpoints in the API key's environment that subscribe to the event type. If the event type is not published there, the event is stored, but no endpoint receives it.`,
        parameters: [pathParameter('eventType', 'order.created'), ...OPTIONS],
        body: anyBody,
        bodyRequired: false,
        answer: ingestAnswer,
        errors: ['idempotency_conflict', 'schema_violation'],
      }),
    },
    {
      path: '/api/ingest/{endpointId}',
      operation: write(writers, {
        operationId: 'ingestDirectEvent',
        summary: 'Send an event to one endpoint',
        description: `${ANY_BODY} The endpoint must belong to the API key's environment.`,
        parameters: [pathParameter('endpointId', EXAMPLE_IDS.endpoint), ...OPTIONS],
        body: anyBody,
        bodyRequired: false,
        answer: directIngestAnswer,
        errors: ['idempotency_conflict'],
      }),
    },
    {
      path: '/api/ingest/batch',
      operation: write(writers, {
        operationId: 'ingestBatch',
        summary: 'Send a batch of events',
        description:
          'Sends at most 100 events, and at most 1 MiB. Each event is accepted or refused separately, as if sent by itself as `application/json`; `data` is stored as the exact bytes of that value. Headers that set options of an event are refused. The status is 202 even if every event was refused.',
        parameters: [],
        body: json(schemas.writeNamed(batchBody, 'input', 'IngestBatchBody'), BATCH_EXAMPLE),
        bodyRequired: true,
        answer: batchAnswer,
        errors: [],
      }),
    },
  ];
  return operations.map((one) => ({ ...one, method: 'post', tag: 'Ingestion' }));
}

type IngestionRow = {
  operationId: string;
  summary: string;
  description: string;
  parameters: JsonObject[];
  body: JsonObject;
  bodyRequired: boolean;
  answer: z.ZodType;
  errors: ErrorCode[];
};

function write({ schemas, errors }: Writers, row: IngestionRow): JsonObject {
  const { operationId, summary, description, parameters, body, answer } = row;
  const replayed = { description: '`true` if the request repeats an earlier one.', schema: { type: 'string' } };
  return {
    operationId,
    'x-sdk': sdkName(operationId, 'Ingestion'),
    tags: ['Ingestion'],
    summary,
    description,
    security: [{ apiKey: [] }, { apiKeyHeader: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    requestBody: { required: row.bodyRequired, content: body },
    responses: {
      '202': {
        description: 'The request was accepted and stored.',
        headers: { ...REQUEST_ID, ...(parameters.length === 0 ? {} : { 'Idempotent-Replayed': replayed }) },
        content: json(schemas.write(answer, 'output')),
      },
      ...errors.write([...row.errors, ...EVERY_INGESTION]),
    },
  };
}

const EVERY_INGESTION: ErrorCode[] = [
  'validation_error',
  'unauthorized',
  'not_found',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'internal_error',
  'unavailable',
];

const ANY_BODY =
  'The request body is the payload, which is stored byte for byte. With a JSON content type, it must be valid JSON.';
/** Of two types of a body, openapi-python-client makes a program that fails when it is run. */
const JSON_CONTENT: JsonObject = {
  'application/json': {
    schema: { description: 'Any JSON value.' },
    example: { orderId: 'A-1', total: 4200 },
  },
};
const ANY_CONTENT: JsonObject = {
  ...JSON_CONTENT,
  'application/octet-stream': {
    schema: { type: 'string', format: 'binary', description: 'Any bytes, with any other content type.' },
  },
};

// Without examples: the reference page would send them with every request.
const OPTIONS: JsonObject[] = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A key that makes the request safe to repeat. For 24 hours, the same request with the same key creates nothing and returns the first response.',
    schema: visibleAsciiOf(LIMITS.idempotencyKeyCharacters),
  },
  {
    name: 'X-Application-Id',
    in: 'header',
    description:
      'Limits the event to the endpoints of one customer: the id of an application, or `ext:` and your own id of the customer.',
    schema: visibleAsciiOf(LIMITS.applicationReferenceCharacters),
  },
  {
    name: 'X-Ordering-Key',
    in: 'header',
    description:
      'The ordering key. An endpoint with `ordering: "fifo"` receives events with the same key one after the other, in the order in which they were accepted.',
    schema: visibleAsciiOf(LIMITS.orderingKeyCharacters),
  },
  {
    name: 'X-Deliver-At',
    in: 'header',
    description: `The earliest time to deliver the event, at most ${LIMITS.deliverAtHoursAhead} hours from now, in RFC 3339 format, such as \`2027-01-31T09:30:00Z\`.`,
    // No format: openapi-python-client leaves out an operation with a date-time in a header.
    schema: { type: 'string', maxLength: LIMITS.dateTimeCharacters },
  },
];

const BATCH_EXAMPLE: JsonObject = {
  events: [
    { eventType: 'order.created', idempotencyKey: 'order-A-2-created', data: { orderId: 'A-2' } },
    { endpointId: EXAMPLE_IDS.endpoint, data: { hello: 'world' } },
  ],
};

function pathParameter(name: string, example: string): JsonObject {
  return { name, in: 'path', required: true, schema: { type: 'string' }, example };
}
