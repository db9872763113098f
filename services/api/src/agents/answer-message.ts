import {
  classifyInboundRequest,
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  METHOD_NOT_FOUND,
  ProtocolError,
  SERVER_INFO_META_KEY,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { VERSION } from '@posthorn/runtime/version';
import type { Request, Response } from 'express';

/** The name and version that the MCP servers of this service report. */
export const SERVER_INFO = { name: 'posthorn', version: VERSION };

export type Era = { isLegacy: boolean };
/** Methods by their names. A method throws a `ProtocolError` for an error that the caller is to see. */
export type Methods = Readonly<Record<string, (params: unknown, era: Era) => Promise<Record<string, unknown>>>>;

type Given = {
  message: object;
  /** The server that answers this one message. */
  createServer: (era: Era) => Server;
  /** Methods of that server that are called often. They are answered without a server. */
  methods?: Methods;
  /** Called when there is an answer. True if the answer says that the service cannot answer now. */
  isUnavailable?: () => boolean;
};

/**
 * Answers one message of the protocol, in the version that the message speaks: 2026-07-28, or one that begins with
 * `initialize`. Nothing is kept between messages, so any process may answer the next one.
 */
export async function answerMessage(given: Given, request: Request, response: Response): Promise<void> {
  const { message, createServer, isUnavailable = () => false } = given;
  const call = plainCall(given, request);
  if (call !== undefined) {
    const answer = await answerCall(call);
    response.status(isUnavailable() ? 503 : 200).set('Content-Type', 'application/json');
    response.end(Buffer.from(JSON.stringify(answer)));
    return;
  }
  const asked = toWebRequest(request);
  const isLegacy = await isLegacyRequest(asked, message);
  const server = createServer({ isLegacy });
  response.on('close', () => void server.close());
  const answered = isLegacy ? await answerLegacy(server, asked, message) : await answerModern(server, asked, message);
  response.status(isUnavailable() ? 503 : answered.status);
  for (const [name, value] of answered.headers) response.set(name, value);
  response.end(Buffer.from(await answered.arrayBuffer()));
}

const MODERN_VERSION = '2026-07-28';

type Call = { id: string | number; run: () => Promise<Record<string, unknown>>; era: Era };

/**
 * The call of one of `methods`, if the message and its headers are in order. It gets the answer that the server would
 * give, in a fraction of the time: the library validates a message about ten times. All other messages are left to the
 * server.
 */
function plainCall({ message, methods = {} }: Given, request: Request): Call | undefined {
  const { id, method: name, params = {} } = message as { id: string | number; method: string; params?: object };
  const run = typeof name === 'string' && Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (run === undefined || request.accepts('application/json') === false) return undefined;
  if (!isJsonContentType(request.get('content-type'))) return undefined;
  const [version, method] = [request.get('mcp-protocol-version'), request.get('mcp-method')];
  // The library accepts only requests whose fields have the right types.
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    body: message,
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
  });
  const isLegacy = route.kind === 'legacy';
  const isInOrder = isLegacy
    ? route.reason === 'no-claim' && (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version))
    : route.kind === 'modern' && route.messageKind === 'request' && version === MODERN_VERSION && method !== undefined;
  return isInOrder ? { id, era: { isLegacy }, run: () => run(params, { isLegacy }) } : undefined;
}

async function answerCall({ id, era, run }: Call): Promise<object> {
  try {
    const result = await run();
    const told = era.isLegacy ? {} : { resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: SERVER_INFO } };
    return { result: { ...result, ...told }, jsonrpc: '2.0', id };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const { code, message, data } = error;
    return { jsonrpc: '2.0', id, error: { code, message, data } };
  }
}

async function answerLegacy(server: Server, asked: globalThis.Request, parsedBody: unknown) {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  // The class declares callbacks that may be undefined, and exact optional types tell these from absent ones.
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
 * The request with the headers that the protocol reads. The library refuses clients that do not accept both forms of an
 * answer. Every answer here is JSON, so a client that accepts only JSON gets one, too.
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
