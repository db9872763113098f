import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serve } from '@posthorn/runtime/serve';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { answerClientError, withPath } from './client-error.ts';

let api: ApiUnderTest;
let port = 0;
let stop: () => Promise<void> | void = () => {};
beforeAll(async () => {
  api = await startApi();
  await serve(
    {
      lifecycle: { onStop: (_name, close) => (stop = close) },
      logger: { info: (_line, fields) => (port = Number(fields?.port)) },
    },
    { part: 'api', handler: withPath(api.express), port: 0, onClientError: answerClientError },
  );
});
afterAll(async () => {
  await stop();
  await api.stop();
});

/** The reply to bytes that no HTTP client would send. */
async function send(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

test.each([
  ['no request line', 'FOO\r\n\r\n'],
  ['a negative length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'],
  ['headers past every limit', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
])('%s is answered in the error shape, with a request id', async (_case, bytes) => {
  const reply = await send(bytes);
  expect(reply).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(reply).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
  expect(JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4))).toEqual({
    error: { code: 'validation_error', message: expect.any(String) },
  });
});

test.each(['foo://bar', 'http://[', 'mailto://', '*', 'http://a', 'http://a/nowhere'])(
  'the target %s is answered as an unknown path',
  async (target) => {
    const reply = await send(`OPTIONS ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 40[45] /);
    expect(reply).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    expect(JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4))).toEqual({
      error: { code: expect.stringMatching(/^(not_found|method_not_allowed)$/), message: expect.any(String) },
    });
  },
);

test('bytes that are no request, behind a request whose answer has begun, end that answer and add nothing to it', async () => {
  let stopHalf: () => Promise<void> | void = () => {};
  let portOfHalf = 0;
  await serve(
    {
      lifecycle: { onStop: (_name, close) => (stopHalf = close) },
      logger: { info: (_line, fields) => (portOfHalf = Number(fields?.port)) },
    },
    {
      part: 'half',
      handler: (_request, response) => void response.write('half'),
      port: 0,
      onClientError: answerClientError,
    },
  );
  const socket = connect(portOfHalf, '127.0.0.1');
  let reply = '';
  socket
    .on('error', () => {})
    .on('data', (bytes) => {
      reply += bytes;
      if (reply.endsWith('half\r\n')) socket.write('FOO\r\n\r\n');
    });
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'close');
  expect(reply).toMatch(/half\r\n$/);
  await stopHalf();
});

test('the log has at most 512 characters of a path', async () => {
  await send(`GET /${'a'.repeat(10_000)} HTTP/1.1\r\nHost: a\r\nX-Request-Id: long-path\r\nConnection: close\r\n\r\n`);
  const isLogged = () => api.logLines.find((line) => line.includes('"long-path"'));
  const line = JSON.parse(await waitFor(isLogged, { what: 'the log line' }));
  expect(line.path).toBe(`/${'a'.repeat(511)}`);
});

test('the log has no external id of a path, because it may name a customer', async () => {
  const path = '/applications/%65xt:ann/endpoints/ext%3Aann-1/test';
  await send(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Request-Id: external-id\r\nConnection: close\r\n\r\n`);
  const isLogged = () => api.logLines.find((line) => line.includes('"external-id"'));
  const line = JSON.parse(await waitFor(isLogged, { what: 'the log line' }));
  expect(line.path).toBe('/applications/ext:…/endpoints/ext:…/test');
});

test('an HTTP/1.1 request without Host is 400 in the error shape; HTTP/1.0 does not need Host', async () => {
  for (const path of ['/healthz', '/api/ingest/event/a.b', '/nowhere']) {
    const reply = await send(`POST ${path} HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}`);
    expect(reply).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(reply).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    expect(reply).toMatch(/\r\nConnection: close\r\n/);
    expect(JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4))).toEqual({
      error: {
        code: 'validation_error',
        message: 'The Host header is required',
        details: [{ field: 'header.Host', message: 'The Host header is required' }],
      },
    });
  }
  expect(await send('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test('a request with two Host headers is 400, whichever of them a proxy goes by', async () => {
  for (const version of ['1.0', '1.1']) {
    const reply = await send(`GET /healthz HTTP/${version}\r\nHost: a\r\nhOST: b\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(reply).toContain('The Host header must be given once');
  }
});

test('a body with another transfer coding than chunked is unsupported_media_type: its bytes are not the body', async () => {
  const head = `POST /api/ingest/event/a.b HTTP/1.1\r\nHost: a\r\nX-API-Key: ${api.apiKey}\r\nConnection: close\r\n`;
  const body = '2\r\n{}\r\n0\r\n\r\n';
  for (const coding of ['gzip, chunked', 'chunked, chunked', 'identity, chunked']) {
    const reply = await send(`${head}Transfer-Encoding: ${coding}\r\n\r\n${body}`);
    expect([coding, reply.split('\r\n')[0]]).toEqual([coding, expect.stringMatching(/ 4(00|15) /)]);
  }
  expect(await send(`${head}Transfer-Encoding: gzip, chunked\r\n\r\n${body}`)).toContain('unsupported_media_type');
  expect(await send(`${head}Transfer-Encoding: Chunked\r\n\r\n${body}`)).toContain('Event type not found');
});

test('a declared length over the limit is refused at once, also with Expect: 100-continue', async () => {
  const head = `POST /api/ingest/event/a.b HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.apiKey}\r\n`;
  const reply = await send(`${head}Content-Length: 9999999999\r\nExpect: 100-continue\r\n\r\n`);
  expect(reply).toMatch(/^HTTP\/1\.1 413 /);
  expect(reply).toContain('payload_too_large');
});

test('an unauthenticated caller gets no 100 Continue', async () => {
  const reply = await send(
    'POST /api/ingest/event/a.b HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n',
  );
  expect(reply).toMatch(/^HTTP\/1\.1 401 /);
});

test('a body without a length is refused at its first byte over the limit, while the client still sends', async () => {
  const total = 50 * 1_048_576;
  const chunk = Buffer.alloc(65_536, 'x');
  let sent = 0;
  const body = new Readable({
    read() {
      sent += chunk.length;
      this.push(sent > total ? null : chunk);
    },
  });
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${api.apiKey}`, 'content-type': 'text/plain' };
    const request = httpRequest({ port, path: '/api/ingest/event/a.b', method: 'POST', headers }, resolve);
    request.on('error', reject);
    body.pipe(request);
  });
  body.destroy();
  expect([reply.statusCode, reply.headers.connection]).toEqual([413, 'close']);
  expect(JSON.parse(await text(reply))).toMatchObject({ error: { code: 'payload_too_large' } });
  expect(sent).toBeLessThan(total / 4);
});
