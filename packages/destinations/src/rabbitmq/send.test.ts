import { once } from 'node:events';
import { type AddressInfo, connect as connectTo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { systemClock } from '@posthorn/runtime/clock';
import { makeOwnAuthority } from '@posthorn/testkit/own-authority';
import { hasRabbitMq, type RabbitMq, startRabbitMq } from '@posthorn/testkit/rabbitmq';
import { type ChannelModel, connect } from 'amqplib';
import type { Destination } from '../kind.ts';
import { requestTo } from '../testing.ts';
import { rabbitmq } from './describe.ts';
import { open } from './open.ts';

const MOST_BYTES = 200_000;

(hasRabbitMq() ? describe : describe.skip)('a message to RabbitMQ', () => {
  let broker: RabbitMq;
  let sender: Destination;
  let ca: string;

  beforeAll(async () => {
    const certificate = await (await makeOwnAuthority()).issue({ names: ['localhost', '127.0.0.1', '::1'] });
    ca = certificate.caPem;
    broker = await startRabbitMq({
      certificate,
      maxMessageBytes: MOST_BYTES,
      users: [
        { name: 'stranger', password: 'canary-of-stranger' },
        { name: 'weak', password: 'canary-of-weak', mayWrite: '^$' },
      ],
    });
    sender = open({ rules: parseAllowedCidrs('127.0.0.0/8,::1/128'), clock: systemClock });
  }, 360_000);
  afterAll(async () => {
    sender?.close();
    await broker?.stop();
  }, 60_000);

  function to(destination: object, credentials?: Record<string, string>, body = Buffer.from('{"id":1}')) {
    const settings = { host: 'localhost', port: broker.tlsPort, ca, ...destination };
    const { username, password } = broker;
    return requestTo(rabbitmq, { settings, body, credentials: credentials ?? { username, password } });
  }

  async function withClient<Result>(work: (client: ChannelModel) => Promise<Result>): Promise<Result> {
    const { port, username, password } = broker;
    const client = await connect({ hostname: '127.0.0.1', port, username, password });
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  }

  const createQueue = (name: string) =>
    withClient(async (client) => {
      const channel = await client.createChannel();
      await channel.assertQueue(name, { durable: true });
      await channel.close();
    });

  const read = (queue: string) =>
    withClient(async (client) => {
      const channel = await client.createChannel();
      const ids: string[] = [];
      for (;;) {
        const message = await channel.get(queue, { noAck: true });
        if (message === false) return ids;
        ids.push(message.content.toString());
      }
    });

  test('reaches a broker at an IPv6 address, whose certificate is checked for it', async () => {
    // The broker listens on an IPv4 address.
    const way = createServer((socket) => {
      const on = connectTo(broker.tlsPort, '127.0.0.1');
      for (const one of [socket, on]) one.on('error', () => undefined);
      socket.pipe(on).pipe(socket);
    }).listen(0, '::1');
    await once(way, 'listening');
    await createQueue('six');
    const { port } = way.address() as AddressInfo;
    const request = to({ host: '::1', port, routingKey: 'six' });
    expect(await sender.send(request)).toMatchObject({ kind: 'acknowledged', remoteAddress: '::1' });
    expect(rabbitmq.target(request.place)).toBe(`RabbitMQ [::1]:${port}/, default exchange`);
    way.close();
  });

  test('is confirmed, persistent, and can be verified as a webhook', async () => {
    await createQueue('order.placed');
    const result = await sender.send(to({}));
    expect(result).toMatchObject({
      ...{ kind: 'acknowledged', status: null, acknowledgement: { confirmed: 'ack' } },
      ...{ remoteAddress: expect.stringMatching(/^(127\.0\.0\.1|::1)$/), timings: { ttfbMs: expect.any(Number) } },
    });
    const message = await withClient(async (client) => (await client.createChannel()).get('order.placed'));
    expect(message).toMatchObject({
      content: Buffer.from('{"id":1}'),
      properties: {
        messageId: 'msg_1',
        deliveryMode: 2,
        timestamp: 1,
        headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,abc' },
      },
    });
  });

  test.each([
    [{ routingKey: 'nobody' }, undefined, 'unroutable'],
    [{ exchange: 'missing' }, undefined, 'target_not_found'],
    [{ vhost: 'missing' }, undefined, 'target_not_found'],
    [{}, { username: 'events', password: 'wrong-canary' }, 'authentication_failed'],
    [{ routingKey: 'k'.repeat(256) }, undefined, 'invalid_target'],
    [{ port: 2 }, undefined, 'connection_refused'],
    [{}, { username: 'stranger', password: 'canary-of-stranger' }, 'target_not_found'],
    [{ exchange: 'amq.direct' }, { username: 'weak', password: 'canary-of-weak' }, 'access_denied'],
  ])('to %j with the credentials %j is %s', async (destination, credentials, errorCode) => {
    const result = await sender.send(to(destination, credentials));
    expect(result).toMatchObject({ kind: 'error', errorCode });
    expect(JSON.stringify(result)).not.toContain('canary');
  });

  test('goes to no broker that requires TLS without it', async () => {
    const own = open({ rules: parseAllowedCidrs('127.0.0.0/8'), allowPlaintext: true, clock: systemClock });
    expect(await own.send(to({ tls: false }))).toMatchObject({
      ...{ errorCode: 'connection_reset', message: expect.stringContaining('set tls to true') },
    });
    own.close();
  });

  test('that is larger than the broker takes ends its delivery, and no other one', async () => {
    await createQueue('sizes');
    const [large, small] = await Promise.all([
      sender.send(to({ routingKey: 'sizes' }, undefined, Buffer.alloc(MOST_BYTES + 1))),
      sender.send(to({ routingKey: 'sizes' })),
    ]);
    expect(large).toMatchObject({ errorCode: 'message_too_large', ends: 'message_too_large' });
    expect(small).not.toHaveProperty('ends');
  });

  test('goes to no private address, and not without TLS, unless the operator allows it', async () => {
    const plain = { port: broker.port, tls: false };
    expect(await sender.send(to(plain))).toMatchObject({ errorCode: 'tls_error' });
    expect(await sender.send(to({ ca: undefined }))).toMatchObject({ errorCode: 'tls_error' });
    expect(await sender.send(to(plain, undefined))).toMatchObject({ errorCode: 'tls_error' });
    const closed = open({ rules: parseAllowedCidrs(''), clock: systemClock });
    expect(await closed.send(to({}))).toMatchObject({ errorCode: 'blocked_address' });
    closed.close();
    const lenient = open({ rules: parseAllowedCidrs('127.0.0.0/8'), allowPlaintext: true, clock: systemClock });
    await createQueue('plain');
    expect(await lenient.send(to({ ...plain, host: '127.0.0.1', routingKey: 'plain' }))).toMatchObject({
      kind: 'acknowledged',
    });
    lenient.close();
  });

  test('to a server that is silent ends in time', async () => {
    const silent = createServer();
    const { port } = await new Promise<AddressInfo>((resolve) => {
      silent.listen(0, '127.0.0.1', () => resolve(silent.address() as AddressInfo));
    });
    const request = { ...to({ port }), timeoutMs: 300 };
    expect(await sender.send(request)).toMatchObject({ errorCode: 'timeout', message: 'No connection within 0.3 s' });
    silent.close();
  });

  test('is in the queue if it is acknowledged, even when the broker is killed in between', async () => {
    await createQueue('killed');
    // The broker writes a definition to disk only some time after its answer.
    await broker.control('eval', 'ok = mnesia:sync_log().');
    const sent = Array.from({ length: 300 }, (_, index) => String(index));
    const results = sent.map((id) => sender.send(to({ routingKey: 'killed' }, undefined, Buffer.from(id))));
    await Promise.any(results.map((result) => result.then(({ kind }) => kind === 'acknowledged' || Promise.reject())));
    await broker.kill();
    const ended = await Promise.all(results);
    await broker.start();
    const there = await read('killed');
    const acknowledged = sent.filter((_, index) => ended[index]?.kind === 'acknowledged');
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.filter((id) => !there.includes(id))).toEqual([]);
    expect(await sender.send(to({ routingKey: 'killed' }))).toMatchObject({ kind: 'acknowledged' });
  }, 150_000);
});
