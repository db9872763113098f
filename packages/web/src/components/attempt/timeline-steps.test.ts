import { expect, test } from '@jest/globals';
import type { Attempt } from '../../client/resources.ts';
import { timelineSteps } from './timeline-steps.ts';

const attempt = (id: string, startedAt: string): Attempt => ({
  id,
  number: 1,
  trigger: 'schedule',
  outcome: 'failure',
  startedAt,
  durationMs: 5,
  timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null },
  url: 'https://shop.example/',
  requestHeaders: {},
  requestBody: null,
  responseStatus: 500,
  responseHeaders: {},
  responseBody: null,
  responseTruncated: false,
  responseHidden: false,
  errorCode: 'http_status',
  errorMessage: null,
  remoteAddress: null,
  reconnected: false,
  acknowledgement: null,
});

test('a timeline goes from acceptance over each attempt to the next one', () => {
  const delivery = { createdAt: '2026-11-21T09:00:00.000Z', nextRetryAt: '2026-11-21T09:05:05.000Z' };
  const attempts = [attempt('att_1', '2026-11-21T09:00:00.050Z'), attempt('att_2', '2026-11-21T09:00:05.000Z')];
  const steps = timelineSteps(delivery, attempts);
  expect(steps.map(({ key, kind, gapMs }) => [key, kind, gapMs])).toEqual([
    ['accepted', 'accepted', 0],
    ['att_1', 'attempt', 50],
    ['att_2', 'attempt', 4_950],
    ['next', 'next', 300_000],
  ]);
});

test('a wide gap is folded, and a wider one is never shorter', () => {
  const lengths = [0, 100, 5_000, 300_000, 86_400_000, 432_000_000].map((gap) => {
    const createdAt = '2026-11-14T09:00:00.000Z';
    const next = new Date(Date.parse(createdAt) + gap).toISOString();
    return timelineSteps({ createdAt, nextRetryAt: next }, [])[1]?.lengthPx ?? 0;
  });
  expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
  expect([lengths.at(0), lengths.at(-1)]).toEqual([24, 120]);
});
