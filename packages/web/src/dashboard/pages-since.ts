import { byPages } from '../client/by-pages.ts';
import { nowMs } from '../clock.ts';
import { type Range, startOf } from '../components/time-range.ts';

/** The parameters of a page: the beginning of the range, and the cursor of every page but the first. */
export type PageQuery = { from?: string; cursor?: string };

type Page = { nextCursor: string | null };

/** A page with the `from` of its request: a cursor is refused with another `from`. */
type ReadPage<Answer> = Answer & { from: string | undefined };

const FIRST: PageQuery | null = null;

/**
 * The options of a list within a range that ends now, page after page. The range moves on: its beginning is computed anew
 * whenever the first page is read, and holds for the pages behind it. `read` is a request of the typed client.
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
