import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttp2Server, type Http2Server } from 'node:http2';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { type Message, PubSub } from '@google-cloud/pubsub';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { systemClock } from '@posthorn/runtime/clock';
import { makeOwnAuthority } from '@posthorn/testkit/own-authority';
import { hasPubSub, newAccount, type PubSubServer, startPubSub } from '@posthorn/testkit/pubsub';
import type { Destination } from '../kind.ts';
import { requestTo } from '../testing.ts';
import { pubsub } from './describe.ts';
import { open } from './open.ts';

const rules = parseAllowedCidrs('127.0.0.0/8');
const projectId = 'acme-prod';
/** An empty settings frame, with which a server greets. */
const SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);

(hasPubSub() ? describe : describe.skip)('a message to Pub/Sub', () => {
  let server: PubSubServer;
  let client: PubSub;
  let sender: Destination;
  let caPem: string;
  let destination: { projectId: string; topicId: string; endpoint: string; tls: boolean };
  const servers: (Server | Http2Server)[] = [];

  beforeAll(async () => {
    const certificate = await (await makeOwnAuthority()).issue({ names: ['localhost', '127.0.0.1'] });
    ({ caPem } = certificate);
    server = await startPubSub({ certificate });
    client = new PubSub({ projectId, apiEndpoint: server.open, emulatorMode: true });
    for (const name of ['events', 'denied', 'busy', 'hidden']) await client.createTopic(name);
    destination = { projectId, topicId: 'events', endpoint: server.open, tls: false };
    sender = open({ rules, allowPlaintext: true, clock: systemClock });
  }, 360_000);
  afterAll(async () => {
    sender?.close();
    for (const one of servers) one.close();
    await client?.close();
    await server?.stop();
  }, 30_000);

  type Given = Partial<Parameters<typeof requestTo>[1]>;
  const to = (settings: object, given: Given = {}) =>
    requestTo(pubsub, { settings, credentials: { serviceAccountJson: server.accountJson }, ...given });

  const stranger = () => ({ credentials: { serviceAccountJson: newAccount().json } });

  /** Creates a subscription to the topic `events`. */
  async function subscribe(name: string) {
    const [subscription] = await client.createSubscription('events', name);
    const messages: Message[] = [];
    subscription.on('message', (message: Message) => {
      messages.push(message);
      message.ack();
    });
    return { messages, next: () => once(subscription, 'message'), close: () => subscription.close() };
  }

  /** Starts listening, and returns the address. */
  async function listen(one: Server | Http2Server): Promise<string> {
    servers.push(one);
    one.listen(0, '127.0.0.1');
    await once(one, 'listening');
    return `127.0.0.1:${(one.address() as AddressInfo).port}`;
  }

  test('is read with its attributes and its ordering key, and its id is the acknowledgement', async () => {
    const { messages, next, close } = await subscribe('first');
    const read = next();
    const result = await sender.send(to(destination, { orderingKey: 'customer-7' }));
    await read;
    const [message] = messages;
    expect(result).toMatchObject({
      ...{ kind: 'acknowledged', status: null, acknowledgement: { messageId: message?.id } },
      ...{ remoteAddress: '127.0.0.1', timings: { ttfbMs: expect.any(Number) } },
    });
    expect([message?.data.toString(), message?.orderingKey]).toEqual(['{"id":1}', 'customer-7']);
    expect(message?.attributes).toEqual({
      ...{ 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,abc' },
      'application-id': 'app_1',
    });
    await close();
  }, 30_000);

  test('goes over TLS unless the operator allows otherwise, and the certificate is checked', async () => {
    const own = open({ rules: parseAllowedCidrs('127.0.0.0/8,::1'), clock: systemClock });
    const secure = { projectId, topicId: 'events', endpoint: server.secure };
    expect(await own.send(to({ ...secure, ca: caPem }))).toMatchObject({ kind: 'acknowledged' });
    expect(await own.send(to(secure))).toMatchObject({ errorCode: 'tls_error' });
    expect(await own.send(to({ ...secure, endpoint: server.open, ca: caPem }))).toMatchObject({
      errorCode: 'tls_error',
    });
    expect(await own.send(to(destination))).toMatchObject({ errorCode: 'tls_error' });
    own.close();
    expect(await sender.send(to({ ...secure, tls: false }))).toMatchObject({
      ...{ errorCode: 'connection_reset', message: expect.stringContaining('set tls to true') },
    });
  });

  test.each<[errorCode: string, why: string, settings: object, given: () => Given, words: string]>([
    ['target_not_found', 'to no topic', { topicId: 'nobody' }, () => ({}), 'NotFound'],
    ['access_denied', 'without the permission', { topicId: 'denied' }, () => ({}), 'PermissionDenied'],
    ['throttled', 'over the quota', { topicId: 'busy' }, () => ({}), 'ResourceExhausted'],
    // The server repeats the refused token in its answer.
    ['authentication_failed', 'with another key', {}, stranger, 'Unauthenticated.*redacted'],
    ['invalid_target', 'with too long a key', {}, () => ({ orderingKey: 'k'.repeat(1_025) }), '1024 bytes'],
    ['message_too_large', 'with too much data', {}, () => ({ body: Buffer.alloc(10_000_001) }), '10000000 bytes'],
    ['connection_refused', 'where nobody listens', { endpoint: '127.0.0.1:4' }, () => ({}), 'refused'],
    ['blocked_address', 'to a refused port', { endpoint: '127.0.0.1:6379' }, () => ({}), 'refused port'],
    ['blocked_address', 'to a private address', { endpoint: '10.0.0.1:443' }, () => ({}), 'private'],
    ['dns_failure', 'to a name that is not known', { endpoint: 'pubsub.invalid' }, () => ({}), 'resolved'],
  ])('fails with %s %s', async (errorCode, _why, settings, given, words) => {
    const result = await sender.send(to({ ...destination, ...settings }, given()));
    expect(result).toMatchObject({ kind: 'error', errorCode, message: expect.stringMatching(words) });
    expect(JSON.stringify(result)).not.toContain('eyJ');
    const ends = ['message_too_large', 'invalid_target', 'blocked_address'].includes(errorCode);
    if (result.kind === 'error') expect(result.ends).toBe(ends ? errorCode : undefined);
  });

  test('is not delivered by a server that does not answer as Pub/Sub does', async () => {
    const closing = await listen(createServer((socket) => socket.end()));
    expect(await sender.send(to({ ...destination, endpoint: closing }))).toMatchObject({
      errorCode: expect.stringMatching(/connection_reset|protocol_error/),
    });
    const answering = (status: number, headers: object) =>
      listen(
        createHttp2Server().on('stream', (stream) => stream.respond({ ':status': status, ...headers }) ?? stream.end()),
      );
    for (const [status, headers, errorCode] of [
      [404, { 'content-type': 'text/html' }, 'protocol_error'],
      [503, { 'content-type': 'text/html' }, 'broker_error'],
      [200, { 'content-type': 'application/grpc' }, 'protocol_error'],
      [200, { 'content-type': 'application/grpc', 'grpc-status': '0' }, 'protocol_error'],
    ] as const) {
      const endpoint = await answering(status, headers);
      expect(await sender.send(to({ ...destination, endpoint }))).toMatchObject({ kind: 'error', errorCode });
    }
  });

  test('of a server that floods its clients is not waited for', async () => {
    const flood = await listen(
      createHttp2Server().on('stream', (stream) => {
        stream.on('error', () => undefined);
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
        // Announces a message of 1 GiB.
        stream.write(Buffer.from([0, 0x40, 0, 0, 0]));
        const pour = () => {
          while (!stream.destroyed && stream.write(Buffer.alloc(65_536)));
        };
        stream.on('drain', pour);
        pour();
      }),
    );
    const result = await sender.send(to({ ...destination, endpoint: flood }));
    expect(result).toMatchObject({ kind: 'error', errorCode: 'protocol_error' });
  });

  test.each([
    ['settings', SETTINGS],
    // Each of these says that the connection ends after the open streams.
    ['goodbyes', Buffer.from([0, 0, 8, 7, 0, 0, 0, 0, 0, ...Buffer.alloc(8)])],
    ['pings', Buffer.from([0, 0, 8, 6, 0, 0, 0, 0, 0, ...Buffer.alloc(8)])],
  ])('of a server that sends more and more %s is not waited for', async (_what, frame) => {
    const many = Buffer.concat([SETTINGS, ...Array.from({ length: 200 }, () => frame)]);
    const endpoint = await listen(
      createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.write(many));
      }),
    );
    const result = await sender.send(to({ ...destination, endpoint }, { timeoutMs: 5_000 }));
    expect(result).toMatchObject({ kind: 'error', errorCode: 'connection_reset' });
  });

  test('of a server that sends more and more informational headers is not waited for', async () => {
    const endpoint = await listen(
      createHttp2Server().on('stream', (stream) => {
        stream.on('error', () => undefined);
        for (let sent = 0; sent < 200; sent += 1) stream.additionalHeaders({ ':status': 103 });
      }),
    );
    const result = await sender.send(to({ ...destination, endpoint }, { timeoutMs: 5_000 }));
    expect(result).toMatchObject({ kind: 'error', errorCode: 'connection_reset' });
  });

  test('lets the server push nothing', async () => {
    const allowed: boolean[] = [];
    const endpoint = await listen(
      createHttp2Server().on('stream', (stream) => {
        allowed.push(stream.pushAllowed);
        stream.respond({ ':status': 503 });
        stream.end();
      }),
    );
    expect(await sender.send(to({ ...destination, endpoint }))).toMatchObject({ errorCode: 'broker_error' });
    expect(allowed).toEqual([false]);
  });

  test('after the server has said goodbye goes over another connection', async () => {
    let connections = 0;
    const endpoint = await listen(
      createHttp2Server()
        .on('session', () => (connections += 1))
        .on('stream', (stream) => {
          stream.respond({ ':status': 503 });
          stream.end();
          stream.session?.goaway();
        }),
    );
    const request = to({ ...destination, endpoint });
    for (const count of [1, 2]) {
      expect(await sender.send(request)).toMatchObject({ errorCode: 'broker_error' });
      await new Promise((resolve) => setImmediate(resolve));
      expect(connections).toBe(count);
    }
  });

  test('under way when the service stops is given up, and one that is late ends by its time limit', async () => {
    const own = open({ rules, allowPlaintext: true, clock: systemClock });
    const endpoint = await listen(createServer());
    const underWay = own.send(to({ ...destination, endpoint }));
    expect(await own.send(to({ ...destination, endpoint }, { timeoutMs: 50 }))).toMatchObject({ errorCode: 'timeout' });
    own.abortAll();
    expect(await underWay).toEqual({ kind: 'aborted' });
    own.close();
  });

  test('with a key that is too short to sign with is an attempt that could not sign in', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
    const key = { private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) };
    const serviceAccountJson = JSON.stringify({ ...JSON.parse(server.accountJson), ...key });
    const result = await sender.send(to(destination, { credentials: { serviceAccountJson } }));
    expect(result).toMatchObject({ kind: 'error', errorCode: 'authentication_failed' });
  });

  test('has a key of a service account that can be read', () => {
    const { credentials } = pubsub;
    const account = JSON.parse(server.accountJson);
    const isTaken = (value: unknown) => credentials.safeParse({ serviceAccountJson: JSON.stringify(value) }).success;
    expect(isTaken(account)).toBe(true);
    for (const wrong of [{ type: 'authorized_user' }, { private_key: 'x' }, { client_email: undefined }]) {
      expect(isTaken({ ...account, ...wrong })).toBe(false);
    }
  });
});
