import { expect, test } from '@jest/globals';
import { waterfallPhases } from './waterfall-phases.ts';

const none = { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null };

test('phases follow one another, and the rest of the duration is the body', () => {
  const timings = { dnsMs: 2, connectMs: 3, tlsMs: 10, ttfbMs: 80 };
  expect(waterfallPhases({ timings, durationMs: 100, outcome: 'success' })).toEqual([
    { name: 'DNS', ms: 2, startMs: 0 },
    { name: 'TCP', ms: 3, startMs: 2 },
    { name: 'TLS', ms: 10, startMs: 5 },
    { name: 'First byte', ms: 80, startMs: 15 },
    { name: 'Body', ms: 5, startMs: 95 },
  ]);
});

test('a kept-alive connection has no DNS, TCP or TLS', () => {
  const timings = { ...none, ttfbMs: 7 };
  expect(waterfallPhases({ timings, durationMs: 7, outcome: 'success' })).toEqual([
    { name: 'First byte', ms: 7, startMs: 0 },
  ]);
});

test('an attempt without an answer shows the time until it failed', () => {
  const timings = { ...none, dnsMs: 5 };
  expect(waterfallPhases({ timings, durationMs: 5_000, outcome: 'failure' }).at(-1)).toEqual({
    name: 'Until it failed',
    ms: 4_995,
    startMs: 5,
  });
});

test('a success without phases, such as an attempt at a playground, does not say that it failed', () => {
  expect(waterfallPhases({ timings: none, durationMs: 40, outcome: 'success' })).toEqual([
    { name: 'Duration', ms: 40, startMs: 0 },
  ]);
});
