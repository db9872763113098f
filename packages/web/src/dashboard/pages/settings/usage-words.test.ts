import { expect, test } from '@jest/globals';
import { usageWords } from './usage-words.ts';

test('what is used is told with its limit, where there is one', () => {
  expect(usageWords({ used: 1_200, limit: 10_000 }, 'events')).toBe('1,200 of 10,000 events');
  expect(usageWords({ used: 0, limit: null }, 'bytes')).toBe('0 bytes');
});
