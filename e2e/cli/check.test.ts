import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CheckReport, checkReceiver } from '@posthorn/client/check';
import { verify } from '@posthorn/client/webhooks';
import { freePort } from '@posthorn/testkit/free-port';
import { type CommandLine, prepareCommandLine } from './posthorn.ts';

// Tests receivers with one flaw each, and one receiver without flaws.

const secret = `whsec_${Buffer.from('a secret of this receiver').toString('base64')}`;

/**
 * Returns the status of the response. 0 closes the connection. At `/effects`, it is the negated number of effects.
 * `chunks` are the parts in which the body arrived.
 */
type Receive = (body: Buffer, request: IncomingMessage, chunks?: readonly Buffer[]) => Promise<number> | number;

let line: CommandLine;
beforeAll(() => {
  line = prepareCommandLine();
});
afterAll(() => line.remove());

type Headers = IncomingMessage['headers'];

const verified = (body: Buffer | string, { headers }: { headers: Headers }, options = {}) =>
  verify(body, headers, secret, options).then(
    () => 204,
    () => 400,
  );

const good: Receive = (body, request) => verified(body, request);

/** A good receiver, except that it answers the requests that `isTaken` chooses with this status. */
const but =
  (status: number, isTaken: (body: Buffer, request: IncomingMessage) => boolean): Receive =>
  (body, request) =>
    isTaken(body, request) ? status : good(body, request);

/** A receiver that verifies other signatures than those that arrived. */
const withSignatures =
  (choose: (given: string[]) => string | undefined): Receive =>
  (body, { headers }) =>
    verified(body, { headers: { ...headers, 'webhook-signature': choose(signaturesOf(headers)) } });

const signaturesOf = (headers: Headers) => String(headers['webhook-signature']).split(' ');
const isJson = ({ headers }: IncomingMessage) => headers['content-type'] === 'application/json';
const ageSeconds = ({ headers }: IncomingMessage) => Date.now() / 1_000 - Number(headers['webhook-timestamp']);

const DELIVERY = ['webhook-event-type', 'webhook-delivery-id', 'webhook-attempt', 'idempotency-key'];
const forgeries = ['changed body', 'changed id', 'changed time', 'too old', 'in the future', 'wrong secret'];

const flawed: [flaw: string, receive: Receive, faults: string[]][] = [
  ['none', good, []],
  ['verifies nothing', () => 204, [...forgeries, 'no signature', 'GET']],
  ['trusts a connection after its first webhook', trusting(), [...forgeries, 'no signature', 'GET']],
  [
    'verifies JSON that it has parsed',
    (body, request) => (isJson(request) ? verified(reparse(body), request) : good(body, request)),
    ['JSON', 'slow body', 'older than the one before', 'two signatures', 'repetition', 'kept connection'],
  ],
  [
    'takes JSON only',
    (body, request) => (isJson(request) ? good(body, request) : 415),
    ['text', 'binary', 'empty body'],
  ],
  ['reads bodies as text', (body, request) => verified(body.toString(), request), ['binary']],
  [
    'changes the ends of lines',
    (body, request) => verified(body.toString().replaceAll('\r\n', '\n'), request),
    ['text', 'binary'],
  ],
  ['fails at an empty body', but(500, (body) => body.length === 0), ['empty body', 'GET']],
  ['limits bodies to 100 KiB', but(413, (body) => body.length > 102_400), ['256 KiB']],
  [
    'verifies the first part of a body',
    (_body, request, [first = ''] = []) => verified(first, request),
    ['256 KiB', 'slow body'],
  ],
  ['refuses unknown types', but(422, (body) => body.includes('unknown')), ['unknown type']],
  [
    'refuses unknown types by their header',
    but(422, (_body, { headers }) => String(headers['webhook-event-type']).includes('unknown')),
    ['unknown type'],
  ],
  ['needs what every delivery has', but(400, (_body, { headers }) => DELIVERY.some((name) => !headers[name])), []],
  ['closes the connection at unknown types', but(0, (body) => body.includes('unknown')), ['unknown type']],
  [
    'refuses what is older than a moment',
    but(400, (_body, request) => ageSeconds(request) > 30),
    ['older than the one before'],
  ],
  ['refuses what is older than the newest', refuseOlder(), ['older than the one before']],
  ['reads the first signature only', withSignatures((given) => given[0]), ['two signatures']],
  ['reads the last signature only', withSignatures((given) => given.at(-1)), ['two signatures']],
  ['refuses a repetition', atRepetitions(409), ['repetition']],
  ['crashes at a repetition', atRepetitions(500), ['repetition']],
  [
    'has no tolerance',
    (body, request) => verified(body, request, { toleranceSeconds: 1e9 }),
    ['too old', 'in the future'],
  ],
  [
    'takes what is old',
    (body, request) => verified(body, request, { toleranceSeconds: ageSeconds(request) < 0 ? 300 : 1e9 }),
    ['too old'],
  ],
  [
    'takes what is from the future',
    (body, request) => verified(body, request, { toleranceSeconds: ageSeconds(request) > 0 ? 300 : 1e9 }),
    ['in the future'],
  ],
  [
    'verifies only what is signed',
    but(204, (_body, { headers }) => headers['webhook-signature'] === undefined),
    ['no signature', 'GET'],
  ],
  [
    'takes an empty signature',
    but(204, (_body, { headers }) => headers['webhook-signature'] === 'v1,'),
    ['no signature'],
  ],
  [
    'crashes without a signature',
    but(500, (_body, { headers }) => headers['webhook-signature'] === undefined),
    ['no signature', 'GET'],
  ],
  [
    'answers forgeries with 5xx',
    async (body, request) => ((await good(body, request)) === 204 ? 204 : 500),
    [...forgeries, 'no signature', 'GET'],
  ],
  ['spoils a connection after a refusal', spoiling(), ['kept connection']],
  ['answers GET with a page', but(200, (_body, { method }) => method === 'GET'), ['GET']],
];

// The tests run at once, because one check waits between the parts of a body.
test.concurrent.each(flawed)(
  'a receiver whose flaw is "%s" is caught by the checks for it',
  async (_flaw, receive, faults) => {
    const report = await withReceiver(receive, (url) => checkReceiver({ url, secret }));
    expect(report.results.filter(({ fault }) => fault !== null).map(({ name }) => name)).toEqual(faults);
    // A receiver that answers GET does no harm.
    expect(report.passed).toBe(faults.every((name) => name === 'GET'));
  },
);

test('every check has a receiver that it catches', async () => {
  const { results } = await withReceiver(good, (url) => checkReceiver({ url, secret }));
  const caught = new Set(flawed.flatMap(([, , faults]) => faults));
  expect(results.map(({ name }) => name).filter((name) => !caught.has(name))).toEqual([]);
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

test('a receiver that cannot be reached is one fault', async () => {
  const { passed, results } = await checkReceiver({ url: `http://127.0.0.1:${await freePort()}/`, secret });
  expect([passed, results.map(({ name, fault }) => [name, fault])]).toEqual([
    false,
    [['connection', 'there was no answer: ECONNREFUSED']],
  ]);
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

  test('prints text', async () => {
    const { code, stdout } = await run(good, '--output text');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^check +outcome +fault +why\n/)]);
  });

  test.each(['--output junit', '--junit'])('prints JUnit with %s', async (options) => {
    const { stdout } = await run(() => 204, options);
    expect(stdout).toMatch(/^<\?xml .*\n<testsuite name="posthorn check" tests="\d+" failures="1" skipped="6">\n/);
    expect(stdout).toContain('name="changed body"><failure message="it answered 204');
    expect(stdout.match(/<skipped message="The same fault as of &quot;changed body&quot;"\/>/g)).toHaveLength(6);
  });

  test('equal faults are one line of the table, and one failure of JUnit, beside the count of the effects', async () => {
    const refusing = (_body: Buffer, request: IncomingMessage) => (request.url === '/effects' ? 0 : 500);
    const report = (options: string) =>
      withReceiver(refusing, (url) =>
        line.shell(`posthorn check ${url} --secret ${secret} --effects ${url}effects ${options}`),
      );
    const table = (await report('--output table')).stdout.match(/it answered 500, not \w+( such as \d+)?/g) ?? [];
    // The last fault is that of the GET request, which is only a warning.
    expect(table).toEqual(['2xx', '4xx such as 400', '4xx such as 405'].map((want) => `it answered 500, not ${want}`));
    const junit = (await report('--output junit')).stdout;
    const messages = [...junit.matchAll(/<failure message="([^."]*)/g)].map(([, message]) => message);
    expect(messages).toEqual([...new Set(messages)]);
    expect(messages.filter((message) => message?.includes('500'))).toEqual(table.slice(0, 2));
  });

  test('effects that cannot be read are a fault that names the address, beside the other results', async () => {
    const effectsUrl = 'http://127.0.0.1:1/effects';
    const { code, stdout, stderr } = await run(good, `--effects ${effectsUrl}`);
    expect([code, stderr]).toEqual([5, '']);
    const { results } = JSON.parse(stdout) as CheckReport;
    expect(results.filter(({ fault }) => fault !== null)).toMatchObject([
      { name: 'repetition', outcome: 'fail', fault: expect.stringContaining(`${effectsUrl} did not answer`) },
    ]);
    expect(results.length).toBeGreaterThan(10);
  });

  test('Ctrl-C ends it with 130, and prints nothing', async () => {
    let began: (() => void) | undefined;
    const begun = new Promise<void>((resolve) => {
      began = resolve;
    });
    const silent = () => {
      began?.();
      return new Promise<number>(() => undefined);
    };
    const ended = await withReceiver(silent, async (url) => {
      const running = line.start(['check', url, '--secret', secret]);
      await begun;
      running.interrupt();
      return running.ended;
    });
    expect(ended).toEqual({ code: 130, stdout: '', stderr: '' });
  });

  test('without a terminal it sends nothing to another machine unless --yes is given', async () => {
    const { code, stderr } = await line.shell(`posthorn check https://shop.example.com/ --secret ${secret}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining('add --yes')]);
  });
});

function reparse(body: Buffer): string {
  try {
    return JSON.stringify(JSON.parse(body.toString()));
  } catch {
    return '{}';
  }
}

function atRepetitions(status: number): Receive {
  const seen = new Set<unknown>();
  return async (body, request) => {
    const id = request.headers['webhook-id'];
    if (seen.has(id)) return status;
    const answer = await good(body, request);
    if (answer === 204) seen.add(id);
    return answer;
  };
}

function refuseOlder(): Receive {
  let newest = 0;
  return async (body, request) => {
    const time = Number(request.headers['webhook-timestamp']);
    if (time < newest) return 400;
    const answer = await good(body, request);
    if (answer === 204) newest = time;
    return answer;
  };
}

function trusting(): Receive {
  const trusted = new WeakSet();
  return async (body, request) => {
    if (trusted.has(request.socket)) return 204;
    const answer = await good(body, request);
    if (answer === 204) trusted.add(request.socket);
    return answer;
  };
}

function spoiling(): Receive {
  const spoiled = new WeakSet();
  return async (body, request) => {
    const answer = spoiled.has(request.socket) ? 400 : await good(body, request);
    if (answer === 400) spoiled.add(request.socket);
    return answer;
  };
}

test.each([
  ['PHP/8.2.36', "In PHP, read php://input, not $_POST. Posthorn's kit for PHP (sdks/receivers) verifies the bytes."],
  [
    'Kestrel',
    "In C#, read Request.Body to its end, not [FromBody]. Posthorn's kit for C# (sdks/receivers) verifies the bytes.",
  ],
  ['nginx', undefined],
])('a server that calls itself %s learns what changes the bytes in its language', async (server, cause) => {
  const readsText: Receive = (body, request) => verified(body.toString(), request);
  const { results } = await withReceiver(readsText, (url) => checkReceiver({ url, secret }), { server });
  const failed = results.filter(({ outcome }) => outcome === 'fail');
  const why = 'The signature covers the bytes as they arrive: parse them after the verification.';
  expect(failed.map(({ why }) => why)).toEqual([cause === undefined ? why : `${why} ${cause}`]);
});

async function withReceiver<Result>(
  receive: Receive,
  use: (url: string) => Promise<Result>,
  headers: Record<string, string> = {},
): Promise<Result> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const status = await receive(Buffer.concat(chunks), request, chunks);
    if (request.url === '/effects') response.end(String(-status));
    else if (status === 0) request.socket.destroy();
    else response.writeHead(status, headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
