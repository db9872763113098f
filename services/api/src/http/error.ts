import type { ErrorCode } from '@posthorn/contract/errors';

/** An error for the caller: a code of the interface, and a message that names the field and the rule. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }
}

export const notFound = (what: string) => new ApiError('not_found', `${what} not found`);
export const invalid = (message: string) => new ApiError('validation_error', message);
