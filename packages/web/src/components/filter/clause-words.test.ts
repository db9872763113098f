import { expect, test } from '@jest/globals';
import { clauseTree, holdsOf, leavesOf } from './clause-tree.ts';
import { filterWords, leafWords } from './clause-words.ts';

test.each([
  [{ total: { gte: 2_000 } }, 'total is at least 2000'],
  [{ 'data.currency': ['EUR', 'USD'], test: false }, 'data.currency is one of "EUR", "USD" and test is false'],
  [{ total: { gt: 1, lt: 5 }, note: { exists: false } }, 'total is above 1 and total is below 5 and note is absent'],
  [{ a: 1, or: [{ b: null }, { not: { c: { contains: 'x' } } }] }, 'a is 1 and (b is null or not (c contains "x"))'],
  [{ not: { or: [{ a: 1 }] } }, 'not (a is 1)'],
  [{ a: { constructor: 1 } }, 'a constructor 1'],
])('%j reads: %s', (filter, words) => {
  expect(filterWords(filter)).toBe(words);
});

test('every part has the place by which the service names it', () => {
  const tree = clauseTree('{"data.amount":{"gte":true},"note":"a","or":[{"b":["x"]},2]}');
  expect(tree && leavesOf(tree).map((leaf) => [leaf.place, leafWords(leaf)])).toEqual([
    ['data.amount.gte', 'data.amount is at least true'],
    ['note', 'note is "a"'],
    ['or[0].b', 'b is one of "x"'],
    ['or[1]', ' is 2'],
  ]);
});

test.each(['', '[]', 'null', '{"a":', `{"a":"${'x'.repeat(20_000)}"}`])('there is no summary of %.12j', (text) => {
  expect(clauseTree(text)).toBeUndefined();
});

test('a filter that is nested a thousand times is read without an overflow', () => {
  const deep = `${'{"not":'.repeat(1_000)}{"a":1}${'}'.repeat(1_000)}`;
  expect(clauseTree(deep)).toMatchObject({ kind: 'not' });
});

test.each([
  ['{"a":1,"b":2}', ['a', 'b'], true],
  ['{"a":1,"b":2}', ['a'], false],
  ['{"or":[{"a":1},{"b":2}]}', ['b'], true],
  ['{"not":{"a":1,"b":2}}', ['a'], true],
  ['{"not":{"a":1,"b":2}}', ['a', 'b'], false],
])('%s holds as a whole where %j hold: %s', (filter, paths, holds) => {
  const tree = clauseTree(filter);
  expect(tree && holdsOf(tree, ({ path }) => paths.includes(path))).toBe(holds);
  expect(tree && holdsOf(tree, () => undefined)).toBeUndefined();
});
