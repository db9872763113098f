import { randomUUID } from 'node:crypto';
import { type IncomingMessage, OutgoingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express, Request, RequestHandler, Response } from 'express';
import { ApiError } from './error.ts';

/**
 * Refuses an HTTP/1.1 request without Host, and any request with several (RFC 9112 §3.2). Node itself would answer the
 * former with a bare 400, and take the first of several.
 */
export const requireHost: RequestHandler = (request, _response, next) => {
  const isHost = (text: string, index: number) => index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';
  const hosts = request.rawHeaders.filter(isHost).length;
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) {
    const rule = hosts === 0 ? 'is required' : 'must be given once';
    const message = `The Host header ${rule}`;
    throw new ApiError('validation_error', message, { Connection: 'close' }, [{ field: 'header.Host', message }]);
  }
  next();
};

/**
 * Answers bytes that Node could not parse as a request: a broken request line or header, too large headers, or an
 * incomplete body. The answer has the shape of all errors, and ends the connection.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET' || hasBegunAnswer(socket)) return void socket.destroy();
  const message = MESSAGES[error.code ?? ''] ?? 'The request is not well-formed HTTP';
  const body = JSON.stringify({ error: { code: 'validation_error', message } });
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Whether a part of an answer was sent: the client would take further bytes for the rest of it. Node checks the same.
 */
function hasBegunAnswer(socket: Duplex): boolean {
  const answer: unknown = Reflect.get(socket, '_httpMessage');
  return answer instanceof OutgoingMessage && answer.headersSent;
}

/**
 * The app, also for a target without a path, such as `foo://bar`. Express reaches no handler for it and would answer in
 * HTML. It is answered as the unknown path `/%`.
 */
export function withPath(app: Express): (request: IncomingMessage, response: ServerResponse) => void {
  const handle = (request: IncomingMessage, response: ServerResponse, rest: (error?: unknown) => void) =>
    app(request as Request, response as Response, rest);
  return (request, response) =>
    handle(request, response, () => {
      if (response.headersSent) return void request.socket.destroy();
      request.url = '/%';
      handle(request, response, () => request.socket.destroy());
    });
}

const MESSAGES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The request line and headers are larger than allowed',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time',
};
