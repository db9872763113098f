import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid, toId } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { parseSealingKeys, seal } from '@posthorn/crypto/seal';
import { newSigningSecret } from '@posthorn/crypto/signing-secret';
import type { Db } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import type { Sender } from '@posthorn/destinations/kind';
import { settleDeliveries } from '@posthorn/ledger/settle';
import { claimTestDelivery, createTestDelivery } from '@posthorn/ledger/test-deliveries';
import { createEndpointCache } from '@posthorn/messages/endpoint-cache';
import type { ProbeJob } from '@posthorn/queue/jobs';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase, type TestDatabase } from '@posthorn/testkit/database';
import { type EndpointRow, insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { openTransformer } from '@posthorn/transform/open-transformer';
import { Webhook } from 'standardwebhooks';
import { openLoopbackSender } from '../../test/loopback-sender.ts';
import { createReadLargePayload } from '../deliver/large-payloads.ts';
import { createMetrics } from '../metrics.ts';
import { createProbe } from './probe.ts';
import { type SendTestDeps, sendTest } from './send-test.ts';

const keys = parseSealingKeys(`test:${randomBytes(32).toString('base64')}`);
const body = Buffer.from('{"card":"canary-4242"}');

let database: TestDatabase;
let db: Db;
let receiver: Receiver;
let sender: Sender;
const transformer = openTransformer();
afterAll(() => transformer.close());
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  receiver = await startReceiver();
  sender = openLoopbackSender(receiver);
});
afterAll(async () => {
  sender.close();
  await receiver.close();
  await database.drop();
});

let endpoint: EndpointRow;
let secret: string;
beforeEach(async () => {
  receiver.requests.length = 0;
  receiver.respondWith(() => ({}));
  endpoint = await insertEndpoint(db);
  secret = newSigningSecret();
  const id = randomUUID();
  const sealed = seal(keys, Buffer.from(secret), sealContext.signingSecret(id));
  await db.signingSecret.create({ data: { id, endpointId: endpoint.endpointId, sealed: new Uint8Array(sealed) } });
  await change({ url: receiver.url });
});

const change = (data: Parameters<Db['endpoint']['update']>[0]['data']) =>
  db.endpoint.update({ where: { id: endpoint.endpointId }, data });

async function newTest() {
  const eventId = newUuid(new Date());
  const { workspaceId, environmentId, endpointId } = endpoint;
  const place = { workspaceId, environmentId, endpointId };
  const payload = new Uint8Array(seal(keys, body, sealContext.payload(eventId)));
  const event = { ...place, id: eventId, isTest: true, contentType: 'application/json', published: true };
  await db.event.create({ data: { ...event, payload, payloadSize: body.length } });
  const delivery = { ...place, deliveryId: newUuid(new Date()), eventId, eventType: null };
  await inTransaction(db, (transaction) => createTestDelivery(transaction, delivery));
  return delivery;
}

function testDeps(given: Partial<SendTestDeps> = {}): SendTestDeps {
  return {
    claimTest: (asked) => claimTestDelivery(db, asked, { defaultTimeoutSeconds: 15 }),
    settle: async (settlement) => (await settleDeliveries(db, [settlement]))[0] ?? { kind: 'stale' },
    endpoints: createEndpointCache(db, keys, systemClock),
    transformer,
    readLargePayload: createReadLargePayload(db),
    sender,
    live: { deliveryChanged: () => {} },
    stats: { countAttemptBytes: () => {} },
    keys,
    clock: systemClock,
    settings: { timeoutSeconds: 15, retentionDays: 7 },
    ...given,
  };
}

const read = ({ deliveryId }: { deliveryId: string }) => db.delivery.findUniqueOrThrow({ where: { id: deliveryId } });
const attemptsOf = ({ deliveryId }: { deliveryId: string }) => db.attempt.findMany({ where: { deliveryId } });

describe('a test', () => {
  test('is sent once with the event’s bytes, signed and numbered like any other delivery', async () => {
    const delivery = await newTest();
    const sent = await Promise.all([1, 2, 3].map(() => sendTest(testDeps(), delivery)));
    expect(sent.sort()).toEqual(['expired', 'expired', 'success']);
    const [request, ...others] = receiver.requests;
    expect([request?.body, others]).toEqual([body, []]);
    expect(request?.headers).toMatchObject({
      'webhook-id': toId('msg', delivery.eventId),
      'webhook-delivery-id': toId('dlv', delivery.deliveryId),
      'webhook-attempt': '1',
    });
    expect(new Webhook(secret).verify(request?.body ?? '', request?.headers as Record<string, string>)).toBeTruthy();
    expect(await read(delivery)).toMatchObject({ status: 'delivered', totalAttempts: 1 });
    expect(await attemptsOf(delivery)).toMatchObject([{ trigger: 'test', succeeded: true, responseStatus: 200 }]);
  });

  test('the bytes that its attempt keeps count for the workspace', async () => {
    const counted: [string, number][] = [];
    const stats = { countAttemptBytes: (...given: [string, number]) => void counted.push(given) };
    receiver.respondWith(() => ({ body: 'x'.repeat(5_000) }));
    const delivery = await newTest();
    expect(await sendTest(testDeps({ stats }), delivery)).toBe('success');
    const [attempt] = await attemptsOf(delivery);
    const sealed = (attempt?.responseBodySealed?.length ?? 0) + (attempt?.responseHeadersSealed?.length ?? 0);
    expect(sealed).toBeGreaterThan(5_000);
    expect(counted).toEqual([[endpoint.workspaceId, expect.any(Number)]]);
    expect(counted[0]?.[1]).toBeGreaterThan(sealed);
    expect(counted[0]?.[1]).toBeLessThan(sealed + 2_000);
  });

  test('docs/interface.md, Live view: live streams are told that it is being delivered, and that it has ended', async () => {
    const told: string[] = [];
    const live = { deliveryChanged: ({ deliveryId }: { deliveryId: string }) => void told.push(deliveryId) };
    const delivery = await newTest();
    let during: unknown;
    receiver.respondWith(() => {
      during = [...told];
      return {};
    });
    expect(await sendTest(testDeps({ live }), delivery)).toBe('success');
    expect([during, told]).toEqual([[delivery.deliveryId], [delivery.deliveryId, delivery.deliveryId]]);
    await db.signingSecret.deleteMany({ where: { endpointId: endpoint.endpointId } });
    const unsent = await newTest();
    expect(await sendTest(testDeps({ live }), unsent)).toBe('unsent');
    expect(told.slice(2)).toEqual([unsent.deliveryId, unsent.deliveryId]);
  });

  test('is sent to an inactive endpoint, and past its limits on rate and concurrency', async () => {
    await change({ isActive: false, config: { rateLimit: { limit: 1, periodSeconds: 3_600 }, maxConcurrency: 1 } });
    const deliveries = [await newTest(), await newTest()];
    for (const delivery of deliveries) expect(await sendTest(testDeps(), delivery)).toBe('success');
  });

  test.each([
    ['500', { status: 500 }],
    ['410', { status: 410 }],
    ['disable', { status: 500, headers: { 'webhook-delivery': 'disable' } }],
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '5' } }],
  ])(
    'that is answered %s ends as dead_letter, and changes neither the endpoint nor its health',
    async (_name, answer) => {
      receiver.respondWith(() => answer);
      const delivery = await newTest();
      expect(await sendTest(testDeps(), delivery)).toBe('failure');
      expect(await read(delivery)).toMatchObject({
        status: 'dead_letter',
        failureReason: 'retries_exhausted',
        dueAt: null,
      });
      const { endpointId } = endpoint;
      expect(await db.endpointHealth.count({ where: { endpointId } })).toBe(0);
      expect(await db.endpoint.findUnique({ where: { id: endpointId } })).toMatchObject({ isActive: true, version: 1 });
    },
  );

  test('to a forbidden address is not sent, and its attempt says so', async () => {
    await change({ url: 'https://10.0.0.1/' });
    const delivery = await newTest();
    expect(await sendTest(testDeps(), delivery)).toBe('failure');
    expect(await attemptsOf(delivery)).toMatchObject([{ errorCode: 'blocked_address', remoteAddress: null }]);
    expect(await read(delivery)).toMatchObject({ status: 'dead_letter', failureReason: 'retries_exhausted' });
  });

  test('that a shutdown aborts has ended, with an attempt that says so', async () => {
    const own = openLoopbackSender(receiver);
    receiver.respondWith(() => {
      own.abortAll();
      return { raw: () => {} };
    });
    const delivery = await newTest();
    expect(await sendTest(testDeps({ sender: own }), delivery)).toBe('failure');
    expect(await attemptsOf(delivery)).toMatchObject([{ errorCode: 'internal', succeeded: false }]);
    expect(await read(delivery)).toMatchObject({ status: 'dead_letter' });
    own.close();
  });

  test('without a request that can be made ends as failed, with no attempt', async () => {
    await db.signingSecret.deleteMany({ where: { endpointId: endpoint.endpointId } });
    const delivery = await newTest();
    expect(await sendTest(testDeps(), delivery)).toBe('unsent');
    expect(await read(delivery)).toMatchObject({ status: 'failed', failureReason: 'invalid_request' });
    expect(await attemptsOf(delivery)).toEqual([]);
  });
});

describe('a probe job', () => {
  const messages: string[] = [];
  const replies = {
    begun: async () => void messages.push('begun'),
    ended: async (_job: ProbeJob, reply: unknown) => void messages.push(`ended ${JSON.stringify(reply)}`),
  };
  const probe = () => {
    messages.length = 0;
    const doctor = { db } as Parameters<typeof createProbe>[0]['doctor'];
    const logger = { info: () => {} };
    const challenge = {} as Parameters<typeof createProbe>[0]['challenge'];
    const documents = {} as Parameters<typeof createProbe>[0]['documents'];
    const source = {} as Parameters<typeof createProbe>[0]['source'];
    const metrics = createMetrics();
    return createProbe({
      clock: systemClock,
      replies,
      logger,
      metrics,
      test: testDeps(),
      doctor,
      challenge,
      documents,
      source,
    });
  };
  const jobOf = (delivery: { deliveryId: string; eventId: string }, beginsInMs: number): ProbeJob => ({
    ...endpoint,
    ...delivery,
    kind: 'test',
    probeId: randomUUID(),
    replyTo: 'channel',
    beginsByMs: Date.now() + beginsInMs,
    endsByMs: Date.now() + 60_000,
  });

  test('tells that it has begun before it sends, and that it has ended, without the result', async () => {
    const delivery = await newTest();
    receiver.respondWith(() => {
      messages.push('request');
      return {};
    });
    await probe()(jobOf(delivery, 20_000));
    expect(messages).toEqual(['begun', 'request', 'ended null']);
  });

  test('that is taken too late sends nothing', async () => {
    const delivery = await newTest();
    await probe()(jobOf(delivery, -1));
    expect([messages, receiver.requests]).toEqual([[], []]);
    expect(await read(delivery)).toMatchObject({ status: 'pending' });
  });

  test('of a kind that this version does not know makes no request, and is answered at once', async () => {
    const kind = 'later' as ProbeJob['kind'];
    await probe()({ ...jobOf(await newTest(), 20_000), kind } as ProbeJob);
    expect([messages, receiver.requests]).toEqual([['begun', 'ended null'], []]);
  });
});
