import {
  createMcpHandler,
  isLegacyRequest,
  METHOD_NOT_FOUND,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';

type Given = {
  message: unknown;
  /** The server that answers this one message. */
  createServer: (era: { isLegacy: boolean }) => Server;
  /** Asked when there is an answer: whether it says that the service cannot answer now. */
  isUnavailable?: () => boolean;
};

/**
 * Answers one message of the protocol, in the version that the message speaks: 2026-07-28, or one that begins with
 * `initialize`. Nothing is kept between messages, so any process may answer the next one.
 */
export async function answerMessage(
  { message, createServer, isUnavailable = () => false }: Given,
  request: Request,
  response: Response,
): Promise<void> {
  const asked = toWebRequest(request);
  const isLegacy = await isLegacyRequest(asked, message);
  const server = createServer({ isLegacy });
  response.on('close', () => void server.close());
  const answered = isLegacy ? await answerLegacy(server, asked, message) : await answerModern(server, asked, message);
  response.status(isUnavailable() ? 503 : answered.status);
  for (const [name, value] of answered.headers) response.set(name, value);
  response.end(Buffer.from(await answered.arrayBuffer()));
}

async function answerLegacy(server: Server, asked: globalThis.Request, parsedBody: unknown) {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  // The class allows its callbacks to be undefined, which exact types tell from absent ones.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  return transport.handleRequest(asked, { parsedBody });
}

async function answerModern(server: Server, asked: globalThis.Request, message: unknown) {
  const { id = null, method } = message as { id?: unknown; method?: unknown };
  if (method === 'subscriptions/listen') {
    // The library would open a stream, for messages that this server never sends.
    const error = { code: METHOD_NOT_FOUND, message: 'Method not found' };
    return globalThis.Response.json({ jsonrpc: '2.0', id, error }, { status: 404 });
  }
  return createMcpHandler(() => server, { legacy: 'reject' }).fetch(asked, { parsedBody: message });
}

/**
 * What the protocol reads of a request. A client must name both forms of an answer, and the library refuses one that does not.
 * Every answer here is JSON, so a client that takes JSON gets one.
 */
function toWebRequest(request: Request): globalThis.Request {
  const headers = new Headers();
  for (const name of ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = request.get(name);
    if (value !== undefined) headers.set(name, value);
  }
  if (request.accepts('application/json') !== false) headers.set('accept', 'application/json, text/event-stream');
  return new globalThis.Request('http://localhost/mcp', { method: 'POST', headers });
}
