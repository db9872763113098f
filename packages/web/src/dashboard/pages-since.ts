import { byPages } from '../client/by-pages.ts';
import { nowMs } from '../clock.ts';
import { type Range, startOf } from '../components/time-range.ts';

/** The parameters of a page: the start of the range, and the cursor of every page but the first. */
export type PageQuery = { from?: string; cursor?: string };

type Page = { nextCursor: string | null };

/** A page, with the `from` of its request. A cursor is refused with any other `from`. */
type ReadPage<Answer> = Answer & { from: string | undefined };

const FIRST: PageQuery | null = null;

/**
 * The options of a list within a range that ends now, page by page. The range moves on: its start is computed whenever
 * the first page is read, and stays for the pages behind it. `read` makes a request with the typed client.
 */
export function pagesSince<Answer extends Page>(
  range: Range | undefined,
  read: (query: PageQuery, signal: AbortSignal) => Promise<{ data?: Answer }>,
) {
  return {
    ...byPages,
    initialPageParam: FIRST,
    queryFn: async ({ pageParam, signal }: { pageParam: PageQuery | null; signal: AbortSignal }) => {
      const from = startOf(range, nowMs());
      const query = pageParam ?? (from === undefined ? {} : { from });
      const { data } = await read(query, signal);
      if (data === undefined) throw new Error('The answer is not a list');
      return { ...data, from: query.from };
    },
    getNextPageParam: ({ nextCursor, from }: ReadPage<Answer>): PageQuery | null =>
      nextCursor === null ? null : { cursor: nextCursor, ...(from !== undefined && { from }) },
  };
}
