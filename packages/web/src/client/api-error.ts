/** An answer that is not a success, or no answer at all (`status` 0, code `unreachable`). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** The answer's X-Request-Id, under which the service's log has the request. */
  readonly requestId: string | null;

  constructor(fault: { status: number; code: string; message: string; requestId: string | null }) {
    super(fault.message);
    this.name = 'ApiError';
    this.status = fault.status;
    this.code = fault.code;
    this.requestId = fault.requestId;
  }
}

/** The error of an answer; `body` is its parsed JSON, and may be anything. */
export function apiErrorOf(status: number, requestId: string | null, body: unknown): ApiError {
  const error = fieldOf(body, 'error');
  const code = fieldOf(error, 'code');
  const message = fieldOf(error, 'message');
  return new ApiError({
    status,
    requestId,
    code: typeof code === 'string' ? code : 'unexpected_answer',
    message: typeof message === 'string' ? message : `The service answered ${status}`,
  });
}

/** Whether the session has ended, or never was. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Whether the service answered that the resource does not exist, or no longer exists. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/**
 * Whether a page has to show the error in place of its content: nothing was read, or the resource is gone now. After
 * any other failure the last answer stays.
 */
export function isUnread({ data, error }: { data: unknown; error: unknown }): boolean {
  return error !== null && (data === undefined || isGone(error));
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
