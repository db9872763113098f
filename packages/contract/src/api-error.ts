import type { ErrorCode, FieldProblem, FieldRule } from './errors.ts';

/** An error for the caller: a code of the interface, and a message that names the field and the rule. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly headers: Record<string, string>;
  /**
   * Every problem in the input, beginning with the one in the message. Only for `validation_error` and a refused
   * document.
   */
  readonly details: readonly FieldProblem[] | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    headers: Record<string, string> = {},
    details?: readonly FieldProblem[],
  ) {
    super(message);
    this.code = code;
    this.headers = headers;
    this.details = details;
  }
}

/** `given` is the caller's own name for the missing thing: `Event type not found: order.plced`. */
export const notFound = (what: string, given?: string) =>
  new ApiError('not_found', given === undefined ? `${what} not found` : `${what} not found: ${given}`);

/** A problem in the input. `field` is its path: `config.retrySchedule[2]`, `query.limit`, `body`. */
export const invalid = (message: string, field?: string, rule?: FieldRule) =>
  new ApiError('validation_error', message, {}, field === undefined ? undefined : [{ field, message, rule }]);
