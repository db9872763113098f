import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { runCommandLine } from './program.ts';
import type { Terminal } from './terminal.ts';

/** Runs a command against a server that answers so. Returns its exit code, and what it wrote to stderr. */
async function runAgainst(answer: RequestListener, argv: string[]) {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const codes: number[] = [];
  const terminal = {
    argv,
    env: {
      XDG_CONFIG_HOME: '/nowhere',
      POSTHORN_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      POSTHORN_TOKEN: 'phm_1',
      POSTHORN_WORKSPACE_ID: 'ws_1',
    },
    ...{ stdin: new PassThrough(), stdout: new PassThrough(), stderr },
    onInterrupt: () => undefined,
    interrupt: () => undefined,
    exit: (code: number) => codes.push(code),
  } as unknown as Terminal;
  await runCommandLine(terminal);
  server.closeAllConnections();
  server.close();
  return { codes, printed: String(stderr.read()) };
}

test('an error that ends a watch has a line of its own', async () => {
  const running = { id: 'op_1', status: 'running', matched: 4, enqueued: 2, delivered: 1, failed: 0, finishedAt: null };
  const answers: [number, object][] = [
    [200, running],
    [404, { error: { code: 'not_found', message: 'Operation not found' } }],
  ];
  const { codes, printed } = await runAgainst(
    (_request, response) => {
      const [status, body] = answers.shift() ?? [500, {}];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    },
    ['operations', 'watch', 'op_1'],
  );
  expect(codes).toEqual([4]);
  expect(printed).toContain('2 of 4 queued');
  expect(printed.split('\r\u001b[K').at(-1)).toMatch(/^posthorn: not_found: /);
});

test.each([
  ['500', 500, 'application/json', '{"error":{"code":"internal_error","message":"Something failed"}}'],
  ['429', 429, 'application/json', '{"error":{"code":"rate_limited","message":"Too many requests"}}'],
  ['the page of a proxy', 200, 'text/html', '<h1>Back soon</h1>'],
])('a tail whose connection ended connects again, also after %s', async (_name, status, type, body) => {
  const event = 'event: event\ndata: {"id":"msg_1","createdAt":"2026-01-01T00:00:00.000Z"}\n\n';
  const answers: [number, string, string][] = [
    [200, 'text/event-stream', event],
    [status, type, body],
    [200, 'text/event-stream', event],
  ];
  const { codes } = await runAgainst(
    (_request, response) => {
      const [code, contentType, text] = answers.shift() ?? [404, 'text/plain', ''];
      response.writeHead(code, { 'content-type': contentType }).end(text);
    },
    ['events', 'tail', '--count', '2'],
  );
  expect([codes, answers]).toEqual([[0], []]);
});

test('a tail of an address that is not Posthorn’s ends with the first answer', async () => {
  const { codes } = await runAgainst(
    (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
    ['events', 'tail'],
  );
  expect(codes).not.toEqual([0]);
});
