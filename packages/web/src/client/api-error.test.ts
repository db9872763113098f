import { expect, test } from '@jest/globals';
import { apiErrorOf, fieldProblem, isUnread } from './api-error.ts';

const refusal = (status: number) => apiErrorOf({ status, headers: new Headers() }, null);

test('a page says that a thing is gone when its refetch finds it deleted, and keeps it over any other failure', () => {
  const read = { id: 'ep_1' };
  expect(isUnread({ data: read, error: refusal(404) })).toBe(true);
  expect(isUnread({ data: read, error: refusal(503) })).toBe(false);
  expect(isUnread({ data: undefined, error: refusal(503) })).toBe(true);
  expect(isUnread({ data: undefined, error: null })).toBe(false);
});

test('a problem stands below the label of its field, without the name of the field; one of a part names the part', () => {
  const details = [
    { field: 'config.headers.host', message: 'config.headers.host cannot be set' },
    { field: 'url', message: 'url must be https' },
    { field: 7 },
  ];
  const body = { error: { code: 'validation_error', message: 'a', details } };
  const error = apiErrorOf({ status: 400, headers: new Headers() }, body);
  expect(fieldProblem(error, 'config.headers')).toBe('config.headers.host cannot be set');
  expect(fieldProblem(error, 'url')).toBe('Must be https');
  expect(fieldProblem(error, 'config.head')).toBeUndefined();
  expect(fieldProblem(refusal(503), 'url')).toBeUndefined();
});
