import { expect, test } from '@jest/globals';
import { apiErrorOf, isUnread } from './api-error.ts';

const refusal = (status: number) => apiErrorOf({ status, headers: new Headers() }, null);

test('a page says that a thing is gone when its refetch finds it deleted, and keeps it over any other failure', () => {
  const read = { id: 'ep_1' };
  expect(isUnread({ data: read, error: refusal(404) })).toBe(true);
  expect(isUnread({ data: read, error: refusal(503) })).toBe(false);
  expect(isUnread({ data: undefined, error: refusal(503) })).toBe(true);
  expect(isUnread({ data: undefined, error: null })).toBe(false);
});
