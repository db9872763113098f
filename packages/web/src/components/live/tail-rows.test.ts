import { expect, test } from '@jest/globals';
import { released, type Tail, withAnswer, withRow } from './tail-rows.ts';

type Row = { id: string; status: string; updatedAt: string };

const row = (id: string, status = 'pending', second = 0): Row => ({
  id,
  status,
  updatedAt: new Date(second * 1_000).toISOString(),
});
const tail: Tail<Row> = { shown: [row('b'), row('a')], waiting: [] };

test('a new row is put on top', () => {
  expect(withRow(tail, row('c'), false).shown).toEqual([row('c'), row('b'), row('a')]);
});

test('a new row waits while the rows are held, and is put on top when they are released', () => {
  const held = withRow(tail, row('c'), true);
  expect(held).toEqual({ shown: tail.shown, waiting: [row('c')] });
  expect(released(held)).toEqual({ shown: [row('c'), row('b'), row('a')], waiting: [] });
});

test('a shown row changes where it stands, even while the rows are held', () => {
  expect(withRow(tail, row('a', 'delivered'), true)).toEqual({ shown: [row('b'), row('a', 'delivered')], waiting: [] });
});

test('a waiting row that changes is one row', () => {
  const held = withRow(withRow(tail, row('c'), true), row('c', 'delivered'), true);
  expect(held.waiting).toEqual([row('c', 'delivered')]);
});

test('at most 20 rows are shown', () => {
  let many: Tail<Row> = { shown: [], waiting: [] };
  for (let n = 0; n < 30; n += 1) many = withRow(many, row(String(n)), false);
  expect(many.shown.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, n) => String(29 - n)));
});

test('an answer that is older than a live row leaves that row as it is, shown or waiting', () => {
  const live = withRow(withRow(tail, row('a', 'delivered', 2), false), row('c', 'delivered', 3), true);
  const answer = [row('c', 'delivering', 1), row('b'), row('a', 'delivering', 1)];
  expect(withAnswer(live, answer, false)).toEqual(live);
});

test('an answer that is newer than a shown row replaces it where it stands', () => {
  const { shown } = withAnswer(tail, [row('b', 'failed', 5), row('a', 'delivered', 4)], false);
  expect(shown).toEqual([row('b', 'failed', 5), row('a', 'delivered', 4)]);
});

test('the rows of an answer stand below the newer ones that the live view told of before it arrived', () => {
  const live = withRow({ shown: [], waiting: [] }, row('d'), false);
  expect(withAnswer(live, [row('c'), row('b'), row('a')], false).shown.map(({ id }) => id)).toEqual([...'dcba']);
});

test('the rows that were created during a gap stand above those that were shown before it', () => {
  expect(withAnswer(tail, [row('d'), row('c'), row('b')], false).shown.map(({ id }) => id)).toEqual([...'dcba']);
  const held = withAnswer(tail, [row('d'), row('c'), row('b')], true);
  expect(held.waiting.map(({ id }) => id)).toEqual(['d', 'c']);
});

test('of a long answer at most 20 rows are shown', () => {
  const answer = Array.from({ length: 30 }, (_, n) => row(String(99 - n)));
  expect(withAnswer({ shown: [], waiting: [] }, answer, false).shown).toEqual(answer.slice(0, 20));
});

test('a row of an answer does not rise above newer ones because an older row that changed is on top', () => {
  const changed = withRow({ shown: [row('b')], waiting: [] }, row('0', 'delivered', 1), false);
  expect(withAnswer(changed, [row('b'), row('a')], false).shown.map(({ id }) => id)).toEqual([...'0ba']);
  const held = withAnswer(changed, [row('c'), row('b'), row('a')], true);
  expect([held.shown, held.waiting].map((rows) => rows.map(({ id }) => id))).toEqual([[...'0ba'], ['c']]);
});
