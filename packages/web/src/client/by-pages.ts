import { keepPreviousData } from '@tanstack/react-query';

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
