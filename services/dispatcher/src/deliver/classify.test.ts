import { describe, expect, test } from '@jest/globals';
import type { EndingFailure, SendErrorCode } from '@posthorn/destinations/failure';
import { classify, type EndedResult } from './classify.ts';

const now = new Date('2026-11-21T10:00:00.000Z');
const measures = {
  durationMs: 1,
  timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null },
  remoteAddress: null,
};

function answered(status: number, headers: Record<string, string | string[]> = {}): EndedResult {
  return { kind: 'response', status, headers, body: Buffer.alloc(0), truncated: false, ...measures };
}

function failed(errorCode: SendErrorCode, ends?: EndingFailure): EndedResult {
  return { kind: 'error', errorCode, message: 'It failed', response: null, ...measures, ...(ends && { ends }) };
}

describe('the meaning of an answer', () => {
  test.each([200, 201, 202, 204, 206, 226, 299])('%i is success', (status) => {
    const verdict = classify(answered(status), now);
    expect(verdict).toEqual({ outcome: { kind: 'delivered' }, retryAfterSeconds: undefined, disable: undefined });
  });

  test.each([100, 199, 300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 408, 409, 418, 429, 500, 502, 503, 599])(
    '%i is a failure that is retried',
    (status) => {
      const verdict = classify(answered(status), now);
      expect(verdict).toEqual({ outcome: { kind: 'failed' }, retryAfterSeconds: undefined, disable: undefined });
    },
  );

  test('410 ends the delivery and deactivates the endpoint as gone', () => {
    const verdict = classify(answered(410, { 'webhook-delivery': 'disable' }), now);
    expect(verdict).toMatchObject({ outcome: { kind: 'ended', reason: 'gone' }, disable: 'gone' });
  });

  test.each([400, 429, 500])('disable with %i ends the delivery and deactivates the endpoint', (status) => {
    const verdict = classify(answered(status, { 'webhook-delivery': 'disable' }), now);
    expect(verdict).toMatchObject({ outcome: { kind: 'ended', reason: 'aborted_by_receiver' }, disable: 'receiver' });
  });

  test('abort-message ends only the delivery', () => {
    const verdict = classify(answered(500, { 'webhook-delivery': 'abort-message' }), now);
    expect(verdict).toMatchObject({ outcome: { kind: 'ended', reason: 'aborted_by_receiver' }, disable: undefined });
  });

  test.each([
    ['disable', 'receiver'],
    ['abort-message', undefined],
  ])('with a 2xx, %s leaves the delivery delivered', (wish, disable) => {
    const verdict = classify(answered(200, { 'webhook-delivery': wish }), now);
    expect(verdict).toMatchObject({ outcome: { kind: 'delivered' }, disable });
  });

  test('an unknown webhook-delivery value is ignored', () => {
    const verdict = classify(answered(500, { 'webhook-delivery': 'faster' }), now);
    expect(verdict).toMatchObject({ outcome: { kind: 'failed' }, disable: undefined });
  });
});

test.each([
  [429, 120],
  [503, 120],
  [500, undefined],
  [302, undefined],
  [200, undefined],
])('Retry-After on %i asks for %p seconds', (status, seconds) => {
  expect(classify(answered(status, { 'retry-after': '120' }), now).retryAfterSeconds).toBe(seconds);
});

test('the first Retry-After counts when it was sent twice', () => {
  expect(classify(answered(503, { 'retry-after': ['120', '60'] }), now).retryAfterSeconds).toBe(120);
});

test.each<SendErrorCode>([
  'timeout',
  'dns_failure',
  'connection_refused',
  'connection_reset',
  'tls_error',
  'too_large',
  'protocol_error',
  'internal',
])('%s is retried', (errorCode) => {
  expect(classify(failed(errorCode), now).outcome).toEqual({ kind: 'failed' });
});

test('a failure that would always be the same ends the delivery', () => {
  expect(classify(failed('blocked_address', 'blocked_address'), now).outcome).toEqual({
    kind: 'ended',
    reason: 'blocked_address',
  });
});
