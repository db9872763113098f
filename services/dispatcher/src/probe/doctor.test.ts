import { randomBytes, randomUUID } from 'node:crypto';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type DoctorReport, doctorReport } from '@posthorn/contract/probes';
import { sealContext } from '@posthorn/crypto/contexts';
import { parseSealingKeys, seal } from '@posthorn/crypto/seal';
import { newSigningSecret } from '@posthorn/crypto/signing-secret';
import { openWith } from '@posthorn/destinations/webhook/open';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { createEndpointCache } from '@posthorn/messages/endpoint-cache';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { makeOwnAuthority } from '@posthorn/testkit/own-authority';
import { type ReceivedRequest, type Receiver, type ReceiverAnswer, startReceiver } from '@posthorn/testkit/receiver';
import type { CertificateKind } from '@posthorn/testkit/receiver-certificate';
import { Webhook } from 'standardwebhooks';
import { examineEndpoint } from './doctor.ts';

const keys = parseSealingKeys(`test:${randomBytes(32).toString('base64')}`);
const rules = parseAllowedCidrs('127.0.0.0/8');

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

let endpoint: EndpointRow;
let secret: string;
let closes: (() => Promise<void> | void)[];
beforeEach(async () => {
  closes = [];
  endpoint = await insertEndpoint(db);
  secret = newSigningSecret();
  const id = randomUUID();
  const sealed = seal(keys, Buffer.from(secret), sealContext.signingSecret(id));
  await db.signingSecret.create({ data: { id, endpointId: endpoint.endpointId, sealed: new Uint8Array(sealed) } });
});
afterEach(async () => {
  for (const close of closes.reverse()) await close();
});

type Given = {
  url: string;
  caPem?: string | undefined;
  addresses?: string[];
  failsWith?: string;
  timeoutSeconds?: number;
  endsInMs?: number;
};

/** Examines the endpoint at this URL. Every name has the given addresses. */
async function examine({ addresses = ['127.0.0.1'], failsWith, endsInMs = 30_000, ...given }: Given) {
  const { url, timeoutSeconds = null, caPem: ca } = given;
  await db.endpoint.update({ where: { id: endpoint.endpointId }, data: { url, timeoutSeconds } });
  const resolve = async () => {
    if (failsWith !== undefined) throw Object.assign(new Error('no answer'), { code: failsWith });
    return addresses.map((address) => ({ address, family: 4 as const, ttlSeconds: 60 }));
  };
  const clock = systemClock;
  const destination = openWith({ rules, clock, resolve, ca });
  closes.push(() => destination.close());
  const report = await examineEndpoint(
    {
      db,
      endpoints: createEndpointCache(db, keys, clock),
      destinations: { examine: (_kind, examination) => destination.examine(examination) },
      clock,
      settings: { timeoutSeconds: 15 },
    },
    { ...endpoint, endsByMs: Date.now() + endsInMs },
  );
  return doctorReport.parse(report);
}

/** A receiver that verifies as the official library does. `behave` replaces its answer to a request that it accepts. */
async function receive(
  behave: (request: ReceivedRequest) => ReceiverAnswer = () => ({ status: 204 }),
  options: { certificate?: CertificateKind; verifies?: (request: ReceivedRequest) => boolean } = {},
): Promise<Receiver & { host: string }> {
  const receiver = await startReceiver({ certificate: options.certificate ?? 'good' });
  const verifies = options.verifies ?? verifiesLikeTheLibrary;
  receiver.respondWith((request) => (verifies(request) ? behave(request) : { status: 401 }));
  closes.push(() => receiver.close());
  return { ...receiver, host: `https://hooks.receiver.test:${receiver.port}/` };
}

function verifiesLikeTheLibrary({ body, headers }: ReceivedRequest): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false; // The library throws for a wrong signature and for an old timestamp.
  }
}

const outcomes = ({ checks }: DoctorReport) => Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]));
const checkOf = ({ checks }: DoctorReport, wanted: string) => checks.find(({ name }) => name === wanted);
const ORDER = ['dns', 'tcp', 'tls', 'certificate', 'http', 'redirect', 'latency', 'signature', 'replay', 'body'];

describe('a receiver that does everything right', () => {
  test('is healthy in every check, in the order of the interface, and no pass has advice', async () => {
    const receiver = await receive();
    const report = await examine({ url: receiver.host, caPem: receiver.caPem });
    expect(report.verdict).toBe('healthy');
    expect(report.checks.map(({ name }) => name)).toEqual(ORDER);
    expect(report.checks.filter(({ outcome, advice }) => outcome !== 'pass' || advice !== null)).toEqual([]);
    expect(receiver.requests).toHaveLength(3);
  });

  test('gets three requests with ids of their own, and nothing is stored', async () => {
    const receiver = await receive();
    await examine({ url: receiver.host, caPem: receiver.caPem });
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
    expect(JSON.parse(receiver.requests[0]?.body.toString() ?? '')).toMatchObject({ type: 'posthorn.test' });
    const { endpointId } = endpoint;
    expect([
      await db.event.count({ where: { endpointId } }),
      await db.delivery.count({ where: { endpointId } }),
      await db.endpointHealth.count({ where: { endpointId } }),
    ]).toEqual([0, 0, 0]);
  });
});

test('a correct receiver that closes kept connections without notice is healthy, 12 times of 12', async () => {
  const used = new Set<Socket>();
  const closesUnannounced = (status: number): ReceiverAnswer => ({
    raw: ({ socket }) => {
      if (used.has(socket)) return void socket.destroy();
      used.add(socket);
      socket.write(`HTTP/1.1 ${status} Said\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n`);
    },
  });
  const receiver = await startReceiver();
  closes.push(() => receiver.close());
  receiver.respondWith((request) => closesUnannounced(verifiesLikeTheLibrary(request) ? 200 : 401));
  for (let time = 0; time < 12; time += 1) {
    const report = await examine({ url: receiver.url, caPem: receiver.caPem });
    expect(report.checks.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
  }
  // Each request used a separate connection, so none was sent twice.
  expect(receiver.requests).toHaveLength(36);
});

describe('dns', () => {
  test('fails for a name that does not resolve, and everything after it is skipped with the reason', async () => {
    const report = await examine({ url: 'https://hooks.receiver.test/', failsWith: 'ENOTFOUND' });
    expect(report.verdict).toBe('broken');
    expect(checkOf(report, 'dns')?.detail).toBe('hooks.receiver.test could not be resolved (ENOTFOUND)');
    expect(outcomes(report)).toEqual({ ...allSkipped(), dns: 'fail' });
    expect(checkOf(report, 'tcp')?.detail).toBe('Not tried, because the check dns failed');
  });

  test('fails when one of several addresses is forbidden, lists all, and connects to none', async () => {
    let connected = 0;
    const server = createTcpServer(() => void connected++);
    const port = await listen(server);
    const report = await examine({
      url: `https://hooks.receiver.test:${port}/`,
      addresses: ['127.0.0.1', '10.1.2.3'],
    });
    expect(checkOf(report, 'dns')).toMatchObject({
      outcome: 'fail',
      detail: 'hooks.receiver.test resolves to 127.0.0.1 (allowed), 10.1.2.3 (forbidden)',
    });
    expect(outcomes(report)).toEqual({ ...allSkipped(), dns: 'fail' });
    expect(connected).toBe(0);
  });

  test('lists 64 of thousands of addresses, the forbidden ones first', async () => {
    const many = Array.from({ length: 2_000 }, (_, n) => `127.0.${n >> 8}.${n & 255}`);
    const report = await examine({ url: 'https://hooks.receiver.test/', addresses: [...many, '10.1.2.3'] });
    const { outcome, detail } = checkOf(report, 'dns') ?? {};
    expect(outcome).toBe('fail');
    expect(detail).toMatch(/^hooks.receiver.test resolves to 10.1.2.3 \(forbidden\), 127.0.0.0 \(allowed\), /);
    expect(detail).toMatch(/127.0.0.62 \(allowed\) and 1,937 more$/);
  });

  test('fails for a literal address that is forbidden', async () => {
    const report = await examine({ url: 'https://169.254.169.254/' });
    expect(checkOf(report, 'dns')).toMatchObject({
      outcome: 'fail',
      detail: '169.254.169.254 is 169.254.169.254 (forbidden)',
    });
  });
});

describe('tcp', () => {
  test('fails for a port without a server', async () => {
    const server = createTcpServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const report = await examine({ url: `https://hooks.receiver.test:${port}/` });
    expect(checkOf(report, 'tcp')?.detail).toContain('The connection was refused');
    expect(outcomes(report)).toEqual({ ...allSkipped(), dns: 'pass', tcp: 'fail' });
  });

  test('warns when only some addresses of the name accept connections', async () => {
    const receiver = await receive();
    const addresses = ['127.0.0.1', '127.0.0.99'];
    const report = await examine({ url: receiver.host, caPem: receiver.caPem, addresses });
    expect(checkOf(report, 'tcp')).toMatchObject({ outcome: 'warn', detail: expect.stringContaining('127.0.0.99') });
    expect(checkOf(report, 'http')).toMatchObject({ outcome: 'pass' });
  });
});

describe('tls and certificate', () => {
  test('tls fails for a server without TLS', async () => {
    const server = createTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const port = await listen(server);
    const report = await examine({ url: `https://hooks.receiver.test:${port}/` });
    expect(outcomes(report)).toEqual({ ...allSkipped(), dns: 'pass', tcp: 'pass', tls: 'fail' });
    expect(checkOf(report, 'tls')).toMatchObject({
      detail: 'The server does not speak TLS on this port; most often it speaks plain HTTP',
      advice: expect.stringContaining('port of HTTPS'),
    });
  });

  test.each([
    ['expired', 'fail', 'The certificate has expired', 'Renew the certificate'],
    ['other-name', 'fail', 'for another host name than hooks.receiver.test', 'names the host of the URL'],
    ['self-signed', 'fail', 'self-signed', 'public authority'],
    ['ends-soon', 'warn', 'days left', 'Renew the certificate'],
  ] as const)('certificate: one that is %s is a %s', async (certificate, outcome, detail, advice) => {
    const receiver = await receive(undefined, { certificate });
    const { caPem } = receiver;
    const report = await examine({ url: receiver.host, caPem });
    const check = checkOf(report, 'certificate');
    expect(check).toMatchObject({ outcome, detail: expect.stringContaining(detail) });
    expect(check?.advice).toContain(advice);
    const after = outcome === 'fail' ? 'skipped' : 'pass';
    expect(outcomes(report)).toMatchObject({ tls: 'pass', http: after, replay: after });
    expect(receiver.requests).toHaveLength(outcome === 'fail' ? 0 : 3);
  });

  test('certificate: one of an authority that is not trusted fails', async () => {
    const tls = await (await makeOwnAuthority()).issue({ names: ['hooks.receiver.test'] });
    const receiver = await startReceiver({ tls });
    closes.push(() => receiver.close());
    const report = await examine({ url: `https://hooks.receiver.test:${receiver.port}/` });
    expect(checkOf(report, 'certificate')).toMatchObject({ outcome: 'fail', advice: expect.stringContaining('chain') });
    expect(receiver.requests).toHaveLength(0);
  });
});

describe('the answer', () => {
  test.each([
    [401, 'secret'],
    [404, 'path'],
    [410, 'deactivates'],
    [500, 'log'],
  ])('http fails for status %i, with its own advice; signature and replay are skipped', async (status, advice) => {
    const receiver = await receive(() => ({ status }));
    const report = await examine({ url: receiver.host, caPem: receiver.caPem });
    expect(checkOf(report, 'http')).toMatchObject({ outcome: 'fail', advice: expect.stringContaining(advice) });
    expect(outcomes(report)).toMatchObject({ redirect: 'pass', signature: 'skipped', replay: 'skipped', body: 'pass' });
    expect(await db.endpoint.findUnique({ where: { id: endpoint.endpointId } })).toMatchObject({ isActive: true });
    expect(receiver.requests).toHaveLength(1);
  });

  test('redirect fails, names the place, and the redirect is not followed', async () => {
    const receiver = await receive(() => ({ status: 308, headers: { location: 'https://elsewhere.test/hook' } }));
    const report = await examine({ url: receiver.host, caPem: receiver.caPem });
    expect(checkOf(report, 'redirect')).toMatchObject({
      outcome: 'fail',
      detail: 'The answer redirects to https://elsewhere.test/hook',
    });
    expect(receiver.requests).toHaveLength(1);
  });

  test('redirect shows no credential of the endpoint that the place repeats', async () => {
    const { endpointId } = endpoint;
    const sealed = seal(keys, Buffer.from('canary word'), sealContext.endpointPassword(endpointId));
    const data = { authUsername: 'events', authPasswordSealed: new Uint8Array(sealed) };
    await db.endpoint.update({ where: { id: endpointId }, data });
    const receiver = await receive(({ headers }) => ({
      status: 302,
      headers: { location: `https://elsewhere.example/?you=${headers.authorization}&for=canary+word` },
    }));
    expect(checkOf(await examine({ url: receiver.host, caPem: receiver.caPem }), 'redirect')).toMatchObject({
      outcome: 'fail',
      detail: 'The answer redirects to https://elsewhere.example/?you=[redacted]&for=[redacted]',
    });
  });

  test('latency warns above a fifth of the timeout', async () => {
    const receiver = await receive(() => ({ status: 200, delayMs: 450 }));
    const report = await examine({ url: receiver.host, caPem: receiver.caPem, timeoutSeconds: 2 });
    expect(outcomes(report)).toMatchObject({ http: 'pass', latency: 'warn' });
    expect(report.verdict).toBe('warning');
  });

  test('http fails when there is no answer within the timeout, and says so', async () => {
    const receiver = await receive(() => ({ raw: () => {} }));
    const report = await examine({ url: receiver.host, caPem: receiver.caPem, timeoutSeconds: 1 });
    expect(checkOf(report, 'http')).toMatchObject({
      outcome: 'fail',
      detail: 'No usable answer: No complete answer within 1 s',
      advice: expect.stringContaining('Answer first'),
    });
    expect(outcomes(report)).toMatchObject({ redirect: 'skipped', latency: 'skipped', body: 'skipped' });
  });

  test('body warns above 16 KiB', async () => {
    const receiver = await receive(() => ({ status: 200, body: 'x'.repeat(16_385) }));
    const report = await examine({ url: receiver.host, caPem: receiver.caPem });
    expect(outcomes(report)).toMatchObject({ http: 'pass', body: 'warn' });
    expect(report.verdict).toBe('warning');
  });
});

describe('forged requests', () => {
  const isOld = ({ headers }: ReceivedRequest) => Number(headers['webhook-timestamp']) < Date.now() / 1_000 - 300;

  test('a receiver that verifies nothing fails signature and replay', async () => {
    const receiver = await receive(undefined, { verifies: () => true });
    const report = await examine({ url: receiver.host, caPem: receiver.caPem });
    expect(outcomes(report)).toMatchObject({ http: 'pass', signature: 'fail', replay: 'fail', body: 'pass' });
    expect(report.verdict).toBe('broken');
  });

  test('the advice names no header of the signature, because an endpoint may have other ones', async () => {
    const receiver = await receive(undefined, { verifies: () => true });
    const report = await examine({ url: receiver.host, caPem: receiver.caPem });
    for (const name of ['signature', 'replay'] as const) {
      expect(checkOf(report, name)?.advice).not.toMatch(/^$|webhook-/);
    }
  });

  test('a receiver that verifies the signature but no time fails replay alone', async () => {
    const receiver = await receive(undefined, {
      verifies: (request) => isOld(request) || verifiesLikeTheLibrary(request),
    });
    const report = await examine({ url: receiver.host, caPem: receiver.caPem });
    expect(outcomes(report)).toMatchObject({ signature: 'pass', replay: 'fail' });
    const [, , replayed] = receiver.requests;
    expect(Number(replayed?.headers['webhook-timestamp'])).toBeLessThan(Date.now() / 1_000 - 3_500);
  });

  test('a receiver that refuses with 500 gets a warning: the request would be sent again', async () => {
    const receiver = await startReceiver();
    closes.push(() => receiver.close());
    receiver.respondWith((request) => ({ status: verifiesLikeTheLibrary(request) ? 200 : 500 }));
    const report = await examine({ url: receiver.url, caPem: receiver.caPem });
    expect(outcomes(report)).toMatchObject({ signature: 'warn', replay: 'warn' });
    expect(report.verdict).toBe('warning');
  });
});

test('what the time does not allow is skipped, and the examination ends', async () => {
  const receiver = await receive(() => ({ raw: () => {} }));
  const report = await examine({ url: receiver.host, caPem: receiver.caPem, endsInMs: 2_500 });
  expect(outcomes(report)).toMatchObject({ dns: 'pass', certificate: 'pass', http: 'skipped', replay: 'skipped' });
  expect(checkOf(report, 'http')?.detail).toBe('Not tried: the time of the examination was over');
  expect(report.verdict).toBe('healthy');
});

test('an endpoint of another workspace is not examined', async () => {
  const other = await insertEndpoint(db);
  const { endpointId } = endpoint;
  const cache = createEndpointCache(db, keys, systemClock);
  const destinations = { examine: () => Promise.reject(new Error('nothing may be examined')) };
  const deps = { db, endpoints: cache, destinations, clock: systemClock, settings: { timeoutSeconds: 15 } };
  const asked = { endpointId, workspaceId: other.workspaceId, endsByMs: Date.now() + 1_000 };
  expect(await examineEndpoint(deps, asked)).toBeUndefined();
});

function allSkipped() {
  return Object.fromEntries(ORDER.map((name) => [name, 'skipped']));
}

function listen(server: ReturnType<typeof createTcpServer>): Promise<number> {
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket.on('error', () => socket.destroy())));
  closes.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
