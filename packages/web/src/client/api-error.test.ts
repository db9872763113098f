import { expect, test } from '@jest/globals';
import { apiErrorOf, isUnread } from './api-error.ts';

test('a page says that a thing is gone when its refetch finds it deleted, and keeps it over any other failure', () => {
  const read = { id: 'ep_1' };
  expect(isUnread({ data: read, error: apiErrorOf(404, null, null) })).toBe(true);
  expect(isUnread({ data: read, error: apiErrorOf(503, null, null) })).toBe(false);
  expect(isUnread({ data: undefined, error: apiErrorOf(503, null, null) })).toBe(true);
  expect(isUnread({ data: undefined, error: null })).toBe(false);
});
