import { expect, test } from '@jest/globals';
import { usageWords } from './usage-words.ts';

test('what is used is told with its limit, where there is one', () => {
  expect(usageWords({ used: 1_200, limit: 10_000 }, 'event')).toBe('1,200 of 10,000 events');
  expect(usageWords({ used: 0, limit: null }, 'byte')).toBe('0 bytes');
  expect(usageWords({ used: 1, limit: null }, 'event')).toBe('1 event');
  expect(usageWords({ used: 1, limit: 10 }, 'event')).toBe('1 of 10 events');
});
