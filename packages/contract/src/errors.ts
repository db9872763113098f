import { z } from 'zod';

/** The one map from error code to HTTP status (docs/interface.md, Errors). */
export const ERROR_STATUS = {
  validation_error: 400,
  invalid_cursor: 400,
  unauthorized: 401,
  token_disabled: 403,
  forbidden: 403,
  plan_required: 403,
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
  idempotency_conflict: 409,
  delivery_in_progress: 409,
  payload_expired: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

const codes = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/** The body of every error (docs/interface.md, Errors). */
export const errorBody = z
  .object({
    error: z.object({ code: z.enum(codes).meta({ id: 'ErrorCode' }), message: z.string() }).meta({ id: 'ErrorDetail' }),
  })
  .meta({ id: 'ErrorBody', description: 'An error: a code for programs and a message for people.' });
