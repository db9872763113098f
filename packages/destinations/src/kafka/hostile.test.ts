import { afterEach, describe, expect, test } from '@jest/globals';
import { Writer } from '@platformatic/kafka';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { systemClock } from '@posthorn/runtime/clock';
import {
  API_VERSIONS,
  AUTHENTICATE,
  type Cluster,
  HANDSHAKE,
  METADATA,
  PRODUCE,
  serveKafka,
} from '@posthorn/testkit/hostile-kafka';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createExaminationRecord } from '../examination.ts';
import type { SendRequest } from '../kind.ts';
import { requestTo } from '../testing.ts';
import { kafka } from './describe.ts';
import { open } from './open.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a server, and returns how to send to one endpoint of it. */
async function serve(cluster: Cluster) {
  const { seen, port, close } = await serveKafka(cluster);
  const sender = open({ rules: parseAllowedCidrs('127.0.0.0/8'), allowPlaintext: true, clock: systemClock });
  closing.push(close, () => sender.close());
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
    // The server's writes fail as soon as the client has closed its socket.
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

describe('an answer that would let the process run for ever or out of memory is refused', () => {
  /** 2,147,483,646 elements, and a length that goes back by 7 bytes. */
  const [MANY, BACK] = [Buffer.of(0xff, 0xff, 0xff, 0xff, 0x07), Buffer.of(0xfa, 0xff, 0xff, 0xff, 0x0f)];
  const emptyMetadata = Writer.create()
    .appendTaggedFields()
    .appendInt32(0)
    .appendArray([], () => undefined)
    .appendString(null)
    .appendInt32(0).buffer;

  test.each([
    ['topics without end', METADATA, Buffer.concat([emptyMetadata, MANY, Buffer.alloc(2), BACK, Buffer.alloc(50)])],
    ['requests without end', API_VERSIONS, Buffer.concat([Buffer.alloc(2), MANY, Buffer.alloc(50)])],
    ['no requests', API_VERSIONS, Buffer.of(0, 0, 1, 0, 0, 0, 0, 0)],
    ['messages without end', PRODUCE, Buffer.concat([Buffer.of(0), MANY, BACK, Buffer.alloc(50)])],
  ])('%s', async (_name, key, answer) => {
    const { seen, sender, endpoint } = await serve({ answers: { [key]: () => answer } });
    expect(await sender.send(endpoint())).toMatchObject({
      ...{ kind: 'error', errorCode: 'protocol_error' },
      message: expect.stringContaining('cannot be read'),
    });
    expect(seen.requests.length).toBeLessThan(10);
  });

  test('a long text about signing in, which takes the library a time that grows with its square', async () => {
    const text = Writer.create()
      .appendTaggedFields()
      .appendInt16(0)
      .appendString(null)
      .appendBytes(Buffer.alloc(200_000, 'a'));
    const answer = text.appendInt64(0n).appendTaggedFields().buffer;
    const { sender, endpoint } = await serve({ answers: { [AUTHENTICATE]: () => answer } });
    const result = await sender.send(endpoint({ saslMechanism: 'scram-sha-256' }));
    expect(result).toMatchObject({ kind: 'error', message: expect.stringContaining('cannot be read') });
  });

  test('pieces of one byte are kept only as long as their keeping takes little', async () => {
    let sent = 0;
    const { sender, endpoint } = await serve({
      onMessage: (socket) => {
        socket.setNoDelay(true);
        const next = () => {
          if (socket.destroyed || sent === 200_000) return;
          sent += 1;
          socket.write(sent === 1 ? Buffer.of(0x7f, 0, 0, 0) : Buffer.of(0), () => setImmediate(next));
        };
        next();
      },
    });
    expect(await sender.send({ ...endpoint(), timeoutMs: 30_000 })).toMatchObject({ errorCode: 'connection_reset' });
    expect(sent).toBeLessThan(200_000);
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
