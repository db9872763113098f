import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Writer } from '@platformatic/kafka';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { systemClock } from '@posthorn/runtime/clock';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createExaminationRecord } from '../examination.ts';
import type { SendRequest } from '../kind.ts';
import { requestTo } from '../testing.ts';
import { kafka } from './describe.ts';
import { open } from './open.ts';

// A server that speaks the protocol of Kafka, and describes or asks for more than a cluster would.

const PRODUCE = 0;
const METADATA = 3;
const HANDSHAKE = 17;
const API_VERSIONS = 18;
const AUTHENTICATE = 36;
/** The versions of the requests that the server answers. */
const VERSIONS: readonly [key: number, version: number][] = [
  [PRODUCE, 11],
  [METADATA, 12],
  [HANDSHAKE, 1],
  [API_VERSIONS, 3],
  [AUTHENTICATE, 2],
];

type Cluster = {
  /** Each leads one partition of every topic. */
  hosts?: string[];
  topics?: string[];
  lifetimeMs?: bigint;
  /** Refuses every password. */
  refuses?: boolean;
  /** Says that another broker is the leader. */
  isStale?: boolean;
  /** Instead of the answer to a message. */
  onMessage?: (socket: Socket) => void;
};

function answerTo(key: number, cluster: Cluster, port: number) {
  const { hosts = ['127.0.0.1'], topics = ['events'], lifetimeMs = 0n, refuses = false } = cluster;
  const writer = Writer.create();
  switch (key) {
    case API_VERSIONS:
      return writer
        .appendInt16(0)
        .appendArray([...VERSIONS], (w, [id, version]) => w.appendInt16(id).appendInt16(version).appendInt16(version))
        .appendInt32(0)
        .appendTaggedFields();
    case METADATA:
      return writer
        .appendTaggedFields()
        .appendInt32(0)
        .appendArray(hosts, (w, host, id) => w.appendInt32(id).appendString(host).appendInt32(port).appendString(null))
        .appendString('cluster')
        .appendInt32(0)
        .appendArray(topics, (w, name) => {
          w.appendInt16(0).appendString(name).appendUUID('12345678-1234-4234-8234-123456789012').appendBoolean(false);
          w.appendArray(hosts, (inner, _host, id) => {
            inner.appendInt16(0).appendInt32(id).appendInt32(id).appendInt32(0);
            for (let list = 0; list < 3; list += 1)
              inner.appendArray([id], (one, node) => one.appendInt32(node), true, false);
          });
          w.appendInt32(0);
        })
        .appendTaggedFields();
    case HANDSHAKE:
      return writer.appendInt16(0).appendArray(['PLAIN'], (w, name) => w.appendString(name, false), false, false);
    case AUTHENTICATE:
      return writer
        .appendTaggedFields()
        .appendInt16(refuses ? 58 : 0)
        .appendString(null)
        .appendBytes(Buffer.of(0))
        .appendInt64(lifetimeMs)
        .appendTaggedFields();
    default:
      return writer
        .appendTaggedFields()
        .appendArray(['events'], (w, topic) => {
          w.appendString(topic).appendArray([0], (inner, partition) => {
            inner
              .appendInt32(partition)
              .appendInt16(cluster.isStale ? 6 : 0)
              .appendInt64(7n)
              .appendInt64(-1n)
              .appendInt64(0n);
            inner.appendArray([], () => undefined).appendString(null);
          });
        })
        .appendInt32(0)
        .appendTaggedFields();
  }
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server, and how to send to one endpoint of it. */
async function serve(cluster: Cluster) {
  const seen = { sockets: new Set<Socket>(), connections: 0, requests: [] as number[], acks: [] as number[] };
  const server = createServer({ allowHalfOpen: cluster.refuses === true }, (socket) => {
    seen.connections += 1;
    seen.sockets.add(socket);
    socket.on('close', () => seen.sockets.delete(socket));
    socket.on('error', () => undefined);
    let rest = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 4 && rest.length >= rest.readInt32BE() + 4) {
        const [key, number] = [rest.readInt16BE(4), rest.readInt32BE(8)];
        // `acks` comes after the client's name, the empty tags and the absent transaction.
        if (key === PRODUCE) seen.acks.push(rest.readInt16BE(16 + rest.readInt16BE(12)));
        rest = rest.subarray(rest.readInt32BE() + 4);
        seen.requests.push(key);
        if (key === PRODUCE && cluster.onMessage !== undefined) cluster.onMessage(socket);
        else
          socket.write(
            Writer.create()
              .appendInt32(number)
              .appendFrom(answerTo(key, cluster, port))
              .prependLength().buffer,
          );
      }
    });
  });
  // Every address of the loopback network is this machine.
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as AddressInfo;
  const sender = open({ rules: parseAllowedCidrs('127.0.0.0/8'), allowPlaintext: true, clock: systemClock });
  closing.push(
    () => server.close(),
    () => sender.close(),
  );
  const endpoint = (more: object = {}): SendRequest =>
    requestTo(kafka, {
      settings: { brokers: [`127.0.0.1:${port}`], topic: 'events', tls: false, ...more },
      credentials: { username: 'events', password: 'canary' },
      timeoutMs: 5_000,
    });
  return { seen, sender, endpoint };
}

function withKey(request: SendRequest, orderingKey: string): SendRequest {
  return { ...request, message: { ...request.message, orderingKey } };
}

describe('a message to a cluster', () => {
  test('that has thousands of brokers leaves at most 100 connections open', async () => {
    const hosts = Array.from({ length: 250 }, (_, index) => `127.0.0.${index + 1}`);
    const { seen, sender, endpoint } = await serve({ hosts });
    const request = endpoint();
    for (let n = 0; n < 300; n += 1) {
      expect(await sender.send(withKey(request, `key-${n}`))).toMatchObject({ kind: 'acknowledged' });
    }
    await waitFor(async () => seen.sockets.size <= 100, { what: 'closed connections' });
    expect(seen.connections).toBeGreaterThan(100);
  });

  test('waits for all replicas in sync, not for the leader alone', async () => {
    const { seen, sender, endpoint } = await serve({});
    expect(await sender.send(endpoint())).toMatchObject({ kind: 'acknowledged' });
    expect(seen.acks).toEqual([-1]);
  });

  test('whose leader is gone asks again who leads', async () => {
    const { seen, sender, endpoint } = await serve({ onMessage: (socket) => socket.destroy() });
    const request = endpoint();
    const askAgain = async () => {
      expect(await sender.send(request)).toMatchObject({ kind: 'error' });
      return seen.requests.filter((key) => key === METADATA).length > 1;
    };
    await waitFor(askAgain, { what: 'another description of the cluster', timeoutMs: 10_000 });
  });

  test('that describes other topics is not delivered, so that they are not kept', async () => {
    const { sender, endpoint } = await serve({ topics: ['events', 'other'] });
    expect(await sender.send(endpoint())).toMatchObject({ kind: 'error', errorCode: 'broker_error' });
  });

  test.each([1n, 2n ** 40n])(
    'that lets a client sign in for %d ms does not make it sign in all the time',
    async (lifetimeMs) => {
      const { seen, sender, endpoint } = await serve({ lifetimeMs });
      const request = endpoint({ saslMechanism: 'plain' });
      for (let n = 0; n < 50; n += 1) expect(await sender.send(request)).toMatchObject({ kind: 'acknowledged' });
      expect(seen.requests.filter((key) => key === HANDSHAKE)).toHaveLength(seen.connections);
    },
  );

  test('that refuses the password and does not hang up leaves no socket open', async () => {
    const { seen, sender, endpoint } = await serve({ refuses: true });
    const result = await sender.send(endpoint({ saslMechanism: 'plain' }));
    expect(result).toMatchObject({ kind: 'error', errorCode: 'authentication_failed' });
    // What it writes is refused as soon as the client has closed its socket.
    await waitFor(() => ![...seen.sockets].some((socket) => socket.write('x')), { what: 'the end of the connection' });
  });

  test('that always names another leader does not make it read the description for every message', async () => {
    const { seen, sender, endpoint } = await serve({ isStale: true });
    const request = endpoint();
    for (let n = 0; n < 20; n += 1) expect(await sender.send(request)).toMatchObject({ kind: 'error' });
    expect(seen.requests.filter((key) => key === METADATA).length).toBeLessThan(10);
  });

  test('that sends an endless answer is given up, however many messages follow', async () => {
    let written = 0;
    const { sender, endpoint } = await serve({
      onMessage: (socket) => {
        if (written === 0) socket.write(Buffer.of(0x7f, 0, 0, 0));
        socket.write(Buffer.alloc(150_000), () => {
          written += 1;
        });
      },
    });
    const request = endpoint();
    const results = [sender.send(request)];
    for (let n = 1; n < 4; n += 1) {
      const ended = Promise.race(results);
      await Promise.race([ended, waitFor(async () => written >= n, { what: 'a piece of the answer' })]);
      results.push(sender.send(request));
    }
    for (const result of await Promise.all(results.slice(0, 2))) {
      expect(result).toMatchObject({ kind: 'error', errorCode: 'connection_reset' });
    }
  });
});

test('the doctor looks at every broker, and fails only if none can be reached', async () => {
  const { sender, endpoint } = await serve({});
  const { brokers } = endpoint().place.settings as { brokers: string[] };
  const examine = async (more: string[]) => {
    const record = createExaminationRecord(kafka.checks);
    const message = () => endpoint({ brokers: more });
    await sender.examine({ record, message, coversTime: true, timeoutMs: 5_000, leftMs: () => 10_000 });
    return Object.fromEntries(record.checks().map((check) => [check.name, check]));
  };
  for (const given of [
    [...brokers, '127.0.0.1:4'],
    ['127.0.0.1:4', ...brokers],
  ]) {
    expect(await examine(given)).toMatchObject({
      dns: { outcome: 'pass' },
      tcp: { outcome: 'warn', detail: expect.stringContaining('127.0.0.1:4: '), advice: expect.any(String) },
      tls: { outcome: 'skipped' },
      publish: { outcome: 'pass' },
    });
  }
  expect(await examine(['127.0.0.1:4', '127.0.0.1:2'])).toMatchObject({
    tcp: { outcome: 'fail' },
    target: { outcome: 'skipped' },
  });
});
