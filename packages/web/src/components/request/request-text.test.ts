import { expect, test } from '@jest/globals';
import { jsonSample } from '../sample/samples.ts';
import { type RequestInput, requestText } from './request-text.ts';

const INPUT: RequestInput = {
  url: 'https://example.com/hooks',
  format: 'raw',
  signature: 'standard',
  headers: { 'x-team': 'billing' },
  secretHeaderNames: ['x-api-key'],
  hasAuth: true,
  hasToken: false,
  workspaceId: 'ws_1',
  environmentId: 'env_1',
  type: 'order.created',
  sample: jsonSample('{\n  "total": 1.0\n}'),
  at: '2026-11-21T09:30:00.000Z',
};

function bodyOf(part: Partial<RequestInput>): string {
  return requestText({ ...INPUT, ...part }).body;
}

test('raw is the payload as it is written', () => {
  expect(bodyOf({ format: 'raw' })).toBe(INPUT.sample.text);
});

test('an envelope has the id, the type, the time and the payload', () => {
  expect(JSON.parse(bodyOf({ format: 'envelope' }))).toEqual({
    id: expect.stringMatching(/^msg_/),
    type: 'order.created',
    timestamp: INPUT.at,
    data: { total: 1 },
  });
});

test('a CloudEvent has its source and its content type', () => {
  expect(JSON.parse(bodyOf({ format: 'cloudevents' }))).toMatchObject({
    specversion: '1.0',
    source: '/workspaces/ws_1/environments/env_1',
    time: INPUT.at,
    datacontenttype: 'application/json',
    data: { total: 1 },
  });
});

test('the payload of an event stands with the id and the time of that event', () => {
  const event = { id: 'msg_7', createdAt: '2026-11-20T08:00:00.000Z' };
  expect(JSON.parse(bodyOf({ format: 'envelope', sample: { ...INPUT.sample, event } }))).toMatchObject({
    id: 'msg_7',
    timestamp: event.createdAt,
  });
});

test('what is no JSON goes into a form as base64', () => {
  const text = { ...INPUT.sample, text: 'é', contentType: 'text/plain' };
  expect(JSON.parse(bodyOf({ format: 'cloudevents', sample: text }))).toMatchObject({ data_base64: 'w6k=' });
  const bytes = { ...text, text: 'AAE=', isBase64: true };
  expect(JSON.parse(bodyOf({ format: 'envelope', sample: bytes }))).toMatchObject({ dataBase64: 'AAE=' });
});

test('the head has the headers, the names of the secret ones alone, and both signatures for Ed25519', () => {
  const { head } = requestText({ ...INPUT, signature: 'standard-ed25519' });
  expect(head).toContain('x-team: billing\nx-api-key: <secret>');
  expect(head).toContain('webhook-signature: v1,<HMAC-SHA256> v1a,<Ed25519>');
  expect(head).toContain('authorization: Basic <secret>');
});

test('a preset adds its headers, and the standard ones stay unless the endpoint leaves them out', () => {
  const both = requestText({ ...INPUT, signature: 'github' }).head;
  expect([both.includes('webhook-signature'), both.includes('x-hub-signature-256: sha256=')]).toEqual([true, true]);
  const alone = requestText({ ...INPUT, signature: 'slack', standardHeaders: false }).head;
  expect([alone.includes('webhook-id'), alone.includes('x-slack-signature: v0=')]).toEqual([false, true]);
  // The form drops `standardHeaders` when a standard signature is chosen.
  expect(requestText({ ...INPUT, standardHeaders: false }).head).toContain('webhook-signature: v1,<HMAC-SHA256>');
});

test('an HMAC of your own form has each of its headers', () => {
  const own = { scheme: 'hmac', header: 'X-Sig', form: 't={timestamp},v1={signature}' } as const;
  const { head } = requestText({ ...INPUT, signature: { ...own, timestampHeader: 'X-Time', idHeader: 'X-Id' } });
  expect(head).toMatch(/^x-id: msg_\w+\nx-time: <unix seconds>\nx-sig: t=<unix seconds>,v1=<HMAC>$/m);
  expect(requestText({ ...INPUT, signature: { scheme: 'hmac', header: 'X-Sig' } }).head).toMatch(/^x-sig: <HMAC>$/m);
});

test('an endpoint with OAuth 2 gets a token with each request', () => {
  const { head } = requestText({ ...INPUT, hasAuth: false, hasToken: true });
  expect(head).toContain('authorization: Bearer <token>');
  expect(head).not.toContain('Basic');
});
