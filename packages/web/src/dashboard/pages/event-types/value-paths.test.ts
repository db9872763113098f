import { expect, test } from '@jest/globals';
import { valuePaths } from './value-paths.ts';

test('the paths of an example lead to its values, and a dot in a key is escaped', () => {
  const example = { order: { id: 'a', 'a.b': 1 }, tags: ['x'], lines: [{ sku: 'b' }], gone: null, paid: true };
  expect(valuePaths(example)).toEqual(['order.id', String.raw`order.a\.b`, 'tags', 'paid']);
});

test.each([[null], ['text'], [[]], [{}]])('an example of %j has none', (example) => {
  expect(valuePaths(example)).toEqual([]);
});
