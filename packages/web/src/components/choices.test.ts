import { expect, test } from '@jest/globals';
import { byLabel, howToFindMore, optionsOf } from './choices.ts';

const option = (value: string) => ({ value, label: `https://${value}.example` });

test('the chosen option is offered, even when it is not among those that were read', () => {
  const read = [option('a'), option('b')];
  expect(optionsOf(read, option('b'), undefined)).toEqual(read);
  expect(optionsOf(read, option('z'), undefined)).toEqual([option('z'), ...read]);
  expect(optionsOf(read, undefined, undefined)).toEqual(read);
});

test('the last option of a list that is longer says how to find more, and cannot be chosen', () => {
  const options = optionsOf([option('a'), option('b')], undefined, 'Paste an id');
  const hint = { value: '', label: 'Paste an id', disabled: true };
  expect(options.at(-1)).toEqual(hint);
  expect(byLabel({ options, search: ' B.ex', limit: Number.POSITIVE_INFINITY })).toEqual([option('b'), hint]);
});

test('a list that is read to its limit, or could not be read on, offers another way and no further search', () => {
  const read = (pages: number, error: unknown = null) => ({
    data: { pages: Array.from({ length: pages }) },
    isFetching: false,
    error,
  });
  expect(howToFindMore(read(9), 'Paste an id.')).toBe('Type to find more');
  expect(howToFindMore(read(10), 'Paste an id.')).toBe('Only the first 1,000 are searched. Paste an id.');
  expect(howToFindMore(read(2, new Error('cut off')), 'Paste an id.')).toBe('Not all could be read. Paste an id.');
  expect(howToFindMore({ ...read(10), isFetching: true }, 'Paste an id.')).toBe('Searching …');
});
