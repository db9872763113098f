import { describe, expect, test } from '@jest/globals';
import { changedOf, choice, draftOf, list, number, pairs, pairsOf, plain, rebased, text, typedValue } from './draft.ts';

const SHAPE = {
  name: plain,
  inner: { host: text, tags: list(' '), mode: choice('basic') },
  port: number,
  labels: pairs,
};

describe('a draft', () => {
  const value = {
    name: 'a',
    inner: { host: 'h', tags: ['x', 'y'], mode: 'post', other: 1 },
    port: 2,
    labels: { k: 'v: w' },
  };

  test('that is not changed makes the same value', () => {
    expect(typedValue(SHAPE, draftOf(SHAPE, value), value)).toEqual(value);
    expect(typedValue(SHAPE, draftOf(SHAPE), {})).toEqual({ name: '' });
  });

  test('leaves out what is empty or the default, and keeps what the form does not know', () => {
    const typed = { ...draftOf(SHAPE), inner: { host: ' h2 ', tags: '  ', mode: 'basic' }, port: '7' };
    expect(typedValue(SHAPE, typed, { ...value, extra: true })).toEqual({
      ...{ name: '', inner: { host: 'h2', other: 1 }, port: 7, extra: true },
    });
  });

  test('leaves what was not typed as somebody else has set it in the meantime, at every depth', () => {
    const [start, now] = [draftOf(SHAPE, value), draftOf(SHAPE, { ...value, port: 9, inner: { host: 'theirs' } })];
    const typed = { ...start, name: 'b', inner: { ...start.inner, mode: 'basic', tags: 'z' } };
    expect(rebased(SHAPE, typed, start, now)).toEqual({
      ...now,
      ...{ name: 'b', inner: { host: 'theirs', tags: 'z', mode: 'basic' } },
    });
  });
});

test('only the keys that differ are changed', () => {
  expect(changedOf({ a: 1, b: ['x'], c: null }, { a: 1, b: ['y'], c: null })).toEqual({ b: ['y'] });
});

test('a pair is a line, and its value may have a colon', () => {
  expect(pairsOf('X-Team: billing: eu\n\n X-Empty')).toEqual({ 'X-Team': 'billing: eu', 'X-Empty': '' });
});
