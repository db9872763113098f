import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { runCommandLine } from './program.ts';
import type { Terminal } from './terminal.ts';

test('an error that ends a watch has a line of its own', async () => {
  const running = { id: 'op_1', status: 'running', matched: 4, enqueued: 2, delivered: 1, failed: 0, finishedAt: null };
  const answers: [number, object][] = [
    [200, running],
    [404, { error: { code: 'not_found', message: 'Operation not found' } }],
  ];
  const server = createServer((_request, response) => {
    const [status, body] = answers.shift() ?? [500, {}];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const codes: number[] = [];
  const terminal = {
    argv: ['operations', 'watch', 'op_1'],
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
  const printed = String(stderr.read());
  expect(codes).toEqual([4]);
  expect(printed).toContain('2 of 4 queued');
  expect(printed.split('\r\u001b[K').at(-1)).toMatch(/^posthorn: not_found: /);
});
