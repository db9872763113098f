import { expect, test } from '@jest/globals';
import { createStay } from './duration-estimate.ts';

test('one is expected to last what those before it did, the latest weighing most', () => {
  const stay = createStay({ firstMs: 500, weight: 1 / 5 });
  expect(stay.expectedMs(1_000_000)).toBe(500);
  stay.began(0);
  stay.ended(20, 20);
  expect([stay.averageMs(), stay.expectedMs(1_000_000)]).toEqual([404, 404]);
});

test('while none ends, one is expected to last as long as none has', () => {
  const stay = createStay({ firstMs: 10, weight: 1 / 5 });
  stay.began(1_000);
  stay.began(9_000);
  expect([stay.averageMs(), stay.expectedMs(1_005), stay.expectedMs(16_000)]).toEqual([10, 10, 15_000]);
  stay.ended(16_000);
  expect(stay.expectedMs(16_001)).toBe(10);
});

test('what was idle before it began does not count', () => {
  const stay = createStay({ firstMs: 10, weight: 1 / 5 });
  stay.began(0);
  stay.ended(5, 10);
  stay.began(3_600_000);
  expect(stay.expectedMs(3_600_020)).toBe(20);
});
