import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { parseProxyUrl } from '@posthorn/egress/proxy-url';
import type { ResolveName } from '@posthorn/egress/resolve-name';
import { systemClock } from '@posthorn/runtime/clock';
import { type ConnectProxy, startConnectProxy } from '@posthorn/testkit/connect-proxy';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { createExaminationRecord } from '../examination.ts';
import type { Destination, Place, SendRequest } from '../kind.ts';
import { requireKind } from '../kinds.ts';
import { openWith } from './open.ts';

let receiver: Receiver;
let proxy: ConnectProxy;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

beforeEach(async () => {
  receiver.requests.length = 0;
  receiver.respondWith(() => ({ status: 200, body: 'ok' }));
  proxy = await startConnectProxy({ user: 'posthorn', password: 'proxy:canary' });
});
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  await proxy.close();
});

const toLoopback: ResolveName = async () => [{ address: '127.0.0.1', family: 4, ttlSeconds: 0 }];

type SetUp = { url?: string; ca?: string; resolve?: ResolveName; cidrs?: string };

function through(set: SetUp = {}): Destination {
  const made = openWith({
    rules: parseAllowedCidrs(set.cidrs ?? '127.0.0.1/32'),
    clock: systemClock,
    resolve: set.resolve ?? toLoopback,
    ca: receiver.caPem,
    proxy: { ...parseProxyUrl(set.url ?? proxy.url), ca: set.ca },
  });
  cleanUps.push(() => made.close());
  return made;
}

function post(overrides: Partial<SendRequest> = {}): SendRequest {
  const url = overrides.url ?? `https://shop.receiver.test:${receiver.port}/hooks`;
  const place: Place = {
    ...{ kind: requireKind('webhook'), endpointId: 'e', owner: 'ws_1', revision: 'r', url },
    ...{ settings: {}, credentials: {} },
  };
  const message = { deliveryId: 'd', eventId: 'v', eventType: null, orderingKey: null, attemptNumber: 1 };
  return { place, message, url, headers: {}, body: Buffer.from('{"card":4242}'), timeoutMs: 10_000, ...overrides };
}

test('the proxy is given the vetted address and the password, and sees neither the name, the path nor the body', async () => {
  const sender = through();
  const result = await sender.send(post());
  expect(result).toMatchObject({
    kind: 'response',
    status: 200,
    remoteAddress: '127.0.0.1',
    timings: { dnsMs: expect.any(Number), connectMs: expect.any(Number), tlsMs: expect.any(Number) },
  });
  expect(receiver.requests[0]).toMatchObject({ url: '/hooks', headers: { host: expect.stringContaining('shop.') } });
  expect(receiver.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
  expect(proxy.targets).toEqual([`127.0.0.1:${receiver.port}`]);
  expect(proxy.sent().toString('latin1')).not.toMatch(/hooks|4242/);
});

test('a connection through the proxy is kept, and used for the next requests', async () => {
  const sender = through();
  for (let n = 0; n < 3; n += 1) expect(await sender.send(post())).toMatchObject({ kind: 'response' });
  expect([proxy.targets.length, receiver.requests.length]).toEqual([1, 3]);
  expect(await sender.send(post())).toMatchObject({ timings: { dnsMs: null, connectMs: null, tlsMs: null } });
});

test('a proxy over TLS is used if its authority is trusted, and is at fault if not', async () => {
  const overTls = await startConnectProxy({ tls: true });
  cleanUps.push(() => overTls.close());
  expect(await through({ url: overTls.url, ca: overTls.caPem }).send(post())).toMatchObject({ kind: 'response' });
  expect(await through({ url: overTls.url }).send(post())).toMatchObject({ errorCode: 'proxy_error' });
  expect(receiver.requests).toHaveLength(1);
});

test('the receiver’s certificate is checked end to end: no proxy can stand in for a receiver', async () => {
  const stranger = await startReceiver({ certificate: 'other-name' });
  cleanUps.push(() => stranger.close());
  const url = `https://shop.receiver.test:${stranger.port}/`;
  expect(await through().send(post({ url }))).toMatchObject({ kind: 'error', errorCode: 'tls_error' });
  expect(stranger.requests).toEqual([]);
});

describe('the egress rules hold through a proxy', () => {
  test.each<[string, SetUp, string]>([
    [
      'a name',
      { resolve: async () => [{ address: '10.0.0.1', family: 4, ttlSeconds: 0 }] },
      'https://a.receiver.test/',
    ],
    ['a literal address', {}, 'https://10.0.0.1/'],
    ['localhost', { cidrs: '' }, 'https://localhost/'],
  ])('%s that leads to a forbidden address is never asked of the proxy', async (_, set, url) => {
    expect(await through(set).send(post({ url }))).toMatchObject({ errorCode: 'blocked_address', remoteAddress: null });
    expect(proxy.targets).toEqual([]);
  });
});

describe('the proxy is at fault', () => {
  test.each([407, 502, 503, 504])('when it answers %i', async (status) => {
    proxy.respondWith(() => ({ status }));
    const result = await through().send(post());
    expect(result).toMatchObject({ kind: 'error', errorCode: 'proxy_error', remoteAddress: null });
    expect(JSON.stringify(result)).not.toMatch(/canary|127\.0\.0\.1/);
  });

  test('when it refuses the user', async () => {
    const wrong = proxy.url.replace('canary', 'wrong');
    expect(await through({ url: wrong }).send(post())).toMatchObject({
      errorCode: 'proxy_error',
      message: expect.stringContaining('(407)'),
    });
  });

  test('when nothing listens at its address', async () => {
    const gone = await startConnectProxy();
    await gone.close();
    expect(await through({ url: gone.url }).send(post())).toMatchObject({ errorCode: 'proxy_error' });
  });

  test('when it says nothing, whether the time to connect or the shorter time of the attempt ends first', async () => {
    proxy.respondWith(() => 'hang');
    expect(await through().send(post({ timeoutMs: 200 }))).toMatchObject({ errorCode: 'proxy_error' });
  });
});

describe('the receiver is at fault', () => {
  test('when the proxy names the receiver’s fault', async () => {
    proxy.respondWith(() => ({ status: 503, headers: { 'x-squid-error': 'ERR_CONNECT_FAIL 111' } }));
    expect(await through().send(post())).toMatchObject({ errorCode: 'connection_refused' });
    proxy.respondWith(() => ({ status: 504, headers: { 'proxy-status': 'p; error=connection_timeout' } }));
    expect(await through().send(post())).toMatchObject({ errorCode: 'timeout' });
  });

  test('when the proxy answers with another status', async () => {
    proxy.respondWith(() => ({ status: 403 }));
    expect(await through().send(post())).toMatchObject({ errorCode: 'connection_refused' });
  });

  test('when the proxy waits for it, but answers for others', async () => {
    const other = await startReceiver();
    cleanUps.push(() => other.close());
    proxy.respondWith((target) => (target.endsWith(`:${receiver.port}`) ? 'hang' : 'connect'));
    const sender = through();
    const silent = sender.send(post({ timeoutMs: 1_500 }));
    await sender.send(post({ url: `https://other.receiver.test:${other.port}/` }));
    expect(await silent).toMatchObject({ errorCode: 'timeout' });
  });
});

describe('a target that the proxy refuses in words of its own', () => {
  const DEAD = 'https://dead.receiver.test:4443/hooks';
  const isDead = (target: string) => target.endsWith(':4443');

  test.each([
    [502, {}],
    [503, { 'x-smokescreen-error': 'host not allowed' }],
    [504, {}],
    [407, {}],
  ])('is at fault, with %i and %j, once another target has passed since its last refusal', async (status, headers) => {
    const sender = through();
    proxy.respondWith((target) => (isDead(target) ? { status, headers: { ...headers } } : 'connect'));
    expect(await sender.send(post({ url: DEAD }))).toMatchObject({ kind: 'error', errorCode: 'proxy_error' });
    expect(await sender.send(post())).toMatchObject({ kind: 'response', status: 200 });
    expect(await sender.send(post({ url: DEAD }))).toMatchObject({ kind: 'error', errorCode: 'connection_refused' });
  });

  test('is not at fault while the proxy is down: nothing passes between its refusals', async () => {
    const sender = through();
    expect(await sender.send(post())).toMatchObject({ kind: 'response', status: 200 });
    proxy.respondWith(() => ({ status: 503 }));
    for (let time = 0; time < 3; time += 1) {
      expect(await sender.send(post({ url: DEAD }))).toMatchObject({ kind: 'error', errorCode: 'proxy_error' });
    }
  });
});

test('the doctor examines through the proxy', async () => {
  const record = createExaminationRecord();
  await through().examine({
    record,
    coversTime: true,
    timeoutMs: 5_000,
    leftMs: () => 10_000,
    message: () => post(),
  });
  const outcomes = Object.fromEntries(record.checks().map(({ name, outcome }) => [name, outcome]));
  expect(outcomes).toMatchObject({ dns: 'pass', tcp: 'pass', tls: 'pass', http: 'pass' });
  expect(new Set(proxy.targets)).toEqual(new Set([`127.0.0.1:${receiver.port}`]));
  expect(proxy.targets.length).toBeGreaterThanOrEqual(3);
});
