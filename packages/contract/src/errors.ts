import { z } from 'zod';

/** The HTTP status of each error code (docs/interface.md, Errors). */
export const ERROR_STATUS = {
  validation_error: 400,
  invalid_cursor: 400,
  unauthorized: 401,
  token_disabled: 403,
  forbidden: 403,
  plan_required: 403,
  second_factor_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  slug_taken: 409,
  event_type_exists: 409,
  external_id_taken: 409,
  environment_limit_reached: 409,
  limit_reached: 409,
  last_owner: 409,
  member_exists: 409,
  not_cancellable: 409,
  default_environment: 409,
  event_type_in_use: 409,
  agents_subscribed: 409,
  idempotency_conflict: 409,
  delivery_in_progress: 409,
  endpoint_inactive: 409,
  payload_expired: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  schema_violation: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/**
 * For each code, when an operation answers with it and what the caller can do. docs/generate.mjs writes this to
 * docs/reference/errors.md. Links are relative to docs. @public
 */
export const ERROR_HELP: Record<ErrorCode, { when: string; advice: string }> = {
  validation_error: {
    when: 'An input is missing or invalid, or the [egress rules](interface/endpoints.md#egress-rules) forbid a URL.',
    advice: 'Read the message: it names the field and the rule. Do not retry the same request.',
  },
  invalid_cursor: {
    when: 'A cursor was altered, or used on another list or with other filters.',
    advice: 'Read the list again from its first page, without `cursor`.',
  },
  unauthorized: {
    when: 'There is no credential, or it is malformed, unknown, expired or of the wrong kind; or a login failed.',
    advice:
      'Check which credential the interface takes: `phm_`, `phk_`, `phs_`, `php_`, `phpl_` or `pha_`. Log in again or rotate the key.',
  },
  token_disabled: {
    when: 'The management token is disabled.',
    advice: 'Let an admin enable it, or use another token.',
  },
  forbidden: {
    when: 'The credential is valid, but lacks a scope, a role or a capability.',
    advice: 'The message names what is missing. Use a credential that has it.',
  },
  plan_required: {
    when: 'The operation needs the Pro plan or above.',
    advice: 'Set `DEFAULT_PLAN` before you create the workspace. Its default, `enterprise`, locks nothing.',
  },
  second_factor_required: {
    when: 'The workspace requires a [second factor](interface/authentication.md#second-factor), and the account has none.',
    advice: 'Set one up on the account page of the dashboard, then repeat the request. Nobody needs to sign in again.',
  },
  not_found: {
    when: 'The resource or the route does not exist, or the resource belongs to another workspace.',
    advice: 'Check the id, its prefix, and the workspace in the path.',
  },
  method_not_allowed: {
    when: 'The path exists, but not with this method.',
    advice: 'See the methods of the path in the API reference.',
  },
  slug_taken: { when: 'Another workspace or environment has this slug.', advice: 'Choose another slug.' },
  event_type_exists: {
    when: 'The workspace has an event type of this name.',
    advice: 'Use the existing event type. A script that makes types can ignore this error.',
  },
  external_id_taken: {
    when: 'Another application of the workspace, or another endpoint of the environment, has this `externalId`.',
    advice: 'Use the existing one: `ext:<externalId>` stands for its id.',
  },
  environment_limit_reached: {
    when: 'The workspace has 10 environments.',
    advice: 'Delete an environment, or use another workspace.',
  },
  limit_reached: {
    when: 'Another [count](interface/limits.md#counts) is at its limit.',
    advice: 'The message names the limit. Delete what is no longer needed; some limits are settings.',
  },
  last_owner: {
    when: 'The last active owner would be removed or demoted.',
    advice: 'Make another member an owner first.',
  },
  member_exists: {
    when: 'The person that is added or invited again is already a member.',
    advice: 'Change the role of the existing member.',
  },
  not_cancellable: {
    when: 'The delivery, event or operation that is to be cancelled has ended.',
    advice: 'Nothing: it has ended.',
  },
  default_environment: {
    when: 'The default environment would be deleted.',
    advice: 'Make another environment the default one first.',
  },
  agents_subscribed: {
    when: '[Agents](interface/agents.md#agents-subscribe) subscribe to an event type that would be deleted, or whose new schema breaks what they expect.',
    advice: 'Add `endAgents=true` to end these subscriptions, or keep the old schema and make a new type.',
  },
  event_type_in_use: {
    when: 'An event type to which endpoints subscribe by name would be deleted.',
    advice: 'Remove its subscriptions first, or unpublish it.',
  },
  idempotency_conflict: {
    when: 'Another request was accepted under the same `Idempotency-Key` in the last 24 hours.',
    advice: 'Use a new key for a new event. Send a retry with exactly the same path, content type and body.',
  },
  delivery_in_progress: {
    when: 'A delivery that is being delivered would be retried or cancelled.',
    advice: "Wait for the end of the attempt, at most 30 seconds, or for the end of a consumer's lease.",
  },
  endpoint_inactive: {
    when: 'A consumer fetches from an endpoint that is not active, or such an endpoint is tested.',
    advice: 'Activate the endpoint. What waited when it was deactivated is not delivered; recover it.',
  },
  payload_expired: {
    when: 'A delivery would be retried whose payload is no longer kept.',
    advice: 'Send the event again.',
  },
  payload_too_large: {
    when: 'The body is over its limit.',
    advice: 'Send less, or raise `MAX_PAYLOAD_BYTES` (up to 1 MiB). For more, send a link to the data.',
  },
  unsupported_media_type: {
    when: 'A management body is not JSON, or the request has a `Content-Encoding` or another `Transfer-Encoding` than `chunked`.',
    advice: 'Send `Content-Type: application/json`, uncompressed.',
  },
  schema_violation: {
    when: 'The payload does not fit the [schema](interface/event-types.md#schema-checks) of its event type, which the environment checks in the mode `reject`.',
    advice: 'Read the message: it names the first three places. Nothing was stored. Correct the payload or the schema.',
  },
  rate_limited: {
    when: 'A [rate limit](interface/limits.md#rate-limits), a [quota](interface/limits.md#quotas) or a [count](interface/limits.md#counts) of concurrent requests is reached. The answer has `Retry-After`.',
    advice: 'Wait for the seconds of `Retry-After`, then send the same request again.',
  },
  internal_error: {
    when: 'Posthorn has a fault.',
    advice: 'Retry with pauses and with the same `Idempotency-Key`. Give the operator the `X-Request-Id`.',
  },
  unavailable: {
    when: 'Postgres or another dependency does not answer, or the request took too long. The answer has `Retry-After`.',
    advice: 'Wait for the seconds of `Retry-After`, then retry with the same `Idempotency-Key`.',
  },
};

const codes = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** One problem of a request. */
const fieldProblem = z
  .object({
    field: z.string().meta({
      description: 'The location of the problem: a path in the body, `query.` and the name of a parameter, or `body`.',
      example: 'config.retrySchedule[2]',
    }),
    message: z.string(),
    rule: z.string().optional().meta({
      description:
        'A machine-readable name of the rule, if it has one. docs/interface/errors.md lists them. More may be added.',
      example: 'https',
    }),
  })
  .meta({ id: 'FieldProblem', description: 'A field of a request, and the rule that it violates.' });
export type FieldProblem = z.output<typeof fieldProblem> & { rule?: FieldRule | undefined };

/** The rules that have a name, so that a page can explain them in its own language (docs/interface.md, Errors). */
export type FieldRule = UrlRule | 'required' | 'type' | 'length' | 'value' | 'email' | 'unknown';

/** The rules for a URL. */
export type UrlRule = 'url' | 'https' | 'host' | 'credentials' | 'fragment' | 'port' | 'private_address' | 'length';

/** The body of every error answer (docs/interface.md, Errors). */
export const errorBody = z
  .object({
    error: z
      .object({
        code: z.enum(codes).meta({ id: 'ErrorCode' }),
        message: z.string(),
        details: z.array(fieldProblem).optional().meta({
          description:
            'Up to 20 problems, for a `validation_error` or a document that is refused. `message` describes the first one.',
        }),
      })
      .meta({ id: 'ErrorDetail' }),
  })
  .meta({ id: 'ErrorBody', description: 'An error, with a code for programs and a message for people.' });
