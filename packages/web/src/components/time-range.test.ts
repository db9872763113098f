import { expect, test } from '@jest/globals';
import { startOf } from './time-range.ts';

test('a range starts at a whole minute', () => {
  expect(startOf('1h', Date.parse('2026-11-21T09:30:59.999Z'))).toBe('2026-11-21T08:30:00.000Z');
  expect(startOf(undefined, 0)).toBeUndefined();
});
