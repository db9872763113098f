import { type InfiniteData, keepPreviousData, type QueryClient, type QueryKey } from '@tanstack/react-query';

/** A list of more pages is not read again by itself, because that would ask for each of its pages in turn. */
const MOST_READ_AGAIN = 3;
const FRESH_MS = 10_000;

type InPages = { state: { data: { pages: readonly unknown[] } | undefined } };

/** The options of a list that is read page after page; a filter keeps the old rows until the new ones are there. */
export const byPages = {
  initialPageParam: null,
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor,
  placeholderData: keepPreviousData,
  staleTime: ({ state }: InPages) =>
    (state.data?.pages.length ?? 0) > MOST_READ_AGAIN ? Number.POSITIVE_INFINITY : FRESH_MS,
};

/** How often a list of those pages is asked for again: the more pages, the more rarely, so that the rate stays the same. */
export function everyPage(everyMs: number | false, data: { pages: readonly unknown[] } | undefined): number | false {
  return everyMs === false ? false : everyMs * Math.max(data?.pages.length ?? 1, 1);
}

/**
 * Reads the lists again whose keys begin with `queryKey`, because many of their rows have changed; without a key every
 * query. A list of more than `pages` pages is cut to them first, since each page would be asked for in turn; its end is
 * read again when it is scrolled to.
 */
export function readAgain(queryClient: QueryClient, queryKey: QueryKey = [], pages = MOST_READ_AGAIN): Promise<void> {
  for (const query of queryClient.getQueryCache().findAll({ queryKey })) {
    const { data } = query.state;
    // Not `setData`: it would count as an answer, so that a further page that is being read would not be given up below.
    if (isInPages(data) && data.pages.length > pages) query.setState({ data: firstPages(data, pages) });
  }
  return queryClient.invalidateQueries({ queryKey });
}

function firstPages({ pages, pageParams }: InfiniteData<unknown>, count: number): InfiniteData<unknown> {
  return { pages: pages.slice(0, count), pageParams: pageParams.slice(0, count) };
}

/** Whether the data of a query is that of a list that is read page after page. */
export function isInPages(data: unknown): data is InfiniteData<unknown> {
  const isObject = typeof data === 'object' && data !== null;
  return isObject && 'pages' in data && Array.isArray(data.pages) && 'pageParams' in data;
}
