import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Admin, Consumer, type Message } from '@platformatic/kafka';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { systemClock } from '@posthorn/runtime/clock';
import { hasKafka, KAFKA_USER, type KafkaBroker, makeTopics, startKafka } from '@posthorn/testkit/kafka';
import { makeOwnAuthority } from '@posthorn/testkit/own-authority';
import { receiverCertificate } from '@posthorn/testkit/receiver-certificate';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createExaminationRecord } from '../examination.ts';
import type { Destination, SendRequest } from '../kind.ts';
import { requestTo } from '../testing.ts';
import { kafka } from './describe.ts';
import { open } from './open.ts';

const rules = parseAllowedCidrs('127.0.0.0/8');

type Given = {
  credentials?: Record<string, string>;
  body?: Buffer;
  size?: number;
  orderingKey?: string;
  timeoutMs?: number;
};

function to(settings: object, { size, ...given }: Given = {}): SendRequest {
  const body = size === undefined ? {} : { body: Buffer.alloc(size) };
  return requestTo(kafka, { settings, credentials: {}, ...body, ...given });
}

describe('a message to a server that does not speak Kafka', () => {
  const opened: { close(): void }[] = [];
  afterAll(() => {
    for (const one of opened) one.close();
  });

  /** Starts a server that does this with each connection, and returns its address. */
  async function serve(work: (socket: Socket) => void): Promise<string> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      work(socket);
    }).listen(0, '127.0.0.1');
    opened.push(server);
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    return `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  function openSender(): Destination {
    const sender = open({ rules, allowPlaintext: true, clock: systemClock });
    opened.push(sender);
    return sender;
  }

  test.each<[what: string, work: (socket: Socket) => void]>([
    ['speaks HTTP', (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))],
    ['closes', (socket) => socket.end()],
    ['answers something else', (socket) => socket.on('data', () => socket.write(Buffer.alloc(64)))],
    [
      'claims a huge answer and floods',
      (socket) => {
        const pour = () => {
          while (socket.write(Buffer.alloc(65_536, 0x7f)));
        };
        socket.on('drain', pour);
        socket.once('data', pour);
      },
    ],
    [
      'describes no partitions',
      (socket) =>
        socket.on('data', (request) => {
          // Each answer repeats the number of the request. The rest is zeros.
          const answer = Buffer.alloc(64);
          answer.writeInt32BE(60);
          request.copy(answer, 4, 8, 12);
          socket.write(answer);
        }),
    ],
  ])('which %s, is not delivered, and the process goes on', async (_what, work) => {
    const brokers = [await serve(work)];
    const request = to({ brokers, topic: 'events', tls: false }, { timeoutMs: 1_000 });
    expect(await openSender().send(request)).toMatchObject({ kind: 'error' });
  });

  test('under way when the service stops is given up, and none begins after it', async () => {
    const sender = openSender();
    const brokers = [await serve(() => undefined)];
    const underWay = sender.send(to({ brokers, topic: 'events', tls: false }));
    const late = await sender.send(to({ brokers, topic: 'events', tls: false }, { timeoutMs: 50 }));
    expect(late).toMatchObject({ kind: 'error', errorCode: 'timeout' });
    sender.abortAll();
    expect(await underWay).toEqual({ kind: 'aborted' });
    expect(await sender.send(to({ brokers, topic: 'events', tls: false }))).toEqual({ kind: 'aborted' });
  });

  test.each([
    [{ brokers: ['127.0.0.1:4'] }, 'connection_refused'],
    [{ brokers: ['127.0.0.1:6379'] }, 'blocked_address'],
    [{ brokers: ['10.0.0.1:9092'] }, 'blocked_address'],
    [{ brokers: ['kafka.invalid'] }, 'dns_failure'],
    [{ brokers: ['127.0.0.1:4'], saslMechanism: 'plain' }, 'authentication_failed'],
  ])('at %j is not delivered: %s', async (settings, errorCode) => {
    const result = await openSender().send(to({ topic: 'events', tls: false, ...settings }));
    expect(result).toMatchObject({ kind: 'error', errorCode });
  });
});

test('the doctor shows the client certificate, without which some brokers end TLS', async () => {
  const { key, cert, caPem: ca } = await receiverCertificate('good');
  const client = await receiverCertificate('client');
  // Without the certificate, the handshake fails in TLS 1.2, but only the connection after it in TLS 1.3.
  const mutual = { requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' as const };
  const server = createTlsServer({ key, cert, ca, ...mutual }, (socket) => {
    socket.on('error', () => undefined);
    socket.end();
  }).listen(0, '127.0.0.1');
  const sender = open({ rules, clock: systemClock });
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const examine = async (credentials: Record<string, string>) => {
      const record = createExaminationRecord(kafka.checks);
      const message = () => to({ brokers: [`127.0.0.1:${port}`], topic: 'events', ca }, { credentials });
      await sender.examine({ record, message, coversTime: true, timeoutMs: 5_000, leftMs: () => 10_000 });
      return Object.fromEntries(record.checks().map(({ name, outcome }) => [name, outcome]));
    };
    const credentials = { clientCertificate: client.cert, clientKey: client.key };
    expect(await examine(credentials)).toMatchObject({ tls: 'pass', certificate: 'pass' });
    expect(await examine({})).toMatchObject({ tls: 'fail' });
  } finally {
    sender.close();
    server.close();
  }
});

(hasKafka() ? describe : describe.skip)('a message to Kafka', () => {
  let broker: KafkaBroker;
  let sender: Destination;
  let admin: Admin;
  let ca: string;
  let destination: { brokers: string[]; topic: string; tls: boolean };

  beforeAll(async () => {
    const certificate = await (await makeOwnAuthority()).issue({ names: ['localhost', '127.0.0.1'] });
    ca = certificate.caPem;
    broker = await startKafka({ certificate });
    destination = { brokers: [broker.open], topic: 'events', tls: false };
    sender = open({ rules, allowPlaintext: true, clock: systemClock });
    admin = new Admin({ clientId: 'admin', bootstrapBrokers: [broker.open] });
    await makeTopics(admin, { topics: ['events', 'secure', 'killed'], partitions: 3 });
    await makeTopics(admin, { topics: ['secret'], partitions: 1 });
    const configs = [{ name: 'max.message.bytes', value: '10000' }];
    await makeTopics(admin, { topics: ['small'], partitions: 1, configs });
    // Write to `secret`, for somebody else only.
    const acl = {
      resourceType: 2,
      resourceName: 'secret',
      resourcePatternType: 3,
      operation: 4,
      permissionType: 3,
    } as const;
    await admin.createAcls({ creations: [{ ...acl, principal: 'User:somebody', host: '*' }] });
  }, 360_000);
  afterAll(async () => {
    sender?.close();
    await admin?.close();
    await broker?.stop();
  }, 60_000);

  /** All messages of a topic. */
  async function read(topic: string): Promise<Message[]> {
    const partitions = [0, 1, 2].map((partitionIndex) => ({ partitionIndex, timestamp: -1n }));
    const [listed] = await admin.listOffsets({ topics: [{ name: topic, partitions }] });
    const total = listed?.partitions.reduce((sum, { offset }) => sum + Number(offset), 0) ?? 0;
    const consumer = new Consumer({
      clientId: 'reader',
      groupId: `${topic}-${total}`,
      bootstrapBrokers: [broker.open],
    });
    const messages: Message[] = [];
    try {
      const stream = await consumer.consume({ topics: [topic], mode: 'earliest', autocommit: false });
      for await (const message of stream) {
        messages.push(message);
        if (messages.length >= total) break;
      }
    } finally {
      await consumer.close(true);
    }
    return messages;
  }

  test('is acknowledged with its offset, has the ordering key as its key, and can be verified as a webhook', async () => {
    const first = await sender.send(to(destination, { orderingKey: 'customer-7' }));
    const acknowledgement = { partition: expect.any(Number), offset: 0 };
    // A failure shows the whole result, with the words of the error.
    expect(first).toEqual(expect.objectContaining({ kind: 'acknowledged', status: null, acknowledgement }));
    const second = await sender.send(to(destination, { orderingKey: 'customer-7' }));
    const [at, next] = [first, second].map((one) => (one.kind === 'acknowledged' ? one.acknowledgement : {}));
    expect(next).toEqual({ partition: at?.partition, offset: 1 });
    await sender.send(to({ ...destination, key: '{{data.id}}-{{eventType}}' }));
    await sender.send(to(destination));
    const messages = await read('events');
    expect(messages.map(({ key }) => key.toString()).sort()).toEqual([
      ...['1-order.placed', 'customer-7', 'customer-7', 'msg_1'],
    ]);
    const { value, headers } = messages[0] ?? {};
    const named = Object.fromEntries([...(headers ?? [])].map(([name, text]) => [name.toString(), text.toString()]));
    expect(value?.toString()).toBe('{"id":1}');
    expect(named).toMatchObject({ 'webhook-id': 'msg_1', 'webhook-signature': 'v1,abc', 'application-id': 'app_1' });
  }, 60_000);

  test('without its optional settings goes over TLS, with PLAIN or SCRAM', async () => {
    const encrypted = open({ rules, clock: systemClock });
    const secure = { brokers: [broker.secure], topic: 'secure', ca };
    for (const saslMechanism of ['plain', 'scram-sha-256', 'scram-sha-512']) {
      const result = await encrypted.send(to({ ...secure, saslMechanism }, { credentials: KAFKA_USER }));
      expect([saslMechanism, result]).toMatchObject([saslMechanism, { kind: 'acknowledged' }]);
      const credentials = { ...KAFKA_USER, password: 'wrong-canary' };
      const refused = await encrypted.send(to({ ...secure, saslMechanism }, { credentials }));
      expect(refused).toMatchObject({ kind: 'error', errorCode: 'authentication_failed' });
      expect(JSON.stringify(refused)).not.toContain('canary');
    }
    const given = { credentials: KAFKA_USER };
    const untrusted = { brokers: [broker.secure], topic: 'secure', saslMechanism: 'plain' };
    expect(await encrypted.send(to(untrusted, given))).toMatchObject({ errorCode: 'tls_error' });
    expect(await encrypted.send(to({ ...untrusted, ca, topic: 'secret' }, given))).toMatchObject({
      errorCode: 'access_denied',
    });
    expect(await encrypted.send(to({ brokers: [broker.open], topic: 'secure' }))).toMatchObject({ kind: 'error' });
    expect(await encrypted.send(to({ ...untrusted, tls: false }, given))).toMatchObject({
      ...{ errorCode: 'tls_error', message: 'Connections without TLS are not allowed' },
    });
    encrypted.close();
  }, 60_000);

  test('is sent with a client certificate where the broker requires one', async () => {
    const mutual = { brokers: [broker.mutual], topic: 'secure', ca };
    const send = async (kind?: 'client' | 'self-signed') => {
      const { cert, key } = await receiverCertificate(kind ?? 'client');
      const credentials: Record<string, string> = kind === undefined ? {} : { clientCertificate: cert, clientKey: key };
      return sender.send(to(mutual, { credentials }));
    };
    expect(await send('client')).toMatchObject({ kind: 'acknowledged', remoteAddress: '127.0.0.1' });
    for (const result of [await send(), await send('self-signed')]) {
      expect(result).toMatchObject({ errorCode: 'tls_error', message: expect.stringContaining('client certificate') });
    }
  }, 60_000);

  test('goes to no broker that requires TLS without it', async () => {
    expect(await sender.send(to({ ...destination, brokers: [broker.secure] }))).toMatchObject({
      ...{ errorCode: 'connection_reset', message: expect.stringContaining('set tls to true') },
    });
  });

  test.each([
    [{ topic: 'nobody' }, {}, 'target_not_found'],
    [{ topic: 'small' }, { size: 20_000 }, 'message_too_large'],
  ])('to %j with %j is not delivered: %s', async (settings, given, errorCode) => {
    const result = await sender.send(to({ ...destination, ...settings }, given));
    expect(result).toMatchObject({ kind: 'error', errorCode });
  });

  test('goes to no address that the broker announces and the egress rules refuse', async () => {
    const result = await sender.send(to({ ...destination, brokers: [broker.elsewhere] }));
    expect(result).toMatchObject({ kind: 'error', errorCode: 'blocked_address', ends: 'blocked_address' });
  });

  test('is in the topic if it is acknowledged, even when the broker is killed in between', async () => {
    // One endpoint, and one delivery for each number.
    const { place } = to({ ...destination, topic: 'killed' });
    const sent = Array.from({ length: 400 }, (_, index) => String(index));
    const attempt = (id: string) => sender.send({ ...to({}, { body: Buffer.from(id) }), place });
    const results = sent.map(attempt);
    await Promise.any(results.map((result) => result.then(({ kind }) => kind === 'acknowledged' || Promise.reject())));
    await broker.kill();
    const ended = await Promise.all(results);
    await broker.start();
    // The broker answers before the partition has a leader again.
    await waitFor(async () => (await attempt('last')).kind === 'acknowledged', {
      what: 'a message after the start of the broker',
      timeoutMs: 60_000,
    });
    const there = new Set((await read('killed')).map(({ value }) => value.toString()));
    const acknowledged = sent.filter((_, index) => ended[index]?.kind === 'acknowledged');
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);
  }, 150_000);
});
