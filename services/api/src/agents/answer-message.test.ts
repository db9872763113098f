import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ProtocolError, Server } from '@modelcontextprotocol/server';
import express from 'express';
import request from 'supertest';
import { z } from 'zod';
import { answerMessage, type Era, type Methods, SERVER_INFO } from './answer-message.ts';

/** The methods that the server has, too. */
const methods: Methods = {
  'events/list': async (params, { isLegacy }) => ({ cursor: Reflect.get(Object(params), 'cursor') ?? null, isLegacy }),
  'events/refuse': async () => {
    throw new ProtocolError(-32_011, 'There is no such event', { kind: 'event' });
  },
  'events/fail': async () => {
    throw new ProtocolError(-32_603, 'Try again later');
  },
};

function createServer(era: Era): Server {
  const server = new Server(SERVER_INFO, { capabilities: { tools: {}, events: {} } as object });
  for (const [name, method] of Object.entries(methods)) {
    server.setRequestHandler(name, { params: z.looseObject({}) }, (params) => method(params, era));
  }
  return server;
}

let app: ReturnType<ReturnType<typeof express>['listen']>;
beforeAll(() => {
  const routes = express().use(express.json({ type: () => true }));
  routes.post('/plain', (asked, response) =>
    answerMessage({ message: asked.body, methods, createServer }, asked, response),
  );
  routes.post('/server', (asked, response) => answerMessage({ message: asked.body, createServer }, asked, response));
  app = routes.listen(0, '127.0.0.1');
});
afterAll(() => void app.close());

const VERSION = '2026-07-28';
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
};
const modern = { 'mcp-protocol-version': VERSION, 'mcp-method': 'events/list' };
const list = { jsonrpc: '2.0', id: 1, method: 'events/list' };
const enveloped = { ...list, params: { cursor: null, _meta: ENVELOPE } };

test.each<[string, object, Record<string, string>?]>([
  ['a call of before 2026', list],
  ['one with a version', list, { 'mcp-protocol-version': '2025-06-18' }],
  ['one with an unknown version', list, { 'mcp-protocol-version': '2024-01-01' }],
  ['one with params and a text as its id', { ...list, id: 'a', params: { cursor: 'x', _meta: { own: 1 } } }],
  ['one that is refused', { ...list, method: 'events/refuse' }],
  ['one that fails', { ...list, method: 'events/fail' }],
  ['one of an unknown method', { ...list, method: 'events/poll' }],
  ['one of a method of every object', { ...list, method: 'constructor' }],
  ['a notification', { jsonrpc: '2.0', method: 'events/list' }],
  ['an answer', { jsonrpc: '2.0', id: 1, result: {} }],
  ['no message', { id: 1 }],
  ['an id of another type', { ...list, id: {} }],
  ['params of another type', { ...list, params: 7 }],
  [
    'initialize',
    {
      ...list,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    },
  ],
  ['another type of content', list, { 'content-type': 'application/vnd.api+json' }],
  ['a client that takes no JSON', list, { accept: 'text/html' }],
  ['a modern call', enveloped, modern],
  [
    'a modern call that is refused',
    { ...enveloped, method: 'events/refuse' },
    { ...modern, 'mcp-method': 'events/refuse' },
  ],
  [
    'a modern call of an unknown method',
    { ...enveloped, method: 'events/poll' },
    { ...modern, 'mcp-method': 'events/poll' },
  ],
  ['a modern call without headers', enveloped],
  ['a modern call without its method', enveloped, { 'mcp-protocol-version': VERSION }],
  ['a modern call with another method', enveloped, { ...modern, 'mcp-method': 'tools/list' }],
  ['a modern call with another version', enveloped, { ...modern, 'mcp-protocol-version': '2025-06-18' }],
  ['a modern header alone', list, modern],
  [
    'an unknown version of the future',
    { ...list, params: { _meta: { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' } } },
    { ...modern, 'mcp-protocol-version': '2030-01-01' },
  ],
  [
    'an envelope without capabilities',
    { ...list, params: { _meta: { 'io.modelcontextprotocol/protocolVersion': VERSION } } },
    modern,
  ],
  [
    'an envelope with a wrong name',
    { ...list, params: { _meta: { ...ENVELOPE, 'io.modelcontextprotocol/clientInfo': 7 } } },
    modern,
  ],
])('%s gets the same answer as from the server of the library', async (_what, message, headers = {}) => {
  const answers = ['/plain', '/server'].map(async (path) => {
    const given = { 'content-type': 'application/json', accept: 'application/json', ...headers };
    const { status, body, headers: answered } = await request(app).post(path).set(given).send(JSON.stringify(message));
    return { status, body, contentType: answered['content-type'] };
  });
  const [plain, byServer] = await Promise.all(answers);
  expect(plain).toEqual(byServer);
});
