import { expect, test } from '@jest/globals';
import { searchWords } from './search-words.ts';

const state = { searched: 'acme', isReading: false, hasFailed: false, count: 0 };

test('the search says what it found', () => {
  expect(searchWords({ ...state, searched: '' })).toContain('Type a name');
  expect(searchWords({ ...state, isReading: true })).toBe('Searching …');
  expect([0, 1, 2].map((count) => searchWords({ ...state, count }))).toEqual([
    'Nothing was found.',
    'One finding. Enter opens it.',
    '2 findings. Enter opens the selected one.',
  ]);
});

test('a search that failed is not one that found nothing', () => {
  expect(searchWords({ ...state, hasFailed: true })).toContain('Not everything could be searched');
});
