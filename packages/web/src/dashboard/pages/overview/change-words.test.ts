import { expect, test } from '@jest/globals';
import { changeWords, pointsWords, spanBefore } from './change-words.ts';

test('the span before ends where the shown one begins, and is as long', () => {
  const shown = { from: '2026-11-21T10:00:00.000Z', to: '2026-11-22T10:00:00.000Z' };
  const before = { from: '2026-11-20T10:00:00.000Z', to: '2026-11-21T10:00:00.000Z' };
  expect(spanBefore(shown.from, shown.to)).toEqual(before);
});

test.each([
  [112, 100, '+12 %'],
  [97, 100, '−3 %'],
  [0, 4, '−100 %'],
  [100, 100, '± 0 %'],
  [1_200, 100, '× 12'],
  [5, 0, undefined],
  [5, null, undefined],
])('%d after %j: %s', (now, before, words) => {
  expect(changeWords(now, before)).toBe(words);
});

test('a share changes by percentage points', () => {
  expect(pointsWords({ part: 990, whole: 1_000 }, { part: 994, whole: 1_000 })).toBe('−0.4 points');
  expect(pointsWords({ part: 1, whole: 1 }, { part: 0, whole: 0 })).toBeUndefined();
});
