import { expect, test } from '@jest/globals';
import { countMatches } from './count-matches.ts';

test.each([
  ['{"id":"Order_1","note":"order"}', 'order', 2],
  ['a.c abc', '.', 1],
  ['abc', '', 0],
  ['abc', '  ', 0],
  ['abc', 'x', 0],
])('%j contains %j %i times', (text, searched, count) => {
  expect(countMatches(text, searched)).toBe(count);
});
