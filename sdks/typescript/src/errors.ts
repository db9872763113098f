import type { ErrorCode, FieldProblem } from './models.ts';

/** The base of everything that this library throws, except the reason of your own `signal`. */
export class PosthornError extends Error {
  override name = 'PosthornError';
}

/** An option or an argument that cannot be used. Nothing was sent. */
export class OptionError extends PosthornError {
  override name = 'OptionError';
  /** The name of the option: `baseUrl`, `token`, `idempotencyKey`. */
  readonly option: string;

  constructor(option: string, rule: string) {
    super(`${option} ${rule}`);
    this.option = option;
  }
}

/** No complete response: the server was not reached, or the connection ended too early. */
export class ConnectionError extends PosthornError {
  override name = 'ConnectionError';
}

/** No complete response within `timeoutMs`. */
export class TimeoutError extends PosthornError {
  override name = 'TimeoutError';
}

/** The response to a repeated request no longer shows the secret that the first response showed. */
export class SecretNotShownError extends PosthornError {
  override name = 'SecretNotShownError';
}

/**
 * A later request of a batch failed. The events of `results` were answered. Send those of `unsent` again, with their
 * keys.
 */
export class BatchError<Result = unknown, Event = unknown> extends PosthornError {
  override name = 'BatchError';
  /** The results of the first events of the batch, in order. */
  readonly results: readonly Result[];
  /** The other events, each with the idempotency key that it was tried with. */
  readonly unsent: readonly Event[];

  constructor(results: readonly Result[], unsent: readonly Event[], cause: unknown) {
    super(`${results.length} events were sent, ${unsent.length} were not: ${messageOf(cause)}`, { cause });
    this.results = results;
    this.unsent = unsent;
  }
}

export type ApiErrorFields = {
  status: number;
  /** `unexpected_answer` if the response is not from Posthorn, but from a proxy or another server. */
  code: ErrorCode | 'unexpected_answer';
  message: string;
  /** The `X-Request-Id` of the response. The operator can find the request with it. */
  requestId: string | undefined;
  /** The seconds to wait before the next request, if the server names them. */
  retryAfter: number | undefined;
  /** With `validation_error`: the fields that are wrong, and why. */
  details: readonly FieldProblem[] | undefined;
};

/** The server refused the request. */
export class ApiError extends PosthornError {
  override name = 'ApiError';
  readonly status: number;
  readonly code: ApiErrorFields['code'];
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly details: ApiErrorFields['details'];

  constructor(fields: ApiErrorFields) {
    super(fields.message);
    this.status = fields.status;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.retryAfter = fields.retryAfter;
    this.details = fields.details;
  }
}

/** 400, 413, 415 or 422: the request itself is wrong. */
export class ValidationError extends ApiError {
  override name = 'ValidationError';
}

/** 401: the credential is missing, wrong or expired. */
export class UnauthorizedError extends ApiError {
  override name = 'UnauthorizedError';
}

/** 403: the credential may not do this. */
export class ForbiddenError extends ApiError {
  override name = 'ForbiddenError';
}

/** 404 */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}

/** 409: the request conflicts with something else, such as another request with the same idempotency key. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}

/** 429: too many requests, or a quota is used up. */
export class RateLimitedError extends ApiError {
  override name = 'RateLimitedError';
}

/** 502, 503 or 504: the service cannot answer right now. */
export class UnavailableError extends ApiError {
  override name = 'UnavailableError';
}

const BY_STATUS: Record<number, typeof ApiError> = {
  400: ValidationError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  413: ValidationError,
  415: ValidationError,
  422: ValidationError,
  429: RateLimitedError,
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError,
};

export function createApiError(fields: ApiErrorFields): ApiError {
  return new (BY_STATUS[fields.status] ?? ApiError)(fields);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
