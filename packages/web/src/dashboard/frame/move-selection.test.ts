import { expect, test } from '@jest/globals';
import { moveSelection } from './move-selection.ts';

test('an arrow key selects the next finding, and stays in the list', () => {
  expect([moveSelection(0, 'ArrowDown', 2), moveSelection(1, 'ArrowDown', 2), moveSelection(0, 'ArrowUp', 2)]).toEqual([
    1, 1, 0,
  ]);
});

test('before the first finding has come, an arrow key leaves the first one selected', () => {
  expect([moveSelection(0, 'ArrowDown', 0), moveSelection(0, 'ArrowUp', 0)]).toEqual([0, 0]);
});
