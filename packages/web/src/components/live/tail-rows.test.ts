import { expect, test } from '@jest/globals';
import { released, withRow } from './tail-rows.ts';

const row = (id: string, status = 'pending') => ({ id, status });
const tail = { shown: [row('b'), row('a')], waiting: [] };

test('a new row is put on top', () => {
  expect(withRow(tail, row('c'), false).shown).toEqual([row('c'), row('b'), row('a')]);
});

test('a new row waits while the rows are held, and is put on top when they are released', () => {
  const held = withRow(tail, row('c'), true);
  expect(held).toEqual({ shown: tail.shown, waiting: [row('c')] });
  expect(released(held)).toEqual({ shown: [row('c'), row('b'), row('a')], waiting: [] });
});

test('a shown row changes where it stands, also while the rows are held', () => {
  expect(withRow(tail, row('a', 'delivered'), true)).toEqual({ shown: [row('b'), row('a', 'delivered')], waiting: [] });
});

test('a waiting row that changes is one row', () => {
  const held = withRow(withRow(tail, row('c'), true), row('c', 'delivered'), true);
  expect(held.waiting).toEqual([row('c', 'delivered')]);
});

test('at most 20 rows are shown', () => {
  let many: { shown: readonly { id: string; status: string }[]; waiting: readonly never[] } = {
    shown: [],
    waiting: [],
  };
  for (let n = 0; n < 30; n += 1) many = { ...withRow(many, row(String(n)), false), waiting: [] };
  expect(many.shown.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, n) => String(29 - n)));
});
