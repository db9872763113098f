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

test('a problem stands beside its field, and one of a part of the field too', () => {
  const details = [
    { field: 'config.headers.host', message: 'config.headers.host cannot be set' },
    { field: 'url', message: 'url must be https' },
    { field: 7 },
  ];
  const body = { error: { code: 'validation_error', message: 'a', details } };
  const error = apiErrorOf({ status: 400, headers: new Headers() }, body);
  expect(fieldProblem(error, 'config.headers')).toBe('config.headers.host cannot be set');
  expect(fieldProblem(error, 'url')).toBe('url must be https');
  expect(fieldProblem(error, 'config.head')).toBeUndefined();
  expect(fieldProblem(refusal(503), 'url')).toBeUndefined();
});
