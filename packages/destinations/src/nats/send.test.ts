import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { systemClock } from '@posthorn/runtime/clock';
import { hasNats, NATS_PERMISSIONS, NATS_USERS, type NatsServer, startNats } from '@posthorn/testkit/nats';
import { newNatsKey, newNatsOperator } from '@posthorn/testkit/nats-credentials';
import { makeOwnAuthority } from '@posthorn/testkit/own-authority';
import type { Destination, SendRequest } from '../kind.ts';
import { requestTo } from '../testing.ts';
import { nats } from './describe.ts';
import { open } from './open.ts';

const rules = parseAllowedCidrs('127.0.0.0/8');
const MOST_BYTES = 65_536;

function to(
  settings: object,
  given: { credentials?: Record<string, string>; body?: Buffer; size?: number; timeoutMs?: number } = {},
) {
  const { size, ...more } = given;
  const body = size === undefined ? {} : { body: Buffer.alloc(size) };
  return requestTo(nats, { settings, credentials: NATS_USERS.events, ...body, ...more });
}

/** The same endpoint and delivery, with another body. */
function again(request: SendRequest, body: string): SendRequest {
  return { ...request, body: Buffer.from(body) };
}

(hasNats() ? describe : describe.skip)('a message to NATS', () => {
  let server: NatsServer;
  let sender: Destination;
  let destination: { servers: string[]; tls: boolean };

  beforeAll(async () => {
    server = await startNats({ maxPayload: MOST_BYTES });
    destination = { servers: [server.address], tls: false };
    sender = open({ rules, allowPlaintext: true, clock: systemClock });
    await withClient(async (client) => {
      const { streams } = await jetstreamManager(client);
      await streams.add({ name: 'ORDERS', subjects: ['order.>'] });
      await streams.add({ name: 'SMALL', subjects: ['events.small'], max_msg_size: 10 });
    });
    // An answer from another subscriber is not an acknowledgement of a stream.
    impostor = await connect({ servers: server.address, ...asOptions(NATS_USERS.admin) });
    impostor.subscribe('events.impostor', { callback: (_error, message) => void message.respond('{"ok":true}') });
    await impostor.flush();
  }, 360_000);
  afterAll(async () => {
    sender?.close();
    await impostor?.close();
    await server?.stop();
  }, 30_000);
  let impostor: NatsConnection;

  function asOptions({ user, password }: { user: string; password: string }) {
    return { user, pass: password };
  }

  function asAuthenticator(creds: string) {
    return credsAuthenticator(Buffer.from(creds));
  }

  async function withClient<Result>(work: (client: NatsConnection) => Promise<Result>): Promise<Result> {
    const client = await connect({ servers: server.address, ...asOptions(NATS_USERS.admin) });
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  }

  /** The messages of a stream. */
  const read = (stream: string) =>
    withClient(async (client) => {
      const { streams } = await jetstreamManager(client);
      const { state } = await streams.info(stream);
      const sequences = Array.from({ length: state.messages }, (_, index) => state.first_seq + index);
      return Promise.all(sequences.map((seq) => streams.getMessage(stream, { seq })));
    });

  test('is acknowledged with its sequence, can be verified as a webhook, and is stored once for each delivery', async () => {
    const request = to(destination);
    const result = await sender.send(request);
    expect(result).toMatchObject({
      kind: 'acknowledged',
      status: null,
      acknowledgement: { stream: 'ORDERS', sequence: 1 },
    });
    // The answer to an attempt was lost, so the attempt is repeated.
    expect(await sender.send(again(request, 'repeated'))).toMatchObject({ acknowledgement: { duplicate: true } });
    const stored = await read('ORDERS');
    expect(stored.map((message) => message?.string())).toEqual(['{"id":1}']);
    // Somebody asked for another send, within the stream's duplicate window.
    const asked = { ...request, message: { ...request.message, manualRetries: 1 } };
    expect(await sender.send(asked)).toMatchObject({ acknowledgement: { stream: 'ORDERS', sequence: 2 } });
    expect(await sender.send(asked)).toMatchObject({ acknowledgement: { sequence: 2, duplicate: true } });
    expect(await read('ORDERS')).toHaveLength(2);
    const { header } = stored[0] ?? {};
    expect(
      ['webhook-id', 'webhook-signature', 'application-id', 'Nats-Msg-Id'].map((name) => header?.get(name)),
    ).toEqual([...['msg_1', 'v1,abc', 'app_1', request.message.deliveryId]]);
  });

  test('without its optional settings goes to the subject of the event type, over TLS', async () => {
    const { issue } = await makeOwnAuthority();
    const certificate = await issue({ names: ['localhost', '127.0.0.1'] });
    const secure = await startNats({ certificate });
    const misnamed = await startNats({ certificate: await issue({ names: ['other.test'] }) });
    const ca = certificate.caPem;
    const own = open({ rules: parseAllowedCidrs('127.0.0.0/8,::1'), clock: systemClock });
    try {
      // The server has no stream, so the message was sent but not stored.
      for (const host of ['127.0.0.1', 'localhost']) {
        const servers = [secure.address.replace('127.0.0.1', host)];
        expect(await own.send(to({ servers, ca }))).toMatchObject({ errorCode: 'target_not_found' });
      }
      expect(await own.send(to({ servers: [secure.address] }))).toMatchObject({ errorCode: 'tls_error' });
      expect(await own.send(to({ servers: [misnamed.address], ca }))).toMatchObject({ errorCode: 'tls_error' });
      expect(await own.send(to({ servers: [server.address] }))).toMatchObject({
        ...{ errorCode: 'tls_error', message: 'The server does not offer TLS' },
      });
      expect(await sender.send(to({ servers: [secure.address], tls: false }))).toMatchObject({
        ...{ errorCode: 'tls_error', message: 'The server requires TLS' },
      });
    } finally {
      own.close();
      await secure.stop();
      await misnamed.stop();
    }
  }, 60_000);

  test('is sent with the seed of a key, or with a .creds file of an account', async () => {
    const { nkeySeed } = server;
    expect(await sender.send(to(destination, { credentials: { nkeySeed } }))).toMatchObject({ kind: 'acknowledged' });
    const operator = newNatsOperator(NATS_PERMISSIONS);
    const other = await startNats({ operator });
    const there = { servers: [other.address], tls: false };
    const client = await connect({ servers: other.address, authenticator: asAuthenticator(operator.admin) });
    try {
      await (await jetstreamManager(client)).streams.add({ name: 'ORDERS', subjects: ['order.>'] });
      const send = (creds: string, settings = {}) =>
        sender.send(to({ ...there, ...settings }, { credentials: { creds } }));
      expect(await send(operator.events)).toMatchObject({ kind: 'acknowledged', remoteAddress: '127.0.0.1' });
      expect(await send(operator.events, { subject: 'secret' })).toMatchObject({ errorCode: 'access_denied' });
      const refused = [
        await send(operator.stranger),
        await sender.send(to(there, { credentials: { nkeySeed } })),
        await sender.send(to(destination, { credentials: { nkeySeed: newNatsKey().seed } })),
      ];
      for (const result of refused) {
        expect(result).toMatchObject({
          ...{ kind: 'error', errorCode: 'authentication_failed', message: expect.stringMatching(/^NATS refused: /) },
        });
      }
    } finally {
      await client.close();
      await other.stop();
    }
  }, 60_000);

  test('with a seed that is not a key is an attempt that could not sign in', async () => {
    const wrong = `SU${'A'.repeat(56)}`;
    const creds = newNatsOperator(NATS_PERMISSIONS).events.replace(/^SU\w+$/m, wrong);
    const given: Record<string, string>[] = [{ nkeySeed: wrong }, { creds }];
    for (const credentials of given) {
      expect(await sender.send(to(destination, { credentials }))).toMatchObject({
        ...{ kind: 'error', errorCode: 'authentication_failed', message: expect.stringContaining('not a valid key') },
      });
    }
  });

  test('goes to the next server where the first refuses the connection, or accepts it and says nothing', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const address = silent.address();
    try {
      for (const first of ['127.0.0.1:4', `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`]) {
        const servers = [first, server.address];
        expect(await sender.send(to({ ...destination, servers }))).toMatchObject({ kind: 'acknowledged' });
      }
    } finally {
      silent.close();
    }
  }, 30_000);

  test.each([
    [{ subject: 'events.nobody' }, {}, 'target_not_found'],
    [{ subject: 'events.impostor' }, {}, 'target_not_found'],
    [{ subject: 'secret.{{eventType}}' }, {}, 'access_denied'],
    [{ subject: 'events.small' }, {}, 'message_too_large'],
    [{}, { size: MOST_BYTES }, 'message_too_large'],
    [{}, { credentials: { user: 'events', password: 'wrong-canary' } }, 'authentication_failed'],
    [{}, { credentials: {} }, 'authentication_failed'],
    [{}, { credentials: { token: 'wrong-canary' } }, 'authentication_failed'],
    [{ servers: ['127.0.0.1:4'] }, {}, 'connection_refused'],
    [{ servers: ['127.0.0.1:6379'] }, {}, 'blocked_address'],
    [{ servers: ['10.0.0.1:4222'] }, {}, 'blocked_address'],
    [{ servers: ['nats.invalid'] }, {}, 'dns_failure'],
    [{ subject: '{{orderingKey}}' }, {}, 'invalid_target'],
    [{ subject: 'events.*' }, {}, 'invalid_target'],
    [{ subject: 'events.{{orderingKey}}' }, {}, 'invalid_target'],
    [{ subject: 'two words' }, {}, 'invalid_target'],
    [{ subject: '$JS.API.STREAM.DELETE.ORDERS' }, {}, 'invalid_target'],
    [{ subject: `events.${'k'.repeat(250)}` }, {}, 'invalid_target'],
  ])('to %j with %j is not delivered: %s', async (settings, given, errorCode) => {
    const result = await sender.send(to({ ...destination, ...settings }, given));
    expect(result).toMatchObject({ kind: 'error', errorCode });
    expect(JSON.stringify(result)).not.toContain('canary');
    if (result.kind === 'error') {
      const ends = ['message_too_large', 'invalid_target', 'blocked_address'].includes(errorCode);
      expect(result.ends).toBe(ends ? errorCode : undefined);
    }
  });

  test('is stored if it fits with all its headers, and its delivery ends if it does not', async () => {
    const { place } = to(destination);
    const seen = new Set<string>();
    // The headers take about 200 bytes.
    for (let size = MOST_BYTES - 400; size <= MOST_BYTES; size += 20) {
      const result = await sender.send({ ...to({}, { size }), place });
      seen.add(result.kind === 'error' ? result.errorCode : result.kind);
    }
    expect([...seen]).toEqual(['acknowledged', 'message_too_large']);
  });

  test('goes to no private address, and not without TLS, unless the operator allows it', async () => {
    const closed = open({ rules: parseAllowedCidrs(''), allowPlaintext: true, clock: systemClock });
    expect(await closed.send(to(destination))).toMatchObject({ errorCode: 'blocked_address' });
    const encrypted = open({ rules, clock: systemClock });
    expect(await encrypted.send(to(destination))).toMatchObject({ errorCode: 'tls_error' });
  });

  test('is in the stream if it is acknowledged, even when the server is killed in between', async () => {
    await withClient(async (client) => {
      const { streams } = await jetstreamManager(client);
      await streams.add({ name: 'KILLED', subjects: ['events.killed'] });
    });
    // One endpoint, and one delivery for each number.
    const { place } = to({ ...destination, subject: 'events.killed' });
    const sent = Array.from({ length: 400 }, (_, index) => String(index));
    const results = sent.map((id) => sender.send({ ...to({}, { body: Buffer.from(id) }), place }));
    await Promise.any(results.map((result) => result.then(({ kind }) => kind === 'acknowledged' || Promise.reject())));
    await server.kill();
    const ended = await Promise.all(results);
    await server.start();
    const there = new Set((await read('KILLED')).map((message) => message?.string()));
    const acknowledged = sent.filter((_, index) => ended[index]?.kind === 'acknowledged');
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);
    expect(await sender.send({ ...to({}), place })).toMatchObject({ kind: 'acknowledged' });
  }, 90_000);

  test('under way when the service stops is given up, and none begins after it', async () => {
    const own = open({ rules, allowPlaintext: true, clock: systemClock });
    const silent = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const address = silent.address();
    const servers = [`127.0.0.1:${typeof address === 'object' ? address?.port : 0}`];
    const underWay = own.send(to({ ...destination, servers }));
    const late = own.send(to({ ...destination, servers }, { timeoutMs: 50 }));
    expect(await late).toMatchObject({ kind: 'error', errorCode: 'timeout' });
    own.abortAll();
    expect(await underWay).toEqual({ kind: 'aborted' });
    expect(await own.send(to(destination))).toEqual({ kind: 'aborted' });
    own.close();
    silent.close();
  });
});
