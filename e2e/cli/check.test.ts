import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CheckReport, checkReceiver } from '@posthorn/client/check';
import { verify } from '@posthorn/client/webhooks';
import { type CommandLine, prepareCommandLine } from './posthorn.ts';

// Receivers with one flaw each, and one without.

const secret = `whsec_${Buffer.from('a secret of this receiver').toString('base64')}`;

type Receive = (body: Buffer, request: IncomingMessage) => Promise<number> | number;

let line: CommandLine;
beforeAll(() => {
  line = prepareCommandLine();
});
afterAll(() => line.remove());

const good: Receive = async (body, { headers }) => {
  const isGenuine = await verify(body, headers, secret).then(
    () => true,
    () => false,
  );
  return isGenuine ? 204 : 400;
};

const verified = (body: Buffer | string, request: IncomingMessage, options = {}) =>
  verify(body, request.headers, secret, options).then(
    () => 204,
    () => 400,
  );

const flawed: [flaw: string, receive: Receive, faults: string[]][] = [
  ['none', good, []],
  [
    'verifies nothing',
    () => 204,
    ['changed body', 'changed id', 'changed time', 'too old', 'in the future', 'wrong secret', 'no signature'],
  ],
  ['verifies parsed JSON', (body, request) => verified(reparse(body), request), ['JSON', 'text', 'binary']],
  [
    'has no tolerance',
    (body, request) => verified(body, request, { toleranceSeconds: 1e9 }),
    ['too old', 'in the future'],
  ],
  [
    'refuses what is older than a moment',
    (body, request) => verified(body, request, { toleranceSeconds: 30 }),
    ['older than the one before'],
  ],
  ['fails at an empty body', (body, request) => (body.length === 0 ? 500 : good(body, request)), ['empty body']],
  ['limits bodies to 100 KiB', (body, request) => (body.length > 102_400 ? 413 : good(body, request)), ['256 KiB']],
  [
    'refuses unknown types',
    (body, request) => (body.includes('unknown') ? 422 : good(body, request)),
    ['unknown type'],
  ],
  [
    'reads the first signature only',
    (body, request) => {
      const headers = {
        ...request.headers,
        'webhook-signature': String(request.headers['webhook-signature']).split(' ')[0],
      };
      return verify(body, headers, secret).then(
        () => 204,
        () => 400,
      );
    },
    ['two signatures'],
  ],
  ['refuses a repetition', refuseRepetitions(), ['repetition']],
  [
    'crashes without a signature',
    (body, request) => (request.headers['webhook-signature'] ? good(body, request) : 500),
    ['no signature'],
  ],
];

test.each(flawed)('a receiver whose flaw is "%s" is caught by the checks for it', async (_flaw, receive, faults) => {
  const report = await withReceiver(receive, (url) => checkReceiver({ url, secret }));
  const failed = report.results.filter(({ outcome }) => outcome === 'fail').map(({ name }) => name);
  if (faults.length === 0) expect(failed).toEqual([]);
  else expect(failed).toEqual(expect.arrayContaining(faults));
  expect(report.passed).toBe(faults.length === 0);
});

test('a receiver that has an effect at every repetition is caught by the count of its effects', async () => {
  let effects = 0;
  const receive: Receive = async (body, request) => {
    if (request.url === '/effects') return -effects;
    const status = await good(body, request);
    if (status === 204) effects += 1;
    return status;
  };
  const report = await withReceiver(receive, (url) => checkReceiver({ url, secret, effectsUrl: `${url}effects` }));
  expect(report.results.find(({ name }) => name === 'repetition')?.outcome).toBe('fail');
});

describe('posthorn check', () => {
  const run = (receive: Receive, options = '') =>
    withReceiver(receive, (url) => line.shell(`posthorn check ${url} --secret ${secret} ${options}`));

  test('ends with 0 for a good receiver, and with 5 for one with an important flaw', async () => {
    const passed = await run(good);
    expect([passed.code, passed.stderr]).toEqual([0, '']);
    expect((JSON.parse(passed.stdout) as CheckReport).passed).toBe(true);
    expect((await run(() => 204)).code).toBe(5);
  });

  test('prints JUnit', async () => {
    const { stdout } = await run(() => 204, '--junit');
    expect(stdout).toMatch(/^<\?xml .*\n<testsuite name="posthorn check" tests="\d+" failures="7">\n/);
    expect(stdout).toContain('name="wrong secret"><failure message="it answered 204');
  });

  test('without a terminal it sends nothing to another machine unless --yes is given', async () => {
    const { code, stderr } = await line.shell(`posthorn check https://shop.example.com/ --secret ${secret}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining('add --yes')]);
  });
});

function reparse(body: Buffer): string {
  try {
    return JSON.stringify(JSON.parse(body.toString()), null, 1);
  } catch {
    return '{}';
  }
}

function refuseRepetitions(): Receive {
  const seen = new Set<unknown>();
  return async (body, request) => {
    const id = request.headers['webhook-id'];
    if (seen.has(id)) return 409;
    const status = await good(body, request);
    if (status === 204) seen.add(id);
    return status;
  };
}

async function withReceiver<Result>(receive: Receive, use: (url: string) => Promise<Result>): Promise<Result> {
  const server = createServer(async (request, response) => {
    const status = await receive(await buffer(request), request);
    // Not a status: the number of effects.
    if (status <= 0) response.end(String(-status));
    else if (request.method !== 'POST') response.writeHead(405).end();
    else response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
