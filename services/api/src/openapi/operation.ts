import type { ErrorCode } from '@posthorn/contract/errors';
import { LIMITS } from '@posthorn/contract/limits';
import { z } from 'zod';
import type { Described } from '../operation/route.ts';
import { type ErrorWriter, LINK, READ_FROM, REPLAYED, REQUEST_ID } from './errors.ts';
import { EXAMPLES, exampleId } from './examples.ts';
import { asObject, type Json, type JsonObject } from './json.ts';
import type { SchemaWriter } from './json-schema.ts';
import { sdkName } from './sdk-name.ts';
import { typeName } from './type-name.ts';

/** Which operations and bodies a document has: all, or those for generated clients. */
export type Part = 'whole' | 'sdk';

/** A row at one interface. */
export type Documented = Described & {
  /** The row's operationId: several interfaces may offer one row. */
  row: string;
  /** The whole path. */
  path: string;
  paid: boolean;
  links?: boolean;
  mayLag?: boolean;
  streams?: boolean;
  csv?: unknown;
  takesIdempotencyKey?: boolean;
  namesEndpoint?: boolean;
  upserts?: boolean;
  query: z.ZodType | undefined;
  body: z.ZodType | undefined;
  response: z.ZodType | undefined;
  dryRun?: z.ZodType | undefined;
  /** Alternatives; empty when no credential is needed. */
  security: JsonObject[];
  inWorkspace: boolean;
};

/** An operation of the document, with its place in it. */
export type WrittenOperation = { path: string; method: string; tag: string; operation: JsonObject };

export type Writers = { schemas: SchemaWriter; errors: ErrorWriter };

export function writeOperation(documented: Documented, { schemas, errors }: Writers): JsonObject {
  const { operationId, tag, summary, description, status, query, body, response, dryRun, security } = documented;
  const parameters = [
    ...pathParameters(documented),
    ...queryParameters(query, schemas),
    ...(documented.namesEndpoint === true ? [ENVIRONMENT_OF_NAME] : []),
    ...(documented.takesIdempotencyKey === true ? [IDEMPOTENCY_KEY] : []),
  ];
  const answer: JsonObject = {
    description: status === 204 ? 'Success, without a body.' : summary,
    headers: {
      ...REQUEST_ID,
      ...(documented.links === true || hasNextCursor(response) ? LINK : {}),
      ...(documented.mayLag === true ? READ_FROM : {}),
      ...(documented.takesIdempotencyKey === true ? REPLAYED : {}),
    },
    ...(response === undefined
      ? {}
      : {
          content: documented.streams
            ? events(response, schemas)
            : {
                ...json(schemas.writeNamed(response, 'output', `${typeName(documented.row)}Answer`)),
                ...(documented.csv !== undefined && isManaged(security) ? CSV : {}),
              },
        }),
  };
  return {
    operationId,
    'x-sdk': sdkName(documented.row, tag),
    tags: [tag],
    summary,
    description,
    security,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(documented.row, body, schemas) }),
    responses: {
      ...dryAnswer(dryRun, schemas),
      [String(status)]: answer,
      ...(documented.upserts === true && { '201': { ...answer, description: 'The resource was created.' } }),
      ...errors.write(errorsOf(documented)),
    },
  };
}

/** Documented at the management interface only: the dashboard's own client reads JSON. */
const CSV: JsonObject = { 'text/csv': { schema: { type: 'string' } } };

function isManaged(security: readonly JsonObject[]): boolean {
  return security.some((one) => 'managementToken' in one);
}

const ENVIRONMENT_OF_NAME: JsonObject = {
  name: 'environment_id',
  in: 'query',
  required: false,
  description: 'The environment of an endpoint that is given as `ext:` and its externalId.',
  schema: { type: 'string' },
};

const IDEMPOTENCY_KEY: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A key that makes the request safe to repeat. For 24 hours, the same request with the same key returns the first response and changes nothing.',
  schema: visibleAsciiOf(LIMITS.idempotencyKeyCharacters),
};

/** The answer to `dryRun: true`. */
function dryAnswer(dryRun: z.ZodType | undefined, schemas: SchemaWriter): JsonObject {
  if (dryRun === undefined) return {};
  const description =
    'Previews the operation: returns what it would select now, and changes nothing. Returned if the body has `dryRun: true`.';
  return { '200': { description, headers: REQUEST_ID, content: json(schemas.write(dryRun, 'output')) } };
}

/** The schema of a header's value (`visibleAscii`). */
export function visibleAsciiOf(maxLength: number): JsonObject {
  return { type: 'string', minLength: 1, maxLength, pattern: '^[\\x21-\\x7e]+$' };
}

export function json(schema: JsonObject, example?: Json): JsonObject {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } };
}

/** OpenAPI 3.1 has no word for the items of a stream: the schema of one event is in an extension. */
function events(event: z.ZodType, schemas: SchemaWriter): JsonObject {
  const description = 'Server-sent events, each with a name and JSON data. Lines that begin with `:` are comments.';
  return {
    'text/event-stream': {
      schema: { type: 'string', description },
      example: EVENTS_EXAMPLE,
      'x-event-schema': schemas.write(event, 'output'),
    },
  };
}

const EVENTS_EXAMPLE = 'retry: 2000\n\nevent: gap\ndata: {"dropped":12}\n\n';

/** The errors of a row, and those of every operation. */
function errorsOf(documented: Documented): ErrorCode[] {
  const { errors, method, body, security, inWorkspace, paid, takesIdempotencyKey } = documented;
  const isManagement = isManaged(security);
  // Every operation refuses unknown query parameters.
  const codes: ErrorCode[] = [...errors, 'validation_error'];
  // A body is checked even if the operation takes none.
  const mayHaveBody = body !== undefined || ['post', 'put', 'patch'].includes(method);
  if (security.length > 0) codes.push('unauthorized');
  if (isManagement) codes.push('token_disabled');
  if (inWorkspace) codes.push('forbidden', 'not_found');
  if (inWorkspace && security.some((one) => 'sessionToken' in one)) codes.push('second_factor_required');
  if (paid) codes.push('plan_required');
  if (takesIdempotencyKey === true) codes.push('idempotency_conflict');
  if (mayHaveBody) codes.push('payload_too_large', 'unsupported_media_type');
  return [...codes, 'rate_limited', 'internal_error', 'unavailable'];
}

function pathParameters({ path, upserts = false }: Pick<Documented, 'path' | 'upserts'>): JsonObject[] {
  return [...path.matchAll(/(?<![\w-])([\w-]+)\/\{(\w+)\}/g)].map(([, segment = '', name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    example: upserts && path.endsWith(`{${name}}`) ? 'ext:customer-17' : exampleId(name, segment),
  }));
}

function queryParameters(query: z.ZodType | undefined, schemas: SchemaWriter): JsonObject[] {
  if (query === undefined) return [];
  const written = schemas.write(query, 'input');
  const required = Array.isArray(written.required) ? written.required : [];
  return Object.entries(asObject(written.properties)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    // A list is one value with commas.
    ...(asObject(schema).type === 'array' ? { style: 'form', explode: false } : {}),
    schema,
  }));
}

function hasNextCursor(response: z.ZodType | undefined): boolean {
  return response instanceof z.ZodObject && 'nextCursor' in response.shape;
}

function requestBody(row: string, body: z.ZodType, schemas: SchemaWriter): JsonObject {
  // An absent body counts as {}: a body is required when a field is.
  return {
    required: !body.safeParse({}).success,
    content: json(schemas.writeNamed(body, 'input', `${typeName(row)}Body`), EXAMPLES[row]),
  };
}
