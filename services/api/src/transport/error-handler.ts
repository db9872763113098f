import { ERROR_STATUS } from '@posthorn/contract/errors';
import { isTimedOut, isUnavailable } from '@posthorn/db/violations';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { ApiError, notFound } from './error.ts';

/** Below these paths, every answer is for programs. */
const FOR_PROGRAMS = ['/management/', '/api/', '/mcp/', '/.well-known/'];

/** Answers a path without a route: with a page for a person, who has mistyped an address, and as JSON for a program. */
export const unknownRoute: RequestHandler = (request, response) => {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const wantsPage =
    isRead &&
    !FOR_PROGRAMS.some((start) => `${request.path}/`.startsWith(start)) &&
    request.accepts(['json', 'html']) === 'html';
  if (!wantsPage) throw notFound('Route');
  response.status(404).set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'").vary('Accept');
  response.type('html').send(NOT_FOUND_PAGE);
};

const NOT_FOUND_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Not found · Posthorn</title>
  </head>
  <body>
    <h1>There is no page here</h1>
    <p>The address may be mistyped.</p>
    <ul>
      <li><a href="/">Dashboard</a></li>
      <li><a href="/docs">Documents</a></li>
      <li><a href="/reference">API reference</a></li>
    </ul>
  </body>
</html>
`;

/**
 * Makes an answer of every error. An error that is not an ApiError is a fault of the service: it is logged completely,
 * and the answer has no details.
 */
export function createErrorHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const fault = toApiError(error);
    if (fault.code === 'internal_error') logFault(logger, response, error);
    if (response.headersSent) return next(error);
    const { code, message, details } = fault;
    const body = JSON.stringify({ error: { code, message, details } });
    response.status(ERROR_STATUS[fault.code]).type('json').set(fault.headers);
    if (request.complete) response.send(body);
    // The rest of a refused body is not read.
    else endEarly(request, response, body);
  };
}

/** Logs a fault of the service completely. */
export function logFault(logger: Pick<Logger, 'error'>, { locals }: Pick<Response, 'locals'>, error: unknown): void {
  logger.error('a request failed', { requestId: locals.requestId, ...errorFields(error) });
}

const AWAY = 'The service cannot be reached right now; try again';
/** A large read that is only repeated would end in the same way. */
const TOOK_LONG =
  'This took too long and was ended; try again. A large read needs a shorter time range or a narrower filter';

/** The ApiError for an error. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isUnavailable(error)) {
    return new ApiError('unavailable', isTimedOut(error) ? TOOK_LONG : AWAY, { 'Retry-After': '1' });
  }
  // Thrown for a path that cannot be decoded.
  if (error instanceof URIError) return new ApiError('not_found', 'Route not found');
  return new ApiError('internal_error', 'Something went wrong on our side');
}

/** The longest time, and the most bytes, that are still read after the answer. */
const LINGER_MS = 1_000;
const LINGER_BYTES = 1_048_576;

/**
 * Answers a request that has not arrived completely, and ends its connection. If the connection were closed at once, it
 * would be reset, and a client that still sends could lose the answer (RFC 9112 §9.6). So the whole answer is sent,
 * and bytes that arrive shortly after it are discarded.
 */
function endEarly(request: Request, response: Response, body: string): void {
  response.set({ Connection: 'close', 'Content-Length': String(Buffer.byteLength(body)) });
  response.write(body);
  const end = () => {
    clearTimeout(timer);
    request.off('data', discard).off('end', end).off('close', end);
    response.end();
  };
  let left = LINGER_BYTES;
  const discard = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.pause();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.on('data', discard).on('end', end).on('close', end).resume();
}
