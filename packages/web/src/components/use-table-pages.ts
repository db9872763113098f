import { type InfiniteData, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { oldPageInSight, readPageAgain } from '../client/by-pages.ts';
import { type Query, queryState } from './table-state.tsx';

type List<Page> = Query & {
  data: InfiniteData<Page> | undefined;
  hasNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
};

/**
 * What a table needs for a list that is read page by page (`byPages`): its rows and state, `onEnd`, which reads the
 * next page, and `onSeen`, which refetches an old page when some of its rows are in view, one page at a time.
 */
export function useTablePages<Page extends object, Row extends { id: string }>(
  queryKey: QueryKey,
  list: List<Page>,
  rowsOf: (page: Page) => readonly Row[],
) {
  const queryClient = useQueryClient();
  const rows = useMemo(() => list.data?.pages.flatMap((page) => rowsOf(page)), [list.data, rowsOf]);
  const read = useMutation({
    mutationFn: ({ index }: { index: number; data: object }) => readPageAgain(queryClient, queryKey, rowsOf, index),
  });
  const { mutate } = read;
  // After a failure, the page is refetched when the reader asks for it, or when the list changes again.
  const failed = read.isError ? read.variables : undefined;
  const onSeen = (first: number, last: number) => {
    const data = queryClient.getQueryData<InfiniteData<Page>>(queryKey);
    if (data === undefined || read.isPending || failed?.data === data) return;
    const index = oldPageInSight(data.pages, rowsOf, { first, last });
    if (index !== undefined) mutate({ index, data });
  };
  const state = {
    rows,
    ...queryState(list),
    isFetching: list.isFetching || read.isPending,
    ...(failed && failed.data === list.data && !list.error && { error: read.error, onRetry: () => mutate(failed) }),
  };
  return { state, onSeen, onEnd: () => list.hasNextPage && void list.fetchNextPage() };
}
