import { expect, test } from '@jest/globals';
import { createBatchNumbers } from './live-numbers.ts';

const place = (number: number, given: { publisherId?: string; isLast?: boolean } = {}) => ({
  publisherId: 'one',
  number,
  isLast: false,
  ...given,
});

test('a number that skips or begins anew shows missing batches; the first one, the next and a repeated one do not', () => {
  const numbers = createBatchNumbers();
  const taken = [7, 8, 8, 9, 11, 12, 1, 2].map((number) => numbers.take('w', place(number)));
  expect(taken).toEqual([false, false, false, false, true, false, true, false]);
});

test('publishers and workspaces are numbered apart', () => {
  const numbers = createBatchNumbers();
  numbers.take('w', place(7));
  expect(numbers.take('w', place(3, { publisherId: 'two' }))).toBe(false);
  expect(numbers.take('v', place(3))).toBe(false);
  expect(numbers.take('w', place(8))).toBe(false);
});

test('a publisher that falls silent is told once for each of its workspaces; one that ended with its last batch is not', () => {
  const numbers = createBatchNumbers();
  numbers.take('w', place(1));
  numbers.take('v', place(1));
  numbers.take('w', place(1, { publisherId: 'ended' }));
  numbers.take('w', place(2, { publisherId: 'ended', isLast: true }));
  numbers.take('u', place(1));
  numbers.forget('u');
  const sweeps = Array.from({ length: 7 }, () => [...numbers.sweep()]);
  expect(sweeps).toEqual([[], [], [], [], ['w', 'v'], [], []]);
  // The publisher is back. Its numbers continue no earlier ones.
  expect(numbers.take('w', place(9))).toBe(false);
});
