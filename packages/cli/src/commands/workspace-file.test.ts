import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { runCommandLine } from '../program.ts';
import type { Terminal } from '../terminal.ts';

const PLAN = {
  changes: [{ action: 'create', kind: 'eventType', key: 'order.placed', environment: null, fields: [] }],
  counts: { create: 1, update: 0, remove: 0, none: 0 },
  applied: false,
};

test.each(['table', 'json'])('the person who is asked sees the plan, with the output %s', async (format) => {
  const home = await mkdtemp(join(tmpdir(), 'posthorn-apply-'));
  const file = join(home, 'workspace.yaml');
  await writeFile(file, 'version: 1\neventTypes: [{ name: order.placed }]\n');
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(PLAN));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const stdout = new PassThrough();
  stdin.write('n\r');
  const codes: number[] = [];
  const terminal = {
    argv: ['apply', '-f', file, '--output', format],
    env: {
      XDG_CONFIG_HOME: home,
      POSTHORN_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      POSTHORN_TOKEN: 'phm_1',
      POSTHORN_WORKSPACE_ID: 'ws_1',
      NO_COLOR: '1',
    },
    ...{ stdin, stdout, stderr },
    onInterrupt: () => undefined,
    interrupt: () => undefined,
    exit: (code: number) => codes.push(code),
  } as unknown as Terminal;
  try {
    await runCommandLine(terminal);
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(home, { recursive: true });
  }
  const [output, asked] = [String(stdout.read() ?? ''), String(stderr.read() ?? '')];
  expect(codes).toEqual([1]);
  expect(format === 'table' ? output : asked).toContain('+ event type order.placed\n');
  expect(asked).toContain('Change the workspace like this?');
  if (format === 'json') expect(output).toBe('');
});
