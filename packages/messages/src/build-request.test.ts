import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { DEFAULT_KIND } from '@posthorn/destinations/kinds';
import { Webhook } from 'standardwebhooks';
import { buildRequest, type RequestInput, redactHeaders } from './build-request.ts';

const now = new Date();
const soon = new Date(now.getTime() + 60_000);
const past = new Date(now.getTime() - 1);

function secret(expiresAt: Date | null = null) {
  const key = randomBytes(32);
  const words = `whsec_${key.toString('base64')}`;
  return { key, privateKey: null, expiresAt, text: Buffer.from(words), words };
}

function input(given: { [Part in 'event' | 'target']?: object } & { body?: Buffer } = {}): RequestInput {
  return {
    delivery: {
      deliveryId: '0193c5a1-7f00-7000-8000-000000000001',
      eventId: '0193c5a1-7f00-7000-8000-000000000002',
      attemptNumber: 3,
    },
    event: {
      eventType: 'order.created',
      idempotencyKey: 'order-7',
      orderingKey: null,
      contentType: 'application/json; charset=utf-8',
      ...given.event,
    },
    target: {
      endpointId: '0193c5a1-7f00-7000-8000-000000000003',
      workspaceId: '0193c5a1-7f00-7000-8000-000000000004',
      environmentId: '0193c5a1-7f00-7000-8000-000000000005',
      revision: 'first',
      url: 'https://receiver.test/hook?a=b',
      headers: {},
      secretHeaders: new Set(),
      payloadFormat: 'raw',
      authorization: null,
      secrets: [secret()],
      signature: undefined,
      standardHeaders: true,
      timeoutSeconds: null,
      retrySchedule: null,
      transformation: null,
      rateLimit: null,
      maxConcurrency: null,
      catchUp: 'paced',
      place: {
        ...{ kind: DEFAULT_KIND, endpointId: 'endpoint', owner: 'ws_1', revision: 'r', url: '' },
        ...{ settings: {}, credentials: {} },
      },
      ...given.target,
    },
    body: given.body ?? Buffer.from('{"total":1}'),
    now,
  };
}

describe('the request', () => {
  test('has exactly the headers of the contract', () => {
    const { url, headers } = buildRequest(input());
    expect(url).toBe('https://receiver.test/hook?a=b');
    expect(headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'user-agent': expect.stringMatching(/^Posthorn\/\d+\.\d+\.\d+/),
      'webhook-id': expect.stringMatching(/^msg_[0-9a-z]{26}$/),
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      'webhook-event-type': 'order.created',
      'webhook-delivery-id': expect.stringMatching(/^dlv_[0-9a-z]{26}$/),
      'webhook-attempt': '3',
      'idempotency-key': 'order-7',
    });
  });

  test('carries the body’s own bytes', () => {
    const body = Buffer.from([0xef, 0xbb, 0xbf, 0x00, 0xff, 0xfe]);
    expect(buildRequest(input({ body })).body).toBe(body);
  });

  test('leaves out a content type or event type that was not ingested', () => {
    const { headers } = buildRequest(input({ event: { eventType: null, contentType: null } }));
    expect(headers).not.toHaveProperty('content-type');
    expect(headers).not.toHaveProperty('webhook-event-type');
  });

  test('names the event when the producer sent no idempotency key', () => {
    const { headers } = buildRequest(input({ event: { idempotencyKey: null } }));
    expect(headers['idempotency-key']).toBe(headers['webhook-id']);
  });

  test('has the endpoint’s credentials and custom headers', () => {
    const { headers } = buildRequest(input({ target: { authorization: 'Basic YTpi', headers: { 'X-Tenant': '7' } } }));
    expect(headers).toMatchObject({ authorization: 'Basic YTpi', 'X-Tenant': '7' });
  });

  test('a stored header never replaces a header of the service', () => {
    const own = { 'webhook-id': 'mine', 'user-agent': 'mine', 'webhook-attempt': '9', 'idempotency-key': 'mine' };
    const { headers } = buildRequest(input({ target: { headers: own } }));
    expect(Object.values(headers)).not.toContain('mine');
    expect(headers['webhook-attempt']).toBe('3');
  });
});

describe('the official Standard Webhooks library', () => {
  test.each(['{"total":1}', '', 'plain text', '{"a":"\\u0000"}', '\uFEFF{"emoji":"🎺"}', 'x'.repeat(300_000)])(
    'verifies body %#',
    (text) => {
      const signing = secret();
      const { headers, body } = buildRequest(input({ body: Buffer.from(text), target: { secrets: [signing] } }));
      expect(() => new Webhook(signing.words).verify(body, headers, { jsonParse: false })).not.toThrow();
    },
  );

  test('verifies with each of two live secrets, but with no expired or foreign secret', () => {
    const [newest, older, expired] = [secret(), secret(soon), secret(past)];
    const { headers, body } = buildRequest(input({ target: { secrets: [newest, older, expired] } }));
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    const verify = (text: string) => () => new Webhook(text).verify(body, headers);
    for (const live of [newest, older]) expect(verify(live.words)).not.toThrow();
    for (const dead of [expired, secret()]) expect(verify(dead.words)).toThrow('No matching signature found');
  });

  test('refuses a body that was changed in transit', () => {
    const signing = secret();
    const { headers } = buildRequest(input({ target: { secrets: [signing] } }));
    expect(() => new Webhook(signing.words).verify('{"total":2}', headers)).toThrow('No matching signature found');
  });
});

test('no credential is stored: header values that may be credentials are redacted, the others are kept', () => {
  const headers = {
    authorization: 'Basic YTpi',
    Cookie: 'a=b',
    'X-Api-Key': 'k',
    'x-auth': 'k',
    'X-Access-Token': 'k',
    'x-client-secret': 'k',
    'X-Password': 'k',
    'x-tenant': 'kept',
    'webhook-id': 'kept',
    'webhook-signature': 'kept',
    'X-Plain': 'hidden',
    'x-hub-signature-256': 'kept',
  };
  const shown = redactHeaders({
    headers,
    secretHeaders: new Set(['x-plain']),
    signatureHeaders: new Set(['x-hub-signature-256']),
  });
  const redacted = Object.keys(shown).filter((name) => shown[name] === '[redacted]');
  expect(redacted).toEqual([
    'authorization',
    'Cookie',
    'X-Api-Key',
    'x-auth',
    'X-Access-Token',
    'x-client-secret',
    'X-Password',
    'X-Plain',
  ]);
  expect(Object.values(shown).filter((value) => value === 'kept')).toHaveLength(4);
});
