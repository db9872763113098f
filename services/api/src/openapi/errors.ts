import { ERROR_STATUS, type ErrorCode, errorBody } from '@posthorn/contract/errors';
import type { JsonObject } from './json.ts';
import type { SchemaWriter } from './json-schema.ts';
import { typeName } from './type-name.ts';

/** Writes the errors of operations: by status, a reference to a response with those codes. */
export type ErrorWriter = {
  write: (codes: readonly ErrorCode[]) => JsonObject;
  /** The components to which the responses refer. */
  components: () => JsonObject;
};

export function createErrorWriter(schemas: SchemaWriter): ErrorWriter {
  const body = schemas.write(errorBody, 'output');
  const examples = new Map<ErrorCode, JsonObject>();
  const responses = new Map<string, JsonObject>();
  return {
    write(codes) {
      const byStatus = new Map<number, ErrorCode[]>();
      for (const code of unique(codes)) {
        examples.set(code, { value: { error: { code, message: MESSAGES[code] } } });
        byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
      }
      const written = [...byStatus].sort(([a], [b]) => a - b);
      return Object.fromEntries(
        written.map(([status, ofStatus]) => {
          const name = ofStatus.map(typeName).join('Or');
          responses.set(name, answer(body, ofStatus));
          return [String(status), { $ref: `#/components/responses/${name}` }];
        }),
      );
    },
    components: () => ({ responses: sorted(responses), examples: sorted(examples), headers: HEADERS }),
  };
}

function unique(codes: readonly ErrorCode[]): ErrorCode[] {
  return [...new Set(codes)].sort();
}

function sorted(parts: Map<string, JsonObject>): JsonObject {
  return Object.fromEntries([...parts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function answer(body: JsonObject, codes: readonly ErrorCode[]): JsonObject {
  return {
    description: `The error code is ${codes.length > 1 ? 'one of ' : ''}${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: {
      ...REQUEST_ID,
      ...(codes.some((code) => code === 'rate_limited' || code === 'unavailable')
        ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }
        : {}),
    },
    content: {
      'application/json': {
        schema: body,
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

/** A header of every answer. */
export const REQUEST_ID: JsonObject = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };

export const LINK: JsonObject = { Link: { $ref: '#/components/headers/Link' } };

export const READ_FROM: JsonObject = { 'Posthorn-Read-From': { $ref: '#/components/headers/Posthorn-Read-From' } };

export const REPLAYED: JsonObject = { 'Idempotent-Replayed': { $ref: '#/components/headers/Idempotent-Replayed' } };

const HEADERS: JsonObject = {
  'X-Request-Id': {
    description: 'The `X-Request-Id` of the request if it is valid, or a new one.',
    schema: { type: 'string' },
  },
  Link: {
    description:
      'The next page as `<…>; rel="next"` (RFC 8288), relative to the URL of the request. Absent on the last page.',
    schema: { type: 'string' },
  },
  'Posthorn-Read-From': {
    description:
      'The database that was read: the `primary`, or a `replica`, in which case the latest changes may be missing. Absent if the installation has no replica.',
    schema: { type: 'string', enum: ['replica', 'primary'] },
  },
  'Idempotent-Replayed': {
    description: '`true` if this is the response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'The number of seconds to wait before retrying.', schema: { type: 'string' } },
};

/** An example message for each code; clients decide by the code. */
const MESSAGES: Record<ErrorCode, string> = {
  validation_error: 'url is required',
  invalid_cursor: 'This cursor was altered, or belongs to another list',
  unauthorized: 'Missing or invalid authorization header',
  token_disabled: 'Management token is disabled',
  forbidden: 'This token lacks the scope write',
  second_factor_required: 'This workspace requires a second factor: set one up on your account page, then try again',
  plan_required: 'This needs the Pro plan or above',
  not_found: 'Endpoint not found',
  method_not_allowed: 'This path takes GET, POST',
  slug_taken: 'slug is taken',
  event_type_exists: 'An event type with this name exists',
  external_id_taken: 'externalId is taken',
  environment_limit_reached: 'A workspace has at most 10 environments',
  limit_reached: 'The limit is reached',
  last_owner: 'A workspace keeps at least one owner',
  member_exists: 'This user is already a member',
  not_cancellable: 'This delivery has ended',
  default_environment: 'The default environment cannot be deleted',
  agents_subscribed: '3 subscriptions of agents would end; endAgents=true ends them',
  event_type_in_use: 'An endpoint subscribes to this event type by name',
  idempotency_conflict: 'This Idempotency-Key was used for another request',
  delivery_in_progress: 'This delivery is being delivered right now',
  endpoint_inactive: 'The endpoint is not active: nothing can be fetched',
  payload_expired: 'The payload of this delivery is no longer kept',
  payload_too_large: 'The body is larger than allowed',
  unsupported_media_type: 'The body must be sent as application/json',
  schema_violation: '/total must be number',
  rate_limited: 'This credential may make 100 requests a second',
  internal_error: 'Something went wrong on our side',
  unavailable: 'The service cannot be reached right now; try again',
};
