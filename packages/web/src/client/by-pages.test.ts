import { expect, test } from '@jest/globals';
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { everyPage, readAgain } from './by-pages.ts';

const listOf = (pages: number) => ({
  pages: Array.from({ length: pages }, (_, page) => ({ page })),
  pageParams: Array.from({ length: pages }, (_, page) => page),
});

test('a list of many pages that is to be read again keeps its first three, and other lists keep theirs', async () => {
  const queryClient = new QueryClient();
  queryClient.setQueryData(['long', 1], listOf(40));
  queryClient.setQueryData(['long', 2], listOf(2));
  queryClient.setQueryData(['other'], listOf(40));
  await readAgain(queryClient, ['long']);
  expect(queryClient.getQueryData(['long', 1])).toEqual(listOf(3));
  expect(queryClient.getQueryData(['long', 2])).toEqual(listOf(2));
  expect(queryClient.getQueryData(['other'])).toEqual(listOf(40));
  const isInvalidated = (key: unknown[]) => queryClient.getQueryState(key)?.isInvalidated;
  expect([isInvalidated(['long', 1]), isInvalidated(['long', 2]), isInvalidated(['other'])]).toEqual([
    true,
    true,
    false,
  ]);
});

test('a list that is to be read again gives up the further page that is still being read', async () => {
  type Page = { page: number };
  const queryClient = new QueryClient();
  queryClient.setQueryData(['long'], listOf(4));
  const further: AbortSignal[] = [];
  const observer = new InfiniteQueryObserver(queryClient, {
    queryKey: ['long'],
    queryFn: ({ pageParam, signal }) => {
      if (pageParam === 4) further.push(signal);
      return pageParam === 4 ? new Promise<Page>(() => undefined) : Promise.resolve({ page: pageParam });
    },
    initialPageParam: 0,
    getNextPageParam: ({ page }: Page) => page + 1,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const stop = observer.subscribe(() => undefined);
  void observer.fetchNextPage();
  await readAgain(queryClient, ['long']);
  expect(further.map(({ aborted }) => aborted)).toEqual([true]);
  expect(queryClient.getQueryData(['long'])).toEqual(listOf(3));
  stop();
});

test('a list of ten pages is asked for ten times more rarely than a list of one', () => {
  expect([everyPage(2_000, undefined), everyPage(2_000, listOf(1)), everyPage(2_000, listOf(10))]).toEqual([
    2_000, 2_000, 20_000,
  ]);
  expect(everyPage(false, listOf(10))).toBe(false);
});
