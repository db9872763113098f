import { expect, test } from '@jest/globals';
import { createSlowDelays } from './slow-endpoints.ts';

test('deliveries of a slow endpoint are due one after another, as its slots become free; those of others at once', () => {
  let nowMs = 0;
  const delay = createSlowDelays((id) => (id === 'slow' ? 400 : undefined), { monotonicMs: () => nowMs });
  expect(delay('quick')).toBe(0);
  expect([delay('slow'), delay('slow'), delay('slow')]).toEqual([0.5, 0.9, 1.3]);
  nowMs = 1_000;
  expect(delay('slow')).toBe(0.7);
});

test('none is due later than after a minute', () => {
  const delay = createSlowDelays(() => 50_000, { monotonicMs: () => 0 });
  expect([delay('slow'), delay('slow'), delay('slow')]).toEqual([50, 60, 60]);
});
