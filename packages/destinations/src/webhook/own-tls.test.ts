import { createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { parseProxyUrl } from '@posthorn/egress/proxy-url';
import { systemClock } from '@posthorn/runtime/clock';
import { startConnectProxy } from '@posthorn/testkit/connect-proxy';
import { makeOwnAuthority, type OwnAuthority } from '@posthorn/testkit/own-authority';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { createExaminationRecord } from '../examination.ts';
import type { Destination, EndpointTls, Place, SendRequest, Tools } from '../kind.ts';
import { requireKind } from '../kinds.ts';
import { checkCredentials } from './check-credentials.ts';
import { trusting } from './egress-agent.ts';
import { openWith } from './open.ts';

let ours: OwnAuthority;
let theirs: OwnAuthority;
/**
 * A server whose certificate comes from its own authority. It admits only clients with a certificate of that authority.
 */
let receiver: Receiver;
let client: { key: string; cert: string };
beforeAll(async () => {
  [ours, theirs] = await Promise.all([makeOwnAuthority(), makeOwnAuthority()]);
  const server = await ours.issue({ names: ['hooks.receiver.test', 'inside.test'] });
  receiver = await startReceiver({ tls: { ...server, clientCa: ours.caPem } });
  client = await ours.issue();
});
afterAll(() => receiver.close());

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function open(tools: Partial<Tools> = {}): Destination {
  const made = openWith({
    rules: parseAllowedCidrs('127.0.0.1/32'),
    clock: systemClock,
    resolve: async () => [{ address: '127.0.0.1', family: 4, ttlSeconds: 0 }],
    ...tools,
  });
  cleanUps.push(() => made.close());
  return made;
}

type Given = { tls?: EndpointTls; key?: string; host?: string; place?: Partial<Place> };

function post({ tls, key = client.key, host = 'hooks.receiver.test', place }: Given = {}): SendRequest {
  const url = `https://${host}:${receiver.port}/`;
  return {
    place: {
      ...{ kind: requireKind('webhook'), endpointId: 'one', owner: 'ws_1', revision: '1', url, settings: {} },
      credentials: { tlsClientKey: key },
      tls: tls ?? { ca: ours.caPem, clientCertificate: client.cert },
      ...place,
    },
    message: { deliveryId: 'd', eventId: 'v', eventType: null, orderingKey: null, attemptNumber: 1 },
    ...{ url, headers: {}, body: Buffer.from('{}'), timeoutMs: 10_000 },
  };
}

test('with its authority and its client certificate a receiver is reached, and without either it is not', async () => {
  const sender = open();
  expect(await sender.send(post())).toMatchObject({ kind: 'response', status: 200 });
  const without = { place: { revision: '2' } };
  expect(await sender.send(post({ tls: { ca: ours.caPem }, ...without }))).toMatchObject({ kind: 'error' });
  const unknown = post({ tls: { clientCertificate: client.cert }, place: { revision: '3' } });
  expect(await sender.send(unknown)).toMatchObject({ errorCode: 'tls_error' });
});

test('the authority of an endpoint replaces the well-known ones', async () => {
  const sender = open();
  const other = post({ tls: { ca: theirs.caPem, clientCertificate: client.cert } });
  expect(await sender.send(other)).toMatchObject({ errorCode: 'tls_error' });
});

describe('what `tls.ca` has is trusted as it is', () => {
  test('the authority that issued the certificate of the receiver, without the one above it', async () => {
    const issuing = await ours.intermediate();
    const { key, cert } = await issuing.issue({ names: ['hooks.receiver.test'] });
    const server = await startReceiver({ tls: { key, cert } });
    cleanUps.push(() => server.close());
    const url = `https://hooks.receiver.test:${server.port}/`;
    const to = (ca: string, revision: string) => ({ ...post({ tls: { ca }, place: { url, revision } }), url });
    const sender = open();
    expect(await sender.send(to(issuing.caPem, '1'))).toMatchObject({ kind: 'response', status: 200 });
    expect(await sender.send(to(theirs.caPem, '2'))).toMatchObject({ errorCode: 'tls_error' });
  });

  test('the certificate of the receiver itself, and its name is checked all the same', async () => {
    const { key, cert } = await ours.issue({ names: ['hooks.receiver.test'] });
    const server = await startReceiver({ tls: { key, cert } });
    cleanUps.push(() => server.close());
    const to = (host: string) => {
      const url = `https://${host}:${server.port}/`;
      return { ...post({ tls: { ca: cert }, place: { url, revision: host } }), url };
    };
    const sender = open();
    expect(await sender.send(to('hooks.receiver.test'))).toMatchObject({ kind: 'response', status: 200 });
    expect(await sender.send(to('a.other.test'))).toMatchObject({ errorCode: 'tls_error' });
  });
});

test('the server cannot choose the group of a Diffie-Hellman exchange, whether the endpoint has TLS settings of its own or not', async () => {
  const { caPem, issue } = await makeOwnAuthority({ keyType: 'rsa' });
  const { key, cert } = await issue({ names: ['hooks.receiver.test'] });
  const server = createServer({ key, cert, maxVersion: 'TLSv1.2', ciphers: 'kDHE', dhparam: 'auto' });
  server.on('request', (_request, answer) => void answer.end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanUps.push(() => server.close());
  const url = `https://hooks.receiver.test:${(server.address() as AddressInfo).port}/`;
  const own = post({ tls: { ca: caPem }, place: { url } });
  const refused = { errorCode: 'tls_error', message: expect.stringContaining('handshake') };
  expect(await open().send({ ...own, url })).toMatchObject(refused);
  const socket = connect({
    ...{ host: '127.0.0.1', port: Number(new URL(url).port), servername: 'hooks.receiver.test' },
    secureContext: trusting(caPem),
  });
  const [error] = await once(socket, 'error');
  expect(String(error)).toContain('handshake failure');
});

test('serverName is the name that is asked for and checked, instead of the URL’s', async () => {
  const sender = open();
  const base = { ca: ours.caPem, clientCertificate: client.cert };
  expect(await sender.send(post({ host: 'a.other.test' }))).toMatchObject({ errorCode: 'tls_error' });
  const named = post({ host: 'a.other.test', tls: { ...base, serverName: 'inside.test' }, place: { revision: '2' } });
  expect(await sender.send(named)).toMatchObject({ kind: 'response' });
  const wrong = post({ tls: { ...base, serverName: 'wrong.test' }, place: { revision: '3' } });
  expect(await sender.send(wrong)).toMatchObject({ errorCode: 'tls_error' });
});

test('a connection is used again by the same revision of the endpoint, and by nothing else', async () => {
  const sender = open();
  const opened = async (request: SendRequest) => {
    const before = receiver.connections.opened;
    await sender.send(request);
    return receiver.connections.opened - before;
  };
  expect(await opened(post())).toBe(1);
  expect(await opened(post())).toBe(0);
  expect(await opened(post({ place: { revision: '2' } }))).toBe(1);
  expect(await opened(post({ place: { endpointId: 'two' } }))).toBe(1);
});

test('a change of the endpoint does not break a request under way', async () => {
  const sender = open();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  receiver.respondWith(async (_, nth) => {
    if (nth === count + 1) await held;
    return {};
  });
  const count = receiver.requests.length;
  const first = sender.send(post());
  await receiver.received(count + 1);
  await sender.send(post({ place: { revision: '2' } }));
  release();
  expect(await first).toMatchObject({ kind: 'response', status: 200 });
  receiver.respondWith(() => ({}));
});

test('through a proxy the client certificate reaches the receiver', async () => {
  const proxy = await startConnectProxy();
  cleanUps.push(() => proxy.close());
  const sender = open({ proxy: parseProxyUrl(proxy.url) });
  expect(await sender.send(post())).toMatchObject({ kind: 'response', status: 200 });
});

test('the doctor uses the endpoint’s authority, certificate and name', async () => {
  const record = createExaminationRecord();
  const message = () => post();
  await open().examine({ record, message, coversTime: true, timeoutMs: 5_000, leftMs: () => 10_000 });
  const outcomes = Object.fromEntries(record.checks().map(({ name, outcome }) => [name, outcome]));
  expect(outcomes).toMatchObject({ tls: 'pass', certificate: 'pass', http: 'pass' });
});

describe('what is saved can be used', () => {
  const now = new Date();
  const check = (tls: EndpointTls, tlsClientKey?: string) =>
    checkCredentials({ tls }, tlsClientKey === undefined ? {} : { tlsClientKey }, now);

  test('certificates and their key are accepted', () => {
    expect(check({ ca: `a comment\n${theirs.caPem}\n${ours.caPem}` })).toBeUndefined();
    expect(check({ clientCertificate: `${client.cert}\n${ours.caPem}` }, client.key)).toBeUndefined();
  });

  test('a fault names the field and the line', async () => {
    const expired = await ours.issue({ endsInDays: -1 });
    const broken = ours.caPem.replace(/^M.{20}/m, 'AAAAAAAAAAAAAAAAAAAAA');
    const lines = `${ours.caPem.trim()}\n`.split('\n').length;
    expect(check({ ca: 'no certificate' })).toEqual({ field: 'config.tls.ca', message: 'must be certificates in PEM' });
    expect(check({ ca: `${ours.caPem.trim()}\n${broken}` })?.message).toBe(
      `has a certificate in line ${lines} that cannot be read`,
    );
    expect(check({ ca: ours.caPem.replace(/-----END.*/, '') })?.message).toMatch(/no end .* line 1/);
    expect(check({ clientCertificate: expired.cert }, expired.key)).toEqual({
      field: 'config.tls.clientCertificate',
      message: 'has a certificate in line 1 that has expired',
    });
    expect(check({ clientCertificate: client.cert })?.field).toBe('credentials.tlsClientKey');
    expect(check({ clientCertificate: client.cert }, 'no key')?.message).toMatch(/private key in PEM/);
    expect(check({ clientCertificate: client.cert }, expired.key)?.message).toMatch(/key of the first certificate/);
    expect(check({}, client.key)?.message).toBe('needs config.tls.clientCertificate');
  });

  test('an authority that has expired does no harm beside a good one, and alone is refused', async () => {
    const expired = await ours.issue({ endsInDays: -1 });
    expect(check({ ca: `${expired.cert.trim()}\n${ours.caPem}` })).toBeUndefined();
    expect(check({ ca: expired.cert })).toEqual({
      field: 'config.tls.ca',
      message: 'has a certificate in line 1 that has expired',
    });
  });

  test('what has expired since it was saved stops no change of another field', async () => {
    const { cert, key } = await ours.issue({ endsInDays: -1 });
    const stored = { tls: { ca: cert, clientCertificate: cert } };
    const changed = { tls: { ...stored.tls, serverName: 'other.example' } };
    expect(checkCredentials(changed, { tlsClientKey: key }, now, stored)).toBeUndefined();
    expect(checkCredentials(changed, { tlsClientKey: key }, now)?.message).toMatch(/has expired/);
  });

  test('a private key in a certificate text is refused, because the config is shown', () => {
    const line = client.cert.trim().split('\n').length + 1;
    const message = `must not have a private key, as in line ${line}: the config is shown`;
    const both = `${client.cert.trim()}\n${client.key}`;
    expect(check({ clientCertificate: both }, client.key)).toEqual({ field: 'config.tls.clientCertificate', message });
    expect(check({ ca: both })).toEqual({ field: 'config.tls.ca', message });
  });

  test('a certificate that TLS would not find, because its lines are indented, is refused', () => {
    const indented = ours.caPem.replace(/^/gm, '  ');
    expect(check({ ca: indented })?.message).toBe('must be certificates in PEM');
    expect(check({ ca: ours.caPem.replaceAll('\n', '\r\n') })).toBeUndefined();
  });

  test('a key with a passphrase is refused', () => {
    const encrypted = createPrivateKey(client.key).export({
      ...{ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'a passphrase' },
    });
    expect(check({ clientCertificate: client.cert }, encrypted.toString())).toEqual({
      ...{ field: 'credentials.tlsClientKey', message: 'must be an unencrypted private key in PEM' },
    });
  });
});
