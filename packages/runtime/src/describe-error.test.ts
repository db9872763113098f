import { expect, test } from '@jest/globals';
import { describeError, toError } from './describe-error.ts';
import { errorFields } from './logger.ts';

test('the failures of several addresses are named, in an error in words and in a log line', () => {
  const failures = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}:5432`));
  const refused = 'connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432';
  expect(describeError(new AggregateError(failures))).toBe(refused);
  expect(errorFields(new AggregateError(failures))).toMatchObject({ error: refused, errorName: 'AggregateError' });
  const cause = new AggregateError(failures);
  expect(errorFields(new Error('away', { cause }))).toMatchObject({ error: 'away', cause: refused });
});

test('an error without a message is described by its name, and another value by its text', () => {
  expect(describeError(new TypeError())).toBe('TypeError');
  expect(describeError('a text')).toBe('a text');
});

test('an error that was thrown stays itself, and another value becomes the text of one', () => {
  const error = new TypeError('away');
  expect(toError(error)).toBe(error);
  expect(toError('a text')).toEqual(new Error('a text'));
});
