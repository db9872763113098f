import { ERROR_STATUS } from '@posthorn/contract/errors';
import { isUnavailable } from '@posthorn/db/violations';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { ApiError, notFound } from './error.ts';

/** Answers what no route knows. */
export const unknownRoute: RequestHandler = () => {
  throw notFound('Route');
};

/** The one translator from faults to answers. What is not an ApiError is ours: logged whole, told as nothing. */
export function createErrorHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const fault = toApiError(error);
    if (fault.code === 'internal_error') {
      logger.error('a request failed', { requestId: response.locals.requestId, ...errorFields(error) });
    }
    if (response.headersSent) return next(error);
    // What is left of a body that was refused is not waited for.
    if (!request.complete) response.set('Connection', 'close');
    response
      .status(ERROR_STATUS[fault.code])
      .set(fault.headers)
      .json({ error: { code: fault.code, message: fault.message } });
  };
}

/** What a fault is told as. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isUnavailable(error)) {
    return new ApiError('unavailable', 'The service cannot be reached right now; try again', { 'Retry-After': '1' });
  }
  return bodyError(error) ?? new ApiError('internal_error', 'Something went wrong on our side');
}

/** What express' parsers throw carries a `type`, or is a URIError of the path. */
function bodyError(error: unknown): ApiError | undefined {
  if (!(error instanceof Error)) return undefined;
  switch ('type' in error ? error.type : undefined) {
    case 'entity.too.large':
      return new ApiError('payload_too_large', 'The body is larger than allowed');
    case 'encoding.unsupported':
      return new ApiError('unsupported_media_type', 'Content-Encoding must be identity: bodies are never inflated');
    case 'request.aborted':
    case 'request.size.invalid':
      return new ApiError('validation_error', 'The body ended before its Content-Length');
    default:
      return error instanceof URIError ? new ApiError('not_found', 'Route not found') : undefined;
  }
}
