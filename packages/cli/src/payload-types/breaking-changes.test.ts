import { expect, test } from '@jest/globals';
import { breakingChanges } from './breaking-changes.ts';

const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };
const number = { type: 'number' };

test.each([
  ['a field that is new', object({ a: text }), object({ a: text, b: number }), []],
  ['a field that is required now', object({ a: text }), object({ a: text }, ['a']), []],
  ['a value that is no longer sent', { enum: ['a', 'b'] }, { enum: ['a'] }, []],
  ['whole numbers instead of numbers', number, { type: 'integer' }, []],
  ['one of two types', { type: ['string', 'null'] }, text, []],
  ['fixed values of several types instead of any', { type: ['string', 'integer'] }, { enum: ['a', 1] }, []],
  ['fixed texts instead of any', text, { enum: ['a'] }, []],
  ['a schema where there was none', null, object({ a: text }), []],
  ['a field that is gone', object({ a: text, b: number }), object({ a: text }), ['x /b: is no longer described']],
  ['a field that may be missing', object({ a: text }, ['a']), object({ a: text }), ['x /a: may now be missing']],
  ['another type', object({ a: text }), object({ a: number }), ['x /a: may now be a number; was a string']],
  ['null', text, { type: ['string', 'null'] }, ['x: may now be null; was a string']],
  ['a new value', { enum: ['a'] }, { enum: ['a', 'b'] }, ['x: may now be "b"']],
  [
    'a place in a list',
    { type: 'array', items: text },
    { type: 'array', items: number },
    ['x /*: may now be a number; was a string'],
  ],
  ['no schema any more', text, null, ['x: may now be anything; was a string']],
])('%s', (_what, before, after, expected) => {
  expect(breakingChanges([{ name: 'x', schema: before }], [{ name: 'x', schema: after }])).toEqual(expected);
});

test('an event that is no longer published breaks, and a new one does not', () => {
  const [a, b] = [
    { name: 'a', schema: text },
    { name: 'b', schema: text },
  ];
  expect(breakingChanges([a], [a, b])).toEqual([]);
  expect(breakingChanges([a, b], [a])).toEqual(['b: is no longer published']);
});
