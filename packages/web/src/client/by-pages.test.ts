import { expect, test } from '@jest/globals';
import { type InfiniteData, InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { byPages, everyPage, isOldPage, oldPageInSight, readAgain, readFirstPage, readPageAgain } from './by-pages.ts';

type Page = { rows: { id: string }[]; nextCursor: string | null };

const pageOf = (name: number, ...ids: string[]): Page => ({ rows: ids.map((id) => ({ id })), nextCursor: `${name}` });
const rowsOf = ({ rows }: Page) => rows;

/** A list of this many pages with two rows each. The number of the page before is the cursor. */
function listOf(
  pages: number,
  answer: (page: number) => Page | Promise<Page> = (page) => pageOf(page, `${page}a`, `${page}b`),
  meta = byPages.meta,
) {
  const queryClient = new QueryClient();
  const queryKey = ['list'];
  const asked: number[] = [];
  const numbers = Array.from({ length: pages }, (_, page) => page);
  const before: InfiniteData<Page> = {
    pages: numbers.map((page) => pageOf(page, `${page}a`, `${page}b`)),
    pageParams: numbers.map((page) => (page === 0 ? null : `${page - 1}`)),
  };
  queryClient.setQueryData(queryKey, before);
  const observer = new InfiniteQueryObserver<Page, Error, InfiniteData<Page>, string[], string | null>(queryClient, {
    ...byPages,
    meta,
    queryKey,
    queryFn: ({ pageParam }) => {
      const page = pageParam === null ? 0 : Number(pageParam) + 1;
      asked.push(page);
      return Promise.resolve(answer(page));
    },
    placeholderData: undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const stop = observer.subscribe(() => undefined);
  const present = () => queryClient.getQueryData<InfiniteData<Page>>(queryKey) ?? { pages: [], pageParams: [] };
  const oldPages = () => present().pages.flatMap((page, index) => (isOldPage(page) ? [index] : []));
  return { queryClient, queryKey, before, asked, observer, present, oldPages, stop };
}

test('the pages of a long list that is to be read again become old where they stand, and none is asked for', async () => {
  const list = listOf(10);
  list.queryClient.setQueryData(['other'], 1);
  await readAgain(list.queryClient, list.queryKey);
  expect(list.present().pages.flatMap(rowsOf)).toEqual(list.before.pages.flatMap(rowsOf));
  expect([list.oldPages().length, list.asked]).toEqual([10, []]);
  expect(list.queryClient.getQueryState(['other'])?.isInvalidated).toBe(false);
  list.stop();
});

test('a list of three pages that is to be read again is asked for at once, and no further page with it', async () => {
  const list = listOf(3, (page) => pageOf(page, `${page}a`, `${page}c`));
  await readAgain(list.queryClient);
  expect(list.asked).toEqual([0, 1, 2]);
  expect(list.present().pages.map((page) => rowsOf(page).at(-1)?.id)).toEqual(['0c', '1c', '2c']);
  list.stop();
});

test('a long list whose table does not read old pages is asked for its first three pages alone', async () => {
  const list = listOf(10, undefined, { isReadInSight: false });
  await readAgain(list.queryClient, list.queryKey);
  expect([list.asked, list.present().pages.length, list.oldPages()]).toEqual([[0, 1, 2], 3, []]);
  list.stop();
});

test('an old page is asked for alone, and keeps its place among the others', async () => {
  const list = listOf(10);
  await readAgain(list.queryClient, list.queryKey);
  await readPageAgain(list.queryClient, list.queryKey, rowsOf, 8);
  expect([list.asked, list.oldPages()]).toEqual([[8], [0, 1, 2, 3, 4, 5, 6, 7, 9]]);
  expect(list.present().pages.flatMap(rowsOf)).toEqual(list.before.pages.flatMap(rowsOf));
  list.stop();
});

test('the pages behind a page that ends with another row than before are dropped, so that no row is there twice', async () => {
  const list = listOf(10, (page) => pageOf(page, `${page}b`, `${page + 1}a`));
  await readAgain(list.queryClient, list.queryKey);
  await readPageAgain(list.queryClient, list.queryKey, rowsOf, 5);
  const ids = list
    .present()
    .pages.flatMap(rowsOf)
    .map(({ id }) => id);
  expect(ids).toEqual(['0a', '0b', '1a', '1b', '2a', '2b', '3a', '3b', '4a', '4b', '5b', '6a']);
  list.stop();
});

test('a page that becomes old once more while it is read stays old', async () => {
  const list = listOf(10);
  await readAgain(list.queryClient, list.queryKey);
  const reading = readPageAgain(list.queryClient, list.queryKey, rowsOf, 8);
  await readAgain(list.queryClient, list.queryKey);
  await reading;
  expect(list.oldPages()).toContain(8);
  list.stop();
});

test('the pages of a list become old even when a further one is being read, which is put behind them', async () => {
  const list = listOf(4);
  const further = list.observer.fetchNextPage();
  await readAgain(list.queryClient, list.queryKey);
  await further;
  await Promise.resolve();
  expect([list.present().pages.length, list.oldPages()]).toEqual([5, [0, 1, 2, 3, 4]]);
  list.stop();
});

test('a list that begins again with its first page asks for that page alone', async () => {
  const list = listOf(10);
  await readFirstPage(list.queryClient, list.queryKey);
  expect([list.asked, list.present().pages.length]).toEqual([[0], 1]);
  list.stop();
});

test('the late answer of a further page is not put behind a list that began again with its first page', async () => {
  let answer: (page: Page) => void = () => undefined;
  const late = new Promise<Page>((resolve) => {
    answer = resolve;
  });
  const list = listOf(4, (page) => (page === 4 ? late : pageOf(page, `${page}a`, `${page}b`)));
  const further = list.observer.fetchNextPage();
  await readFirstPage(list.queryClient, list.queryKey);
  answer(pageOf(4, '4a', '4b'));
  await further;
  expect(list.present().pages.flatMap(rowsOf)).toEqual([{ id: '0a' }, { id: '0b' }]);
  list.stop();
});

test('a list of ten pages is asked for ten times more rarely than a list of one', () => {
  const pages = (length: number) => ({ pages: Array.from({ length }) });
  expect([everyPage(2_000, undefined), everyPage(2_000, pages(1)), everyPage(2_000, pages(10))]).toEqual([
    2_000, 2_000, 20_000,
  ]);
  expect(everyPage(false, pages(10))).toBe(false);
});

const pageOfRows = (rows: number, isOld: boolean) => ({
  ...pageOf(0, ...Array.from({ length: rows }, (_, index) => `${index}`)),
  ...(isOld && { isOld }),
});

test('the first old page with a row in sight is found, and none before or behind what is in sight', () => {
  const pages = [pageOfRows(10, true), pageOfRows(10, false), pageOfRows(10, true), pageOfRows(10, true)];
  expect(oldPageInSight(pages, rowsOf, { first: 9, last: 30 })).toBe(0);
  expect(oldPageInSight(pages, rowsOf, { first: 10, last: 30 })).toBe(2);
  expect(oldPageInSight(pages, rowsOf, { first: 10, last: 19 })).toBeUndefined();
});

test('an old page without rows is found where its rows would be: alone, between others, and behind the last row', () => {
  expect(oldPageInSight([pageOfRows(0, true)], rowsOf, { first: 0, last: 0 })).toBe(0);
  const between = [pageOfRows(10, false), pageOfRows(0, true), pageOfRows(10, false)];
  expect(oldPageInSight(between, rowsOf, { first: 5, last: 12 })).toBe(1);
  expect(oldPageInSight(between, rowsOf, { first: 12, last: 15 })).toBeUndefined();
  expect(oldPageInSight([pageOfRows(10, false), pageOfRows(0, true)], rowsOf, { first: 5, last: 9 })).toBe(1);
});
