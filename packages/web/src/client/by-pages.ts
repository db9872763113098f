import {
  type InfiniteData,
  keepPreviousData,
  type Query,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query';

/** A longer list is not refetched by itself, because that would request each of its pages in turn. */
const MAX_READ_AGAIN = 3;
const FRESH_MS = 10_000;

type InPages = { state: { data: { pages: readonly unknown[] } | undefined } };

/**
 * Options of a list that is read page by page. After a filter changes, the old rows stay until the new ones arrive. Its
 * table refetches old pages when they come into view (`useTablePages`).
 */
export const byPages = {
  initialPageParam: null,
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor,
  placeholderData: keepPreviousData,
  staleTime: ({ state }: InPages) =>
    (state.data?.pages.length ?? 0) > MAX_READ_AGAIN ? Number.POSITIVE_INFINITY : FRESH_MS,
  meta: { isReadInSight: true },
};

/**
 * The refetch interval of a list in pages: it grows with the number of pages, so that the request rate stays the same.
 */
export function everyPage(everyMs: number | false, data: { pages: readonly unknown[] } | undefined): number | false {
  return everyMs === false ? false : everyMs * Math.max(data?.pages.length ?? 1, 1);
}

/**
 * Refetches the lists whose keys begin with `queryKey`, or every query without a key. Use it after many of their rows
 * have changed. The pages of a long list of `byPages` are only marked as old: each is refetched when it comes into
 * view. Other long lists keep only their first pages.
 */
export function readAgain(queryClient: QueryClient, queryKey: QueryKey = []): Promise<void> {
  const isReadInSight = (query: Query) => isLong(query) && query.meta?.isReadInSight === true;
  for (const query of queryClient.getQueryCache().findAll({ queryKey, predicate: isLong })) {
    if (isReadInSight(query)) void makeOld(query);
    else keepFirstPages(query, MAX_READ_AGAIN);
  }
  return queryClient.invalidateQueries({ queryKey, predicate: (query) => !isReadInSight(query) });
}

/** Restarts a list from its first page. */
export function readFirstPage(queryClient: QueryClient, queryKey: QueryKey): Promise<void> {
  const query = queryClient.getQueryCache().find({ queryKey });
  if (query !== undefined) keepFirstPages(query, 1);
  return queryClient.invalidateQueries({ queryKey });
}

function isLong({ state: { data } }: Query): boolean {
  return isInPages(data) && data.pages.length > MAX_READ_AGAIN;
}

function keepFirstPages(query: Query, count: number): void {
  const { data } = query.state;
  // `setData` would count as an answer, and would not stop a request for a further page.
  if (isInPages(data)) query.setState({ data: firstPages(data, count) });
}

async function makeOld(query: Query): Promise<void> {
  // A running request for a further page restores the other pages as they are now, so it must end first.
  if (query.state.fetchStatus !== 'idle') await query.promise?.catch(() => undefined);
  const { data } = query.state;
  if (!isInPages(data)) return;
  const pages = data.pages.map((page) => ({ ...page, isOld: true }));
  query.setState({ data: { ...data, pages } });
}

/** True if rows of the page may have changed since it was read. */
export function isOldPage(page: object): boolean {
  return 'isOld' in page;
}

/** Returns the rows of a page, in order. */
export type RowsOf<Page> = (page: Page) => readonly { id: string }[];

/**
 * The index of the first old page that has a row in view. `first` and `last` are row indexes in the whole list. A page
 * without rows counts as in view where its rows would be.
 */
export function oldPageInSight<Page extends object>(
  pages: readonly Page[],
  rowsOf: RowsOf<Page>,
  { first, last }: { first: number; last: number },
): number | undefined {
  let begin = 0;
  for (const [index, page] of pages.entries()) {
    const end = begin + rowsOf(page).length;
    const isInSight = begin === end ? begin >= first && begin <= last + 1 : end > first && begin <= last;
    if (isOldPage(page) && isInSight) return index;
    begin = end;
  }
  return undefined;
}

/**
 * Refetches one page of a list, and replaces the earlier version. If the new page ends with another row, the pages
 * behind it no longer follow it. They are dropped, even those in view, and read again when the list is scrolled.
 */
export async function readPageAgain<Page extends object>(
  queryClient: QueryClient,
  queryKey: QueryKey,
  rowsOf: RowsOf<Page>,
  index: number,
): Promise<void> {
  const query = queryClient.getQueryCache().find<Page, Error, InfiniteData<Page>>({ queryKey });
  const earlier = query?.state.data?.pages[index];
  const queryFn = query?.options.queryFn;
  if (query === undefined || earlier === undefined || typeof queryFn !== 'function') return;
  const pageParam = query.state.data?.pageParams[index];
  const page = await queryClient.fetchQuery({
    queryKey: ['one page', queryKey, pageParam],
    queryFn: (context) => queryFn({ ...context, queryKey, pageParam, direction: 'forward' }),
    staleTime: 0,
    gcTime: 0,
  });
  const { data } = query.state;
  // If the page has changed meanwhile, it is still marked as old, and is read again later.
  if (data === undefined || data.pages[index] !== earlier) return;
  const isFollowed = rowsOf(page).at(-1)?.id === rowsOf(earlier).at(-1)?.id;
  const { pages, pageParams } = isFollowed ? data : firstPages(data, index + 1);
  query.setState({ data: { pages: pages.map((one) => (one === earlier ? page : one)), pageParams } });
}

function firstPages<Page>({ pages, pageParams }: InfiniteData<Page>, count: number): InfiniteData<Page> {
  return { pages: pages.slice(0, count), pageParams: pageParams.slice(0, count) };
}

/** True if the data of a query is a list that is read page by page. */
export function isInPages(data: unknown): data is InfiniteData<object> {
  const isObject = typeof data === 'object' && data !== null;
  return isObject && 'pages' in data && Array.isArray(data.pages) && 'pageParams' in data;
}
