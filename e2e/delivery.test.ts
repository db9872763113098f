/** @queues redis postgres */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { createIngest, type Ingest } from '@posthorn/testkit/ingest-client';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { waitFor } from '@posthorn/testkit/wait-for';
import { Webhook } from 'standardwebhooks';

let receiver: Receiver;
let stack: Stack;
let client: ApiClient;
let ingest: Ingest;
beforeAll(async () => {
  receiver = await startReceiver();
  const settings = { RETRY_SCHEDULE: '1,1', SWEEP_INTERVAL_MS: '500' };
  stack = await startStack({ settings });
  client = createApiClient({ ...stack, baseUrl: stack.api.url });
  ingest = createIngest(stack);
}, 60_000);
afterAll(async () => {
  await stack.stop();
  await receiver.close();
}, 60_000);

let path = 0;
let subscribed: { endpointId: string; secret: string; eventTypeId: string };
/** The requests to this test's endpoint. */
let requests: () => Receiver['requests'];
beforeEach(async () => {
  path += 1;
  const own = `/test-${path}`;
  subscribed = await client.subscribeEndpoint({ url: new URL(own, receiver.url).href, eventType: `test.n${path}` });
  requests = () => receiver.requests.filter((request) => request.url === own);
  receiver.respondWith(() => ({}));
});

const received = (count = 1) => waitFor(() => requests().length >= count && requests(), { what: `${count} requests` });
const sendDirect: Ingest = (_path, body, headers) => ingest(subscribed.endpointId, body, headers);
const endpoint = async () => (await client.call('GET', `/endpoints/${subscribed.endpointId}`)).body;

type DeliveryBody = { status: string; failureReason: string | null; id: string; totalAttempts: number };

async function deliveries(): Promise<DeliveryBody[]> {
  const path = `/endpoints/${subscribed.endpointId}/deliveries`;
  return (await client.call<{ deliveries: DeliveryBody[] }>('GET', path)).body.deliveries;
}

const delivery = async () => (await deliveries())[0] as DeliveryBody;

const hasEnded = ({ status }: DeliveryBody) => !['pending', 'delivering', 'scheduled_retry'].includes(status);

const ended = () =>
  waitFor(
    async () => {
      const one = await delivery();
      return one !== undefined && hasEnded(one) && one;
    },
    { what: 'the delivery to end' },
  );

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const bodies: [name: string, contentType: string | undefined, body: Buffer][] = [
  ['duplicate keys', 'application/json', Buffer.from('{"a":1,"a":2, "b" : [1,2 ]}')],
  ['big and odd numbers', 'application/json', Buffer.from('{"n":123456789012345678901234567890,"x":1e400,"z":-0.0}')],
  ['an escaped NUL', 'application/json; charset=utf-8', Buffer.from('{"a":"\\u0000"}')],
  ['a lone surrogate escape', 'application/json', Buffer.from('{"a":"\\ud800"}')],
  ['white space around', 'application/json', Buffer.from('\r\n\t {"a":1}\n\n')],
  ['deep nesting', 'application/json', Buffer.from(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)],
  ['a bare text', 'application/json', Buffer.from('"🎺"')],
  ['not JSON', 'text/plain; charset=iso-8859-1', Buffer.from([0x66, 0xfc, 0x72])],
  ['every byte', 'application/octet-stream', Buffer.from(Array.from({ length: 256 }, (_, n) => n))],
  ['a BOM', 'text/csv', Buffer.from('\uFEFFa,b\r\n')],
  ['a form', 'application/x-www-form-urlencoded', Buffer.from('a=1&a=2')],
  ['nothing, as JSON', 'application/json', Buffer.alloc(0)],
  ['nothing, of no type', undefined, Buffer.alloc(0)],
  ['bytes of no type', undefined, Buffer.from([0, 1, 2, 255])],
  ['256 KiB', 'application/octet-stream', Buffer.alloc(262_144, 7)],
];

describe('the form of a request', () => {
  test('is a CloudEvent with an asymmetric signature and secret headers, where the endpoint asks for it', async () => {
    const config = { payloadFormat: 'cloudevents', signature: 'standard-ed25519' };
    const secretHeaders = { 'X-Tenant': 'hidden-value' };
    const changed = await client.call('PATCH', `/endpoints/${subscribed.endpointId}`, { config, secretHeaders });
    expect(changed.status).toBe(200);
    const { publicKey } = (await client.call<{ publicKey: string }>('GET', `/endpoints/${subscribed.endpointId}`)).body;
    expect((await ingest(`event/test.n${path}`, '{"total": 1.0}')).status).toBe(202);
    const [request] = await received();
    expect(request?.headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
    expect(request?.headers['x-tenant']).toBe('hidden-value');
    expect(request?.body.toString()).toMatch(/"type":"test\.n\d+",.*"data":{"total": 1\.0}}$/);
    const headers = request?.headers as Record<string, string>;
    expect(() => new Webhook(subscribed.secret).verify(request?.body ?? '', headers)).not.toThrow();
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature = '' } = headers;
    const [, asymmetric = ''] = /v1a,(\S+)/.exec(signature) ?? [];
    const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), request?.body ?? Buffer.alloc(0)]);
    expect(verify(null, content, key, Buffer.from(asymmetric, 'base64'))).toBe(true);
    await ended();
    const { body: attempts } = await client.call<{ requestHeaders: object }[]>(
      'GET',
      `/deliveries/${(await delivery()).id}/attempts`,
    );
    expect(attempts[0]?.requestHeaders).toMatchObject({ 'X-Tenant': '[redacted]' });
  });
});

describe('an event arrives', () => {
  test('signed, with the headers of the contract, and is seen as delivered', async () => {
    const body = '{"total":1}';
    const accepted = await ingest(`event/test.n${path}`, body, {
      'content-type': 'application/json',
      'idempotency-key': `order-${path}`,
    });
    expect(accepted.status).toBe(202);
    const [request] = await received();
    expect(request?.method).toBe('POST');
    const headers = request?.headers as Record<string, string>;
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(body.length),
      'webhook-id': accepted.body.id,
      'webhook-event-type': `test.n${path}`,
      'webhook-attempt': '1',
      'idempotency-key': `order-${path}`,
      'user-agent': expect.stringMatching(/^Posthorn\//),
    });
    expect(new Webhook(subscribed.secret).verify(request?.body ?? '', headers)).toEqual({ total: 1 });
    const one = await ended();
    expect(one).toMatchObject({ status: 'delivered', totalAttempts: 1, id: headers['webhook-delivery-id'] });
  });

  test.each(bodies)('with its bytes unchanged: %s', async (_name, contentType, body) => {
    const accepted = await sendDirect('', body, contentType === undefined ? {} : { 'content-type': contentType });
    expect([accepted.status, accepted.body.error]).toEqual([202, undefined]);
    const [request] = await received();
    expect(sha256(request?.body ?? Buffer.from('none'))).toBe(sha256(body));
    expect(request?.headers['content-type']).toBe(contentType);
    expect(request?.headers['content-length']).toBe(String(body.length));
    expect(request?.headers['webhook-event-type']).toBeUndefined();
    // The library reads bytes as UTF-8. Other tests check the signatures of other bytes.
    if (Buffer.from(body.toString()).equals(body)) {
      const headers = request?.headers as Record<string, string>;
      new Webhook(subscribed.secret).verify(request?.body ?? '', headers, { jsonParse: false });
    }
  });

  test('with signatures of the old and new secret after a rotation, while the old one is valid', async () => {
    const path = `/endpoints/${subscribed.endpointId}/secret/rotate`;
    const rotated = await client.call<{ secret: string }>('POST', path, {});
    expect(rotated.status).toBe(200);
    await sendDirect('', '{}');
    const [request] = await received();
    const headers = request?.headers as Record<string, string>;
    for (const secret of [subscribed.secret, rotated.body.secret]) new Webhook(secret).verify('{}', headers);
  });

  test('again after a failure, with the same id, another attempt number and a new signature', async () => {
    receiver.respondWith(() => ({ status: requests().length === 1 ? 500 : 204 }));
    await sendDirect('', '{}');
    const [first, second] = await received(2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect([first, second].map((request) => request?.headers['webhook-attempt'])).toEqual(['1', '2']);
    new Webhook(subscribed.secret).verify('{}', second?.headers as Record<string, string>);
    expect(await ended()).toMatchObject({ status: 'delivered', totalAttempts: 2 });
  });

  test('once for each step of the schedule, and is then a dead letter', async () => {
    receiver.respondWith(() => ({ status: 503 }));
    await sendDirect('', '{}');
    expect(await ended()).toMatchObject({
      status: 'dead_letter',
      failureReason: 'retries_exhausted',
      totalAttempts: 3,
    });
    expect(requests()).toHaveLength(3);
  });
});

describe('the answer of the receiver', () => {
  const disabledEntries = () =>
    stack.db.auditEntry.findMany({ where: { resourceId: subscribed.endpointId, action: 'endpoint.disabled' } });

  test.each([
    ['410', { status: 410 }, 'gone', { status: 'failed', failureReason: 'gone' }],
    [
      'disable',
      { status: 400, headers: { 'webhook-delivery': 'disable' } },
      'receiver',
      { status: 'failed', failureReason: 'aborted_by_receiver' },
    ],
    [
      'disable with a 2xx',
      { status: 200, headers: { 'webhook-delivery': 'disable' } },
      'receiver',
      { status: 'delivered', failureReason: null },
    ],
  ])('%s deactivates the endpoint, with one audit entry by system', async (_name, answer, disabledReason, expected) => {
    receiver.respondWith(() => answer);
    await Promise.all([1, 2, 3, 4, 5].map(() => sendDirect('', '{}')));
    const all = await waitFor(
      async () => {
        const list = await deliveries();
        return list.length === 5 && list.every(hasEnded) && list;
      },
      { what: 'all five to end' },
    );
    // Deliveries that had not started before the first response are not sent.
    const notSent = { status: 'failed', failureReason: 'endpoint_inactive' };
    const outcomes = all.map(({ status, failureReason }) => ({ status, failureReason }));
    expect(outcomes).toContainEqual(expected);
    for (const outcome of outcomes) expect([expected, notSent]).toContainEqual(outcome);
    expect(await endpoint()).toMatchObject({ isActive: false, disabledReason });
    expect(await disabledEntries()).toMatchObject([{ actorType: 'system' }]);
  });

  test('abort-message ends only that delivery', async () => {
    receiver.respondWith(() => ({ status: 500, headers: { 'webhook-delivery': 'abort-message' } }));
    await sendDirect('', '{}');
    expect(await ended()).toMatchObject({ status: 'failed', failureReason: 'aborted_by_receiver', totalAttempts: 1 });
    expect(await endpoint()).toMatchObject({ isActive: true });
    expect(await disabledEntries()).toEqual([]);
  });

  test.each([301, 302, 303, 307, 308])('%i to another URL is a failure, and is not followed', async (status) => {
    const canary = new URL('/canary', receiver.url).href;
    receiver.respondWith(() => ({ status, headers: { location: canary } }));
    await client.call('PATCH', `/endpoints/${subscribed.endpointId}`, { config: { retrySchedule: [] } });
    await sendDirect('', '{}');
    expect(await ended()).toMatchObject({ status: 'dead_letter' });
    expect(receiver.requests.some((request) => request.url === '/canary')).toBe(false);
  });

  test('Retry-After delays the next attempt', async () => {
    receiver.respondWith(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
    await sendDirect('', '{}');
    await received();
    const one = await waitFor(
      async () => {
        const found = await delivery();
        return found.status === 'scheduled_retry' && (found as { nextRetryAt?: string });
      },
      { what: 'the retry to be set' },
    );
    const inSeconds = (Date.parse(one.nextRetryAt ?? '') - Date.now()) / 1_000;
    expect(inSeconds).toBeGreaterThan(3_500);
    expect(inSeconds).toBeLessThanOrEqual(3_631);
  });
});

describe('nothing is sent', () => {
  test('to an inactive endpoint: direct ingestion is accepted, and its delivery failed', async () => {
    await client.call('PATCH', `/endpoints/${subscribed.endpointId}`, { isActive: false });
    const accepted = await sendDirect('', '{}');
    expect(accepted.status).toBe(202);
    expect(await ended()).toMatchObject({
      id: accepted.body.deliveryId,
      status: 'failed',
      failureReason: 'endpoint_inactive',
      totalAttempts: 0,
    });
    expect(requests()).toEqual([]);
  });

  test('of an event whose type is no longer published in the environment', async () => {
    const before = await ingest(`event/test.n${path}`, '{}');
    expect(before.body).toMatchObject({ published: true });
    await received();
    const visibility = `/environments/${stack.environmentId}/event-types/${subscribed.eventTypeId}/visibility`;
    await client.call('PUT', visibility, { published: false });
    const after = await waitFor(
      async () => {
        const reply = await ingest(`event/test.n${path}`, '{}');
        return reply.body.published === false && reply;
      },
      { what: 'the change to take hold' },
    );
    await sendDirect('', '{}');
    const seen = await waitFor(() => requests().find((one) => one.headers['webhook-event-type'] === undefined), {
      what: 'a later, direct event',
    });
    expect(seen.headers['webhook-id']).not.toBe(after.body.id);
    expect(requests().map((one) => one.headers['webhook-id'])).not.toContain(after.body.id);
  });

  test('of a payload that cannot be opened: that delivery fails with this reason, the next one arrives', async () => {
    let fail = () => {};
    const isBroken = new Promise<{ status: number }>((resolve) => {
      fail = () => resolve({ status: 500 });
    });
    // The first attempt fails only after the payload is broken, so that the retry finds it broken.
    receiver.respondWith(() => (requests().length === 1 ? isBroken : {}));
    const broken = await sendDirect('', '{"broken":true}');
    await received();
    const { id } = await stack.db.event.findFirstOrThrow({ orderBy: { id: 'desc' } });
    await stack.db.$executeRaw`
      update event set payload = set_byte(payload, length(payload) - 1, get_byte(payload, length(payload) - 1) # 1)
      where id = ${id}::uuid`;
    fail();
    await sendDirect('', '{"broken":false}');
    await received(2);
    const one = await waitFor(
      async () => {
        const found = await client.call('GET', `/deliveries/${broken.body.deliveryId}`);
        return found.body.status === 'failed' && found.body;
      },
      { what: 'the broken delivery to fail' },
    );
    expect(one).toMatchObject({ failureReason: 'payload_unreadable', totalAttempts: 1 });
    expect(requests().map((request) => request.body.toString())).toEqual(['{"broken":true}', '{"broken":false}']);
  });
});

test('to a blocked address: the delivery fails', async () => {
  // The endpoint was saved while the range was allowed; the only dispatcher does not allow it.
  await Promise.all(stack.dispatchers.map((dispatcher) => dispatcher.end('SIGTERM')));
  await stack.startDispatcher({ EGRESS_ALLOW_CIDRS: '' });
  await sendDirect('', '{}');
  expect(await ended()).toMatchObject({ status: 'failed', failureReason: 'blocked_address', totalAttempts: 1 });
  expect(requests()).toEqual([]);
  const one = await delivery();
  const attempts = await client.call('GET', `/deliveries/${one.id}/attempts`);
  expect(attempts.body).toMatchObject([{ errorCode: 'blocked_address', responseStatus: null, remoteAddress: null }]);
  expect(JSON.stringify(attempts.body)).not.toContain('127.0.0.1');
});
