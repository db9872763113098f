import { ERROR_STATUS } from '@posthorn/contract/errors';
import { isUnavailable } from '@posthorn/db/violations';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { endEarly } from './end-early.ts';
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
    const body = JSON.stringify({ error: { code: fault.code, message: fault.message } });
    response.status(ERROR_STATUS[fault.code]).type('json').set(fault.headers);
    if (request.complete) response.send(body);
    // What is left of a body that was refused is not waited for.
    else endEarly(request, response, body);
  };
}

/** What a fault is told as. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isUnavailable(error)) {
    return new ApiError('unavailable', 'The service cannot be reached right now; try again', { 'Retry-After': '1' });
  }
  // Of a path that cannot be decoded.
  if (error instanceof URIError) return new ApiError('not_found', 'Route not found');
  return new ApiError('internal_error', 'Something went wrong on our side');
}
