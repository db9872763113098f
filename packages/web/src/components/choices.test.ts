import { expect, test } from '@jest/globals';
import { optionsOf } from './choices.ts';

const option = (value: string) => ({ value, label: `https://${value}.example` });

test('the chosen option is offered, also when it is not among those that were read', () => {
  const read = [option('a'), option('b')];
  expect(optionsOf(read, option('b'), false)).toEqual(read);
  expect(optionsOf(read, option('z'), false)).toEqual([option('z'), ...read]);
  expect(optionsOf(read, undefined, false)).toEqual(read);
});

test('the last option of a list that is longer says how to find more, and cannot be chosen', () => {
  expect(optionsOf([option('a')], undefined, true).at(-1)).toMatchObject({
    label: 'Type to find more',
    disabled: true,
  });
});
