import { expect, test } from '@jest/globals';
import { apiErrorOf, fieldProblem, isUnread, problemsBeyond } from './api-error.ts';

const refusal = (status: number) => apiErrorOf({ status, headers: new Headers() }, null);

test('a page says that a thing is gone when its refetch finds it deleted, and keeps it over any other failure', () => {
  const read = { id: 'ep_1' };
  expect(isUnread({ data: read, error: refusal(404) })).toBe(true);
  expect(isUnread({ data: read, error: refusal(503) })).toBe(false);
  expect(isUnread({ data: undefined, error: refusal(503) })).toBe(true);
  expect(isUnread({ data: undefined, error: null })).toBe(false);
});

const refusedInput = apiErrorOf(
  { status: 400, headers: new Headers() },
  {
    error: {
      code: 'validation_error',
      message: 'config.headers.host cannot be set',
      details: [
        { field: 'config.headers.host', message: 'config.headers.host cannot be set' },
        { field: 'url', message: 'url must be https' },
        { field: 'config.headers.date', message: 'config.headers.date cannot be set' },
        { field: 'role', message: 'role must be one of owner, member' },
        { field: 7 },
      ],
    },
  },
);

test('a problem stands below the label of its field, without the name of the field; those of parts name the parts', () => {
  expect(fieldProblem(refusedInput, 'config.headers')).toBe(
    'config.headers.host cannot be set\nconfig.headers.date cannot be set',
  );
  expect(fieldProblem(refusedInput, 'url')).toBe('Must be https');
  expect(fieldProblem(refusedInput, 'config.head')).toBeUndefined();
  expect(fieldProblem(refusal(503), 'url')).toBeUndefined();
});

test('a notice has the problems that no field shows', () => {
  expect(problemsBeyond(refusedInput, ['url', 'config.headers'])).toEqual(['role must be one of owner, member']);
  expect(problemsBeyond(refusedInput, ['url', 'config.headers', 'role'])).toEqual([]);
  expect(problemsBeyond(refusedInput, ['config.head', 'config.headers.host.name'])).toHaveLength(4);
  expect(problemsBeyond(refusal(503), ['url'])).toBeUndefined();
  expect(problemsBeyond(new Error('no answer'), [])).toBeUndefined();
});
