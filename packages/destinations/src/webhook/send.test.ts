import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { createLookup, type Lookup } from '@posthorn/egress/lookup';
import type { ResolveName } from '@posthorn/egress/resolve-name';
import { systemClock } from '@posthorn/runtime/clock';
import { makeOwnAuthority } from '@posthorn/testkit/own-authority';
import { type RawConnection, type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { receiverCertificate } from '@posthorn/testkit/receiver-certificate';
import { waitFor } from '@posthorn/testkit/wait-for';
import got, { Options } from 'got';
import type { SendResult } from '../kind.ts';
import { createSender, type WebRequest, type WebSender } from './send.ts';

const KIB = 1_024;
const ok = { status: 200, body: 'ok' };

let receiver: Receiver;
let sender: WebSender;
const cleanUps: (() => unknown)[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

beforeEach(() => {
  receiver.respondWith(() => ok);
  receiver.requests.length = 0;
  sender = newSender();
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

type SenderSetUp = {
  cidrs?: string;
  resolve?: ResolveName;
  lookup?: Lookup;
  connectTimeoutMs?: number;
  clock?: typeof systemClock;
};

/** A sender that may reach only 127.0.0.1, the address of every name under receiver.test. */
function newSender({
  cidrs = '127.0.0.1/32',
  resolve = toLoopback,
  lookup,
  connectTimeoutMs,
  clock = systemClock,
}: SenderSetUp = {}): WebSender {
  const rules = parseAllowedCidrs(cidrs);
  const made = createSender({
    rules,
    clock,
    lookup: lookup ?? createLookup({ rules, resolve, clock: systemClock }),
    ca: receiver.caPem,
    connectTimeoutMs,
  });
  cleanUps.push(() => made.close());
  return made;
}

const toLoopback: ResolveName = async () => [{ address: '127.0.0.1', family: 4, ttlSeconds: 0 }];

function post(overrides: Partial<WebRequest> = {}): WebRequest {
  return {
    url: receiver.url,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{}'),
    timeoutMs: 10_000,
    ...overrides,
  };
}

/** A plain TCP server that counts connections and bytes. */
async function listenRaw(host: string, onConnection: (socket: Socket) => void = () => undefined, port = 0) {
  const canary = { port: 0, connections: 0, receivedBytes: 0 };
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    canary.connections += 1;
    sockets.add(socket);
    socket.on('data', (chunk) => {
      canary.receivedBytes += chunk.length;
    });
    socket.on('error', () => socket.destroy());
    onConnection(socket);
  });
  server.listen(port, host);
  await once(server, 'listening');
  canary.port = (server.address() as AddressInfo).port;
  cleanUps.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return canary;
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

function writeRaw(...parts: string[]) {
  return { raw: ({ socket }: RawConnection) => void socket.write(parts.join('')) };
}

/** Later requests must still arrive and be answered normally. */
async function expectUnaffected(): Promise<void> {
  receiver.respondWith((request) => ({ status: 201, body: request.body }));
  for (let number = 0; number < 3; number += 1) {
    const body = Buffer.from(`{"after":${number}}`);
    expect(await sender.send(post({ body }))).toMatchObject({ kind: 'response', status: 201, body });
  }
}

function expectError(result: SendResult): Extract<SendResult, { kind: 'error' }> {
  if (result.kind !== 'error') throw new Error(`expected an error, got ${result.kind}`);
  return result;
}

describe('the request', () => {
  test('has exactly the given headers and those that HTTP requires', async () => {
    const headers = {
      'content-type': 'text/plain',
      'webhook-id': 'msg_1',
      'user-agent': 'Posthorn/1',
      'X-Mine': 'a b',
    };
    await sender.send(post({ url: `${receiver.url}hook?a=1&b=%2F`, headers, body: Buffer.from('hello') }));
    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: 'POST', url: '/hook?a=1&b=%2F' });
    expect(request?.headers).toEqual({
      'content-type': 'text/plain',
      'webhook-id': 'msg_1',
      'user-agent': 'Posthorn/1',
      'x-mine': 'a b',
      'content-length': '5',
      host: `localhost:${receiver.port}`,
      connection: 'keep-alive',
    });
  });

  test.each([0, 1, 520, 64 * KIB, KIB * KIB])('sends a body of %d bytes unchanged', async (size) => {
    const body = randomBytes(size);
    expect(await sender.send(post({ body }))).toMatchObject({ kind: 'response', status: 200 });
    expect(receiver.requests[0]?.body.equals(body)).toBe(true);
    expect(receiver.requests[0]?.headers['content-length']).toBe(String(size));
  });

  test('goes to allowed literal addresses, IPv4 and IPv6', async () => {
    expect(await sender.send(post({ url: `https://127.0.0.1:${receiver.port}/` }))).toMatchObject({ status: 200 });
    const six = await startReceiver({ host: '::1' });
    cleanUps.push(six.close);
    const open = newSender({ cidrs: '::1' });
    const result = await open.send(post({ url: `https://[::1]:${six.port}/` }));
    expect(result).toMatchObject({ status: 200, remoteAddress: '::1' });
  });

  test('goes to the next address when one does not answer', async () => {
    const both = newSender({
      cidrs: '127.0.0.0/8',
      resolve: async () => [
        { address: '127.0.0.9', family: 4, ttlSeconds: 0 },
        { address: '127.0.0.1', family: 4, ttlSeconds: 0 },
      ],
    });
    const result = await both.send(post({ url: `https://two.receiver.test:${receiver.port}/` }));
    expect(result).toMatchObject({ kind: 'response', remoteAddress: '127.0.0.1' });
  });

  test('ignores the proxy in the environment', async () => {
    const proxy = await listenRaw('127.0.0.1');
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']) {
      const before = process.env[name];
      process.env[name] = name.startsWith('NODE') ? '1' : `http://127.0.0.1:${proxy.port}`;
      cleanUps.push(() => {
        if (before === undefined) delete process.env[name];
        else process.env[name] = before;
      });
    }
    expect(await newSender().send(post())).toMatchObject({ status: 200 });
    expect(proxy.connections).toBe(0);
  });
});

describe('the answer', () => {
  test('is reported with status, headers, body, times and address', async () => {
    receiver.respondWith(() => ({
      status: 503,
      headers: { 'Retry-After': '7', 'set-cookie': ['a=1', 'b=2'] },
      body: 'no',
    }));
    const result = await sender.send(post());
    expect(result).toMatchObject({
      kind: 'response',
      status: 503,
      headers: { 'retry-after': '7', 'set-cookie': ['a=1', 'b=2'] },
      body: Buffer.from('no'),
      truncated: false,
      remoteAddress: '127.0.0.1',
      durationMs: expect.any(Number),
      timings: {
        dnsMs: expect.any(Number),
        connectMs: expect.any(Number),
        tlsMs: expect.any(Number),
        ttfbMs: expect.any(Number),
      },
    });
  });

  test('has every repeated header as an array, and text in UTF-8 as it was sent', async () => {
    const lines = ['X-A: 1', 'x-a: 2', 'ETag: "a"', 'etag: "b"', 'age: 1', 'x-city: Zürich', 'x-a: 3'];
    const head = Buffer.from(`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\nx-latin: `);
    const answer = Buffer.concat([head, Buffer.from('Zürich', 'latin1'), Buffer.from('\r\ncontent-length: 0\r\n\r\n')]);
    receiver.respondWith(() => ({ raw: ({ socket }) => void socket.write(answer) }));
    expect(await sender.send(post())).toMatchObject({
      headers: { 'x-a': ['1', '2', '3'], etag: ['"a"', '"b"'], age: '1', 'x-city': 'Zürich', 'x-latin': 'Zürich' },
    });
  });

  test('of a reused connection has no times for phases that did not take place', async () => {
    await sender.send(post());
    expect(await sender.send(post())).toMatchObject({
      timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: expect.any(Number) },
      remoteAddress: '127.0.0.1',
    });
  });

  test.each([0, 1, 16 * KIB - 1, 16 * KIB])('of %d bytes is kept whole, and its connection is reused', async (size) => {
    const body = randomBytes(size);
    receiver.respondWith(() => ({ body }));
    expect(await sender.send(post())).toMatchObject({ kind: 'response', status: 200, body, truncated: false });
    const { opened } = receiver.connections;
    await expectUnaffected();
    expect(receiver.connections.opened).toBe(opened);
  });

  test.each([16 * KIB + 1, 5_000 * KIB])('of %d bytes is a success, cut at 16 KiB', async (size) => {
    const body = randomBytes(size);
    receiver.respondWith(() => ({ body }));
    const result = await sender.send(post());
    expect(result).toMatchObject({ kind: 'response', status: 200, truncated: true });
    expect(result.kind === 'response' && result.body.equals(body.subarray(0, 16 * KIB))).toBe(true);
    await expectUnaffected();
  });

  test('that never ends is cut at 16 KiB, and its connection is closed', async () => {
    let closed = false;
    receiver.respondWith(() => ({
      raw: ({ socket, repeat }) => {
        socket.once('close', () => {
          closed = true;
        });
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        repeat(1, () => socket.write('x'.repeat(4 * KIB)));
      },
    }));
    const result = await sender.send(post());
    expect(result).toMatchObject({ kind: 'response', status: 200, truncated: true });
    expect(result.kind === 'response' && result.body.length).toBe(16 * KIB);
    await waitFor(() => closed, { what: 'the connection to be closed' });
    await expectUnaffected();
  });

  test('that arrives in pieces of any size is joined', async () => {
    const body = randomBytes(16 * KIB + 3);
    const pieces = [1, 1, 2, 500, 1, 8_000, 7_000];
    receiver.respondWith(() => ({
      raw: ({ socket, repeat }) => {
        let at = 0;
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        repeat(1, () => {
          const size = pieces.shift() ?? body.length;
          socket.write(body.subarray(at, at + size));
          at += size;
          if (at >= body.length) socket.end();
        });
      },
    }));
    const result = await sender.send(post());
    expect(result).toMatchObject({ kind: 'response', truncated: true });
    expect(result.kind === 'response' && result.body.equals(body.subarray(0, 16 * KIB))).toBe(true);
  });

  test('that is compressed is decompressed up to the limit, however large it would become', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000 * KIB));
    receiver.respondWith(() => ({ headers: { 'content-encoding': 'gzip' }, body: bomb.subarray(0, 9 * KIB) }));
    expect(await sender.send(post())).toMatchObject({ status: 200, body: Buffer.alloc(16 * KIB), truncated: true });
  });

  test.each([301, 302, 303, 307, 308])('with status %d is not followed', async (status) => {
    const canary = await listenRaw('127.0.0.1');
    receiver.respondWith(() => ({ status, headers: { location: `https://localhost:${canary.port}/` }, body: 'moved' }));
    expect(await sender.send(post())).toMatchObject({ kind: 'response', status, body: Buffer.from('moved') });
    await expectUnaffected();
    expect(receiver.requests).toHaveLength(4);
    expect(canary.connections).toBe(0);
  });

  test('may have no body, or come after informational responses', async () => {
    receiver.respondWith(() => ({ status: 204 }));
    expect(await sender.send(post())).toMatchObject({ status: 204, body: Buffer.alloc(0) });
    receiver.respondWith(() =>
      writeRaw('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(5), 'HTTP/1.1 202 Accepted\r\ncontent-length: 2\r\n\r\nok'),
    );
    expect(await sender.send(post())).toMatchObject({ status: 202, body: Buffer.from('ok') });
    await expectUnaffected();
  });

  test('may end with the close of the connection', async () => {
    receiver.respondWith(() => ({ raw: ({ socket }) => void socket.end('HTTP/1.0 200 OK\r\n\r\nold') }));
    expect(await sender.send(post())).toMatchObject({ status: 200, body: Buffer.from('old') });
    await expectUnaffected();
  });

  test('may arrive while the request is still being written, and then ends the connection', async () => {
    const early = await startReceiver({ answersEarly: true });
    cleanUps.push(early.close);
    const sockets: Socket[] = [];
    early.respondWith(() => ({
      raw: ({ socket }) => {
        sockets.push(socket);
        // The server stops reading, so that the request cannot be written completely.
        socket.pause();
        socket.write('HTTP/1.1 413 Content Too Large\r\ncontent-length: 3\r\n\r\nbig');
      },
    }));
    const body = randomBytes(32 * KIB * KIB);
    expect(await sender.send(post({ url: early.url, body }))).toMatchObject({ status: 413, body: Buffer.from('big') });
    for (const socket of sockets) {
      socket.resume();
      await closed(socket);
      expect(socket.bytesRead).toBeLessThan(body.length);
    }
    early.respondWith(() => ok);
    expect(await sender.send(post({ url: early.url }))).toMatchObject({ status: 200 });
    expect(early.connections.opened).toBe(2);
  });
});

/** Answers in a thread of its own, and wakes who waits at the first number: it counts answers, the second one connections. */
const QUICK_RECEIVER = `
const { createServer } = require('node:https');
const { parentPort, workerData: { tls, counts } } = require('node:worker_threads');
const server = createServer(tls, (request, response) => {
  response.on('finish', () => { Atomics.add(counts, 0, 1); Atomics.notify(counts, 0); });
  request.resume().on('end', () => response.end('ok'));
});
server.on('secureConnection', () => Atomics.add(counts, 1, 1));
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

async function startQuickReceiver() {
  const counts = new Int32Array(new SharedArrayBuffer(8));
  const tls = await receiverCertificate('good');
  const thread = new Worker(QUICK_RECEIVER, { eval: true, workerData: { tls, counts } });
  cleanUps.push(() => thread.terminate());
  const [port] = (await once(thread, 'message')) as [number];
  return { url: `https://localhost:${port}/`, counts };
}

describe('connections', () => {
  test('are kept when the answer comes before this process has looked again, because it was busy', async () => {
    const quick = await startQuickReceiver();
    for (let nth = 1; nth <= 3; nth += 1) {
      const result = await new Promise<SendResult>((resolve) => {
        setImmediate(() => sender.send(post({ url: quick.url })).then(resolve));
        // The first one waits for its connection.
        if (nth > 1) setImmediate(() => Atomics.wait(quick.counts, 0, nth - 1, 5_000));
      });
      expect(result).toMatchObject({ status: 200, body: Buffer.from('ok') });
    }
    expect([...quick.counts]).toEqual([3, 1]);
  });

  test('are kept: sequential requests use one connection', async () => {
    const { opened } = receiver.connections;
    for (let number = 0; number < 20; number += 1) await sender.send(post());
    expect(receiver.requests).toHaveLength(20);
    expect(receiver.connections.opened - opened).toBe(1);
  });

  test('of one host are not used for another', async () => {
    const { opened } = receiver.connections;
    for (const name of ['a', 'b', 'a', 'b']) {
      await sender.send(post({ url: `https://${name}.receiver.test:${receiver.port}/` }));
    }
    expect(receiver.requests.map(({ headers }) => headers.host?.split('.')[0])).toEqual(['a', 'b', 'a', 'b']);
    expect(receiver.connections.opened - opened).toBe(2);
  });

  test('that are new resume an earlier TLS session', async () => {
    receiver.respondWith(() => ({ headers: { connection: 'close' } }));
    const { resumed } = receiver.connections;
    for (let number = 0; number < 3; number += 1) await sender.send(post());
    expect(receiver.connections.resumed - resumed).toBeGreaterThanOrEqual(1);
  });

  test('closed by the endpoint while idle are not used again', async () => {
    const sockets: Socket[] = [];
    receiver.respondWith(() => ({
      raw: ({ socket }) => {
        sockets.push(socket);
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      },
    }));
    await sender.send(post());
    for (const socket of sockets) {
      // This event fires only when the other side has closed, too.
      socket.end();
      await closed(socket);
    }
    await expectUnaffected();
  });
});

describe('surplus bytes of an answer', () => {
  const whole = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
  const forged = 'HTTP/1.1 410 Gone\r\ncontent-length: 6\r\n\r\nforged';

  test.each([
    ['a second answer', forged],
    ['a part of one', forged.slice(0, 20)],
    ['garbage', '\0\0\0\0'],
    ['more body than was announced', 'kokoko'],
  ])('followed by %s counts, and the next request is not affected', async (_, surplus) => {
    receiver.respondWith(() => writeRaw(whole, surplus));
    expect(await sender.send(post())).toMatchObject({ kind: 'response', status: 200 });
    await expectUnaffected();
  });

  test.each([
    ['a whole answer', forged],
    ['a part of one', forged.slice(0, 20)],
    ['garbage', '\0\0\0\0'],
  ])('that arrives without a request (%s) ends the connection', async (_, surplus) => {
    const sockets: Socket[] = [];
    receiver.respondWith(() => ({
      raw: ({ socket }) => {
        sockets.push(socket);
        socket.write(whole);
      },
    }));
    expect(await sender.send(post())).toMatchObject({ kind: 'response', status: 200, body: Buffer.from('ok') });
    for (const socket of sockets) {
      let isClosed = false;
      socket.once('close', () => {
        isClosed = true;
      });
      socket.write(surplus);
      // This must happen before the idle timeout.
      await waitFor(() => isClosed, { what: 'the end of the connection', timeoutMs: 3_000 });
    }
    await expectUnaffected();
  });
});

describe('timeout', () => {
  // Long enough for a busy machine to connect and get the beginning of an answer.
  const limits = { timeoutMs: 1_000 };

  /** The message names the limit that ended the request. */
  function expectInTime(result: SendResult, limit = 'No complete answer within 1 s'): void {
    const error = expectError(result);
    expect([error.errorCode, error.message]).toEqual(['timeout', limit]);
    expect(error.durationMs).toBeGreaterThanOrEqual(299);
  }

  test('an endpoint that never answers', async () => {
    receiver.respondWith(() => ({ raw: () => undefined }));
    const result = await sender.send(post(limits));
    expectInTime(result);
    expect(result).toMatchObject({
      response: null,
      remoteAddress: '127.0.0.1',
    });
    await expectUnaffected();
  });

  test('an endpoint that sends its headers slowly', async () => {
    receiver.respondWith(() => ({
      raw: ({ socket, repeat }) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        repeat(20, () => socket.write('a: b\r\n'));
      },
    }));
    expectInTime(await sender.send(post(limits)));
    await expectUnaffected();
  });

  test('an endpoint that sends only informational responses', async () => {
    receiver.respondWith(() => ({
      // More than ten informational responses end the exchange as a protocol error.
      raw: ({ socket, repeat }) => repeat(130, () => socket.write('HTTP/1.1 102 Processing\r\n\r\n')),
    }));
    expectInTime(await sender.send(post(limits)));
    await expectUnaffected();
  });

  test('an endpoint that sends its body slowly: the received part of the answer is kept', async () => {
    receiver.respondWith(() => ({
      raw: ({ socket, repeat }) => {
        socket.write('HTTP/1.1 200 OK\r\nx-a: b\r\ncontent-length: 1000\r\n\r\n');
        repeat(20, () => socket.write('.'));
      },
    }));
    const result = await sender.send(post(limits));
    expectInTime(result);
    expect(result).toMatchObject({ response: { status: 200, headers: { 'x-a': 'b' }, truncated: false } });
    expect(expectError(result).response?.body.toString()).toMatch(/^\.+$/);
    await expectUnaffected();
  });

  test('an endpoint that never ends its body', async () => {
    receiver.respondWith(() => writeRaw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n'));
    const result = await sender.send(post(limits));
    expectInTime(result);
    expect(result).toMatchObject({ response: { status: 200, body: Buffer.from('ok') } });
    await expectUnaffected();
  });

  test('an endpoint that does not read', async () => {
    const deaf = await startReceiver({ answersEarly: true });
    cleanUps.push(deaf.close);
    deaf.respondWith(() => ({ raw: ({ socket }) => void socket.pause() }));
    expectInTime(await sender.send(post({ ...limits, url: deaf.url, body: randomBytes(32 * KIB * KIB) })));
  });

  test('an endpoint that accepts the connection but makes no TLS handshake', async () => {
    const silent = await listenRaw('127.0.0.1');
    const url = `https://localhost:${silent.port}/`;
    const result = await newSender({ connectTimeoutMs: 300 }).send(post({ url }));
    expectInTime(result, 'No connection within 0.3 s');
    expect(result).toMatchObject({ timings: { tlsMs: null, ttfbMs: null } });
  });

  test('a name server that does not answer', async () => {
    const stuck = newSender({ resolve: () => new Promise(() => undefined), connectTimeoutMs: 300 });
    const url = 'https://stuck.receiver.test/';
    const result = await stuck.send(post({ url }));
    expectInTime(result, 'No connection within 0.3 s');
    expect(result).toMatchObject({ remoteAddress: null });
  });

  test('200 hanging endpoints at once end in time, and leave no connection open', async () => {
    const hanging = await startReceiver();
    cleanUps.push(hanging.close);
    let open = 0;
    hanging.respondWith(() => ({
      raw: ({ socket }) => {
        open += 1;
        socket.once('close', () => {
          open -= 1;
        });
      },
    }));
    const request = post({ url: hanging.url, timeoutMs: 2_000 });
    const results = await Promise.all(Array.from({ length: 200 }, () => sender.send(request)));
    for (const result of results) expectInTime(result, 'No complete answer within 2 s');
    await waitFor(() => open === 0, { what: 'all connections to be closed' });
  });
});

describe('network errors', () => {
  test('dns_failure', async () => {
    const lost = newSender({ resolve: () => Promise.reject(Object.assign(new Error('gone'), { code: 'ENOTFOUND' })) });
    expect(await lost.send(post({ url: 'https://missing.receiver.test/' }))).toMatchObject({
      kind: 'error',
      errorCode: 'dns_failure',
      message: 'The host name could not be resolved (ENOTFOUND)',
      response: null,
      remoteAddress: null,
    });
  });

  test('connection_refused', async () => {
    const closing = await startReceiver();
    await closing.close();
    expect(await sender.send(post({ url: closing.url }))).toMatchObject({
      kind: 'error',
      errorCode: 'connection_refused',
      message: 'The connection was refused (ECONNREFUSED)',
    });
  });

  test.each<[string, (connection: RawConnection) => void, unknown]>([
    ['destroyed', ({ socket }) => void socket.destroy(), null],
    ['reset', ({ reset }) => reset(), null],
    ['ended', ({ socket }) => void socket.end(), null],
    ['ended in the headers', ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\nx-a'), null],
    [
      'ended in the body',
      ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\npart'),
      { status: 200, body: Buffer.from('part') },
    ],
    [
      'ended between chunks',
      ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\npart\r\n'),
      { status: 200, body: Buffer.from('part') },
    ],
  ])('connection_reset: %s', async (ending, raw, response) => {
    const isUnanswered = ['destroyed', 'reset', 'ended'].includes(ending);
    for (const isReused of [false, true]) {
      const fresh = newSender();
      if (isReused) {
        receiver.respondWith(() => ok);
        await fresh.send(post());
      }
      receiver.respondWith(() => ({ raw }));
      const before = receiver.requests.length;
      const result = await fresh.send(post());
      expect(result).toMatchObject({ kind: 'error', errorCode: 'connection_reset', remoteAddress: '127.0.0.1' });
      if (response === null) expect(result).toMatchObject({ response: null });
      else expect(result).toMatchObject({ response });
      // Only a request that got no byte on a kept connection is sent again, once, and the result says so.
      const isSentAgain = isReused && isUnanswered;
      expect(receiver.requests).toHaveLength(before + (isSentAgain ? 2 : 1));
      expect(result).toEqual(
        isSentAgain
          ? expect.objectContaining({ reconnected: true })
          : expect.not.objectContaining({ reconnected: true }),
      );
    }
    await expectUnaffected();
  });

  test('a kept connection that ends before a byte of the answer: the attempt goes on at once over a new connection', async () => {
    const used = new Set<Socket>();
    receiver.respondWith(() => ({
      raw: ({ socket }) => {
        if (used.has(socket)) return void socket.destroy();
        used.add(socket);
        socket.write('HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok');
      },
    }));
    expect(await sender.send(post())).not.toHaveProperty('reconnected');
    const body = Buffer.from('{"second":true}');
    expect(await sender.send(post({ body }))).toMatchObject({
      ...{ kind: 'response', status: 200, body: Buffer.from('ok'), reconnected: true },
      timings: { connectMs: expect.any(Number), tlsMs: expect.any(Number) },
    });
    expect(receiver.requests.map((request) => request.body.toString())).toEqual(['{}', ...Array(2).fill(String(body))]);
  });

  test('a kept connection that ends after a second of work is a failed attempt: the request is not sent again', async () => {
    let workedMs = 0;
    const patient = newSender({ clock: { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + workedMs } });
    receiver.respondWith(() => ok);
    await patient.send(post());
    const before = receiver.requests.length;
    receiver.respondWith(() => ({
      raw: ({ socket }) => {
        workedMs = 1_001;
        socket.destroy();
      },
    }));
    const result = await patient.send(post());
    expect(result).toMatchObject({ kind: 'error', errorCode: 'connection_reset' });
    expect(result).not.toHaveProperty('reconnected');
    expect(receiver.requests).toHaveLength(before + 1);
  });

  test('a request that is alone has a new connection, which is not kept', async () => {
    const { opened } = receiver.connections;
    for (let nth = 0; nth < 2; nth += 1) await sender.send(post({ isAlone: true }));
    expect(receiver.connections.opened).toBe(opened + 2);
    expect(receiver.requests.map(({ headers }) => headers.connection)).toEqual(['close', 'close']);
  });

  test('too_large: headers of the answer beyond 16 KiB', async () => {
    receiver.respondWith(() => writeRaw(`HTTP/1.1 200 OK\r\nx-big: ${'x'.repeat(17 * KIB)}\r\n\r\n`));
    expect(await sender.send(post())).toMatchObject({ kind: 'error', errorCode: 'too_large', response: null });
    receiver.respondWith(() => ({
      raw: ({ socket, repeat }) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        repeat(1, () => socket.write('x-more: and-more\r\n'.repeat(100)));
      },
    }));
    expect(await sender.send(post())).toMatchObject({ kind: 'error', errorCode: 'too_large', response: null });
    await expectUnaffected();
  });

  test.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['HTTP/2', '\0\0\x12\x04\0\0\0\0\0'],
    ['a bad status line', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['a bad header', 'HTTP/1.1 200 OK\r\nno colon\r\n\r\n'],
    ['a NUL in a header', 'HTTP/1.1 200 OK\r\na: \0\r\n\r\n'],
    ['a bad length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nok'],
    ['a switch of protocols', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'],
  ])('protocol_error: %s', async (_, text) => {
    receiver.respondWith(() => writeRaw(text));
    const result = await sender.send(post());
    expect(result).toMatchObject({ kind: 'error', errorCode: 'protocol_error' });
    expect(expectError(result).message).toMatch(/^[\x20-\x7e]+$/);
    await expectUnaffected();
  });

  test('protocol_error: a bad chunk, with the body received before it', async () => {
    receiver.respondWith(() => ({
      raw: ({ socket }) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n');
        socket.write('zz\r\n');
      },
    }));
    expect(await sender.send(post())).toMatchObject({
      kind: 'error',
      errorCode: 'protocol_error',
      response: { status: 200 },
    });
    await expectUnaffected();
  });

  test('a switch of protocols leaves no connection behind', async () => {
    const ends: Promise<unknown>[] = [];
    receiver.respondWith(() => ({
      raw: ({ socket }) => {
        ends.push(closed(socket));
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
      },
    }));
    await sender.send(post());
    expect(await Promise.all(ends)).toHaveLength(1);
  });

  test('internal: a header that is invalid in HTTP, a URL that should never have been stored', async () => {
    const headers = { 'x-bad': 'a\r\nx-injected: secret' };
    const bad = await sender.send(post({ headers }));
    expect(bad).toMatchObject({ kind: 'error', errorCode: 'internal' });
    expect(expectError(bad).message).not.toContain('secret');
    for (const url of ['http://localhost/', 'https://u:p@localhost/', 'nonsense', 'https://unix/a:b']) {
      expect(await sender.send(post({ url }))).toMatchObject({ kind: 'error', errorCode: expect.any(String) });
    }
    expect(receiver.requests).toEqual([]);
    await expectUnaffected();
  });
});

describe('tls_error', () => {
  test('a certificate of an authority that is not trusted', async () => {
    const tls = await (await makeOwnAuthority()).issue({ names: ['localhost'] });
    const foreign = await startReceiver({ tls });
    cleanUps.push(() => foreign.close());
    expect(await newSender().send(post({ url: foreign.url }))).toMatchObject({
      kind: 'error',
      errorCode: 'tls_error',
      message: expect.stringContaining('The certificate could not be traced to a public authority. Let the server'),
      remoteAddress: '127.0.0.1',
    });
    expect(foreign.requests).toEqual([]);
  });

  test.each([
    ['expired', 'The certificate has expired. Renew the certificate'],
    ['other-name', 'The certificate is for another host name. Use a certificate'],
    ['self-signed', 'The certificate is self-signed. Replace'],
  ] as const)('a certificate that is %s', async (certificate, reason) => {
    const wrong = await startReceiver({ certificate });
    cleanUps.push(wrong.close);
    for (const url of [wrong.url, `https://127.0.0.1:${wrong.port}/`]) {
      expect(await sender.send(post({ url }))).toMatchObject({
        errorCode: 'tls_error',
        message: expect.stringContaining(reason),
      });
    }
    expect(wrong.requests).toEqual([]);
  });

  test('a server that speaks plain HTTP', async () => {
    const plain = await listenRaw('127.0.0.1', (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await sender.send(post({ url: `https://localhost:${plain.port}/` }))).toMatchObject({
      errorCode: 'tls_error',
      message: expect.stringMatching(/most often it speaks plain HTTP\. Use the port of HTTPS/),
    });
  });
});

describe('blocked_address: a listener on a forbidden address gets nothing', () => {
  // 127.0.0.2 stands for the operator's internal network: only 127.0.0.1 is allowed.
  const INSIDE = '127.0.0.2';
  const inside = { address: INSIDE, family: 4, ttlSeconds: 0 } as const;
  const outside = { address: '127.0.0.1', family: 4, ttlSeconds: 0 } as const;

  function expectBlocked(result: SendResult): void {
    expect(result).toMatchObject({
      kind: 'error',
      errorCode: 'blocked_address',
      message: 'The URL points to a private or reserved address, or to a refused port',
      response: null,
      remoteAddress: null,
    });
    expect(JSON.stringify(result)).not.toContain(INSIDE);
  }

  test.each([25, 6_379, 10_080])('at port %d of an allowed address', async (port) => {
    expectBlocked(await sender.send(post({ url: `https://127.0.0.1:${port}/` })));
  });

  test.each([INSIDE, '0x7f000002', '127.2', '[::ffff:127.0.0.2]', '[::7f00:2]', '[64:ff9b::7f00:2]'])(
    'at the literal %s',
    async (host) => {
      const canary = await listenRaw(INSIDE);
      expectBlocked(await sender.send(post({ url: `https://${host}:${canary.port}/` })));
      expect(canary.connections).toBe(0);
    },
  );

  test.each([
    ['alone', [inside]],
    ['before an allowed one', [inside, outside]],
    ['after an allowed one', [outside, inside]],
  ])('through a name that resolves to it %s', async (_, addresses) => {
    const canary = await listenRaw(INSIDE);
    const { opened } = receiver.connections;
    const fooled = newSender({ resolve: async () => [...addresses] });
    for (const port of [canary.port, receiver.port]) {
      expectBlocked(await fooled.send(post({ url: `https://mixed.receiver.test:${port}/` })));
    }
    expect(canary.connections).toBe(0);
    expect(receiver.connections.opened).toBe(opened);
  });

  test('through a name whose address changes: each connection is pinned to the vetted address', async () => {
    const canary = await listenRaw(INSIDE, undefined, receiver.port);
    let questions = 0;
    const rebound = newSender({
      resolve: async () => {
        questions += 1;
        return questions === 1 ? [outside] : [inside];
      },
    });
    const url = `https://rebinding.receiver.test:${receiver.port}/`;
    expect(await rebound.send(post({ url }))).toMatchObject({ kind: 'response', remoteAddress: '127.0.0.1' });
    expect(questions).toBe(1);
    // The kept connection still has the checked address. `connection: close` makes the next connection new.
    receiver.respondWith(() => ({ headers: { connection: 'close' } }));
    expect(await rebound.send(post({ url }))).toMatchObject({ kind: 'response', remoteAddress: '127.0.0.1' });
    expect(questions).toBe(1);
    expectBlocked(await rebound.send(post({ url })));
    expect(canary.connections).toBe(0);
  });

  test('through a wrong look-up: no byte is sent on the connection', async () => {
    const canary = await listenRaw(INSIDE);
    const lying: Lookup = async () => ({ kind: 'ok', addresses: [inside] });
    const fooled = newSender({ lookup: lying });
    expectBlocked(await fooled.send(post({ url: `https://lie.receiver.test:${canary.port}/` })));
    await waitFor(() => canary.connections === 1, { what: 'the connection to be seen' });
    expect(canary.receivedBytes).toBe(0);
  });

  test('later requests of the same sender are not affected', async () => {
    expectBlocked(await sender.send(post({ url: `https://${INSIDE}/` })));
    await expectUnaffected();
  });
});

describe('aborted', () => {
  test('before it begins: nothing is sent', async () => {
    sender.abortAll();
    expect(await sender.send(post())).toEqual({ kind: 'aborted' });
    expect(receiver.requests).toEqual([]);
  });

  test('while waiting for the answer or its body: the connection is closed', async () => {
    for (const begun of ['', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\npart']) {
      const own = newSender();
      const ends: Promise<unknown>[] = [];
      receiver.respondWith(() => ({
        raw: ({ socket }) => {
          ends.push(closed(socket));
          socket.write(begun, () => own.abortAll());
        },
      }));
      expect(await own.send(post())).toEqual({ kind: 'aborted' });
      expect(await Promise.all(ends)).toHaveLength(1);
    }
    await expectUnaffected();
  });

  test('together: every open request of this sender ends, and no later one begins; another sender is not affected', async () => {
    const other = newSender();
    const finished = await Promise.all(Array.from({ length: 50 }, () => sender.send(post())));
    expect(finished.every(({ kind }) => kind === 'response')).toBe(true);

    const answers: (() => void)[] = [];
    receiver.respondWith(async () => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return ok;
    });
    const before = receiver.requests.length;
    const open = Array.from({ length: 50 }, () => sender.send(post()));
    const elsewhere = other.send(post());
    await receiver.received(before + 51);
    sender.abortAll();
    for (const result of await Promise.all(open)) expect(result).toEqual({ kind: 'aborted' });
    expect(await sender.send(post())).toEqual({ kind: 'aborted' });
    expect(receiver.requests).toHaveLength(before + 51);
    for (const answer of answers) answer();
    expect(await elsewhere).toMatchObject({ kind: 'response', status: 200 });
  });
});

test('got does not make the options for Node that are not used', async () => {
  const made = Options.prototype.createNativeRequestOptions;
  let times = 0;
  Options.prototype.createNativeRequestOptions = function (this: Options) {
    times += 1;
    return made.call(this);
  };
  cleanUps.push(() => {
    Options.prototype.createNativeRequestOptions = made;
  });
  // Counts an ordinary request of got, for comparison with the sender's request.
  await got.post(receiver.url, { https: { certificateAuthority: receiver.caPem } });
  expect(times).toBe(1);
  expect(await sender.send(post())).toMatchObject({ kind: 'response' });
  expect(times).toBe(1);
});
