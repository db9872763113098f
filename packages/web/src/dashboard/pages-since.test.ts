/** @isolated It replaces the timers. */

import { afterEach, expect, jest, test } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { type PageQuery, pagesSince } from './pages-since.ts';

afterEach(() => void jest.useRealTimers());

test('the range moves on with each read of the list, and the pages of one read have the same beginning', async () => {
  jest.useFakeTimers({ now: Date.parse('2026-11-22T10:00:30.000Z') });
  const queryClient = new QueryClient({ defaultOptions: { queries: { gcTime: 0 } } });
  const asked: PageQuery[] = [];
  const options = pagesSince('1h', (query) => {
    asked.push(query);
    // Time passes between two pages.
    jest.setSystemTime(Date.now() + 120_000);
    return Promise.resolve({ data: { nextCursor: query.cursor === undefined ? 'next' : null } });
  });
  const read = () => queryClient.fetchInfiniteQuery({ ...options, staleTime: 0, queryKey: ['list'], pages: 2 });
  await read();
  await read();
  expect(asked).toEqual([
    { from: '2026-11-22T09:00:00.000Z' },
    { from: '2026-11-22T09:00:00.000Z', cursor: 'next' },
    { from: '2026-11-22T09:04:00.000Z' },
    { from: '2026-11-22T09:04:00.000Z', cursor: 'next' },
  ]);
});

test('a list of any time is asked for without a beginning', async () => {
  const asked: PageQuery[] = [];
  const { queryFn } = pagesSince(undefined, (query) => {
    asked.push(query);
    return Promise.resolve({ data: { nextCursor: null } });
  });
  await queryFn({ pageParam: null, signal: new AbortController().signal });
  expect(asked).toEqual([{}]);
});
