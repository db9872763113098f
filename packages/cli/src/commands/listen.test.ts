import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { runCommandLine } from '../program.ts';
import type { Terminal } from '../terminal.ts';

const ENDPOINT = { id: 'ep_1', environmentId: 'env_1', applicationId: null, isActive: true, pull: { waiting: 1 } };
const MESSAGE = {
  ...{ deliveryId: 'dlv_1', leaseToken: 'token', leasedUntil: '2026-01-01T00:00:00.000Z', attemptNumber: 1 },
  ...{ eventId: 'msg_1', eventType: 'order.placed', createdAt: '2026-01-01T00:00:00.000Z', orderingKey: null },
  ...{ headers: { 'content-type': 'application/json' }, body: Buffer.from('{}').toString('base64') },
};

async function serve(answer: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test.each([
  ['fails to hear it at first', 500, [1, 5]],
  ['refuses what the receiver answered', 400, [1, 2]],
])(
  'a webhook that was accepted is forwarded once, also where the service %s',
  async (_name, refusal, expected) => {
    const asked: string[] = [];
    const count = (name: string) => asked.filter((one) => one === name).length;
    const service = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const saysAnswer = Buffer.concat(chunks).includes('responseStatus');
      const name = request.url?.split('?')[0]?.split('/').at(-1) ?? '';
      asked.push(name);
      // More often than the library tries again.
      const isRefused = refusal === 400 ? saysAnswer : count('ack') <= 4;
      if (name === 'ack' && isRefused) response.statusCode = refusal;
      const answers: Record<string, object> = {
        'pull-keys': { id: 'plk_1', pullKey: 'phpl_1' },
        lease: { messages: [MESSAGE], waiting: 0, oldestAgeSeconds: null },
        ack: { results: [{ deliveryId: 'dlv_1', result: 'settled' }] },
        nack: { results: [{ deliveryId: 'dlv_1', result: 'settled' }] },
      };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[name] ?? ENDPOINT));
    });
    const receiver = await serve((_request, response) => {
      asked.push('webhook');
      response.writeHead(204).end();
    });
    const home = await mkdtemp(join(tmpdir(), 'posthorn-listen-'));
    const codes: number[] = [];
    const terminal = {
      argv: ['listen', receiver.url, '--name', 'test', '--environment', 'env_1', '--once'],
      env: {
        XDG_CONFIG_HOME: home,
        POSTHORN_BASE_URL: service.url,
        POSTHORN_TOKEN: 'phm_1',
        POSTHORN_WORKSPACE_ID: 'ws_1',
      },
      ...{ stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() },
      onInterrupt: () => undefined,
      interrupt: () => undefined,
      exit: (code: number) => codes.push(code),
    } as unknown as Terminal;
    try {
      await runCommandLine(terminal);
    } finally {
      for (const { server } of [service, receiver]) {
        server.closeAllConnections();
        server.close();
      }
      await rm(home, { recursive: true });
    }
    expect([codes, count('webhook'), count('ack'), count('nack')]).toEqual([[0], ...expected, 0]);
  },
  30_000,
);
