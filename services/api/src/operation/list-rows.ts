import { LIMITS } from '@posthorn/contract/limits';
import type { PageQuery } from '@posthorn/contract/primitives';
import { inPages, inSizedPages, type SizedKey } from '../transport/pages.ts';
import type { WorkspaceContext } from './context.ts';
import { type CursorContext, openPageCursor, sealPageCursor } from './page-cursor.ts';

/** The context that a list of a workspace or of a person needs. */
export type ListContext = CursorContext & Pick<WorkspaceContext, 'linkNext'>;

/** A list in the order of ids. A cursor is valid only for the list with this `name`, which has its filters. */
type RowList<Row, Item> = {
  name: readonly unknown[];
  read: (page: { after: string | undefined; take: number }) => Promise<Row[]>;
  present: (row: Row) => Item;
};

/**
 * Answers a whole array. With `limit` or `cursor`, answers one page of it, with a `Link` to the next page
 * (docs/interface.md, Lists and cursors).
 */
export async function listRows<Row extends { id: string }, Item>(
  ctx: ListContext,
  { limit: given, cursor }: PageQuery,
  { name, read, present }: RowList<Row, Item>,
): Promise<Item[] | AsyncIterable<Item[]>> {
  if (given === undefined && cursor === undefined) return inPages(read, present);
  const limit = given ?? LIMITS.deliveriesPageDefault;
  const after = cursor === undefined ? undefined : openPageCursor(ctx, cursor, name);
  const rows = await read({ after, take: limit + 1 });
  const page = rows.slice(0, limit);
  ctx.linkNext(rows.length > limit ? sealPageCursor(ctx, page.at(-1)?.id, name) : null);
  return page.map(present);
}

type SizedList<Row, Item> = {
  name: readonly unknown[];
  readKeys: (page: { after: string | undefined; take: number }) => Promise<SizedKey[]>;
  /** The rows with these ids, in the order of ids. */
  readRows: (ids: readonly string[]) => Promise<Row[]>;
  present: (row: Row) => Item;
};

/** The same as `listRows`, for rows that hold much JSON: few of them are in memory at a time. */
export async function listSizedRows<Row, Item>(
  ctx: ListContext,
  { limit: given, cursor }: PageQuery,
  { name, readKeys, readRows, present }: SizedList<Row, Item>,
): Promise<AsyncIterable<Item[]>> {
  const read = async (ids: readonly string[]) => (await readRows(ids)).map(present);
  if (given === undefined && cursor === undefined) return inSizedPages({ readKeys }, read);
  const limit = given ?? LIMITS.deliveriesPageDefault;
  const after = cursor === undefined ? undefined : openPageCursor(ctx, cursor, name);
  const found = await readKeys({ after, take: limit + 1 });
  const keys = found.slice(0, limit);
  ctx.linkNext(found.length > limit ? sealPageCursor(ctx, keys.at(-1)?.id, name) : null);
  return inSizedPages({ keys, readKeys }, read);
}

type ItemList<Item> = {
  name: readonly unknown[];
  items: readonly Item[];
  /** The text by which the items are ordered. So a page begins at its place even when the item before it is gone. */
  keyOf: (item: Item) => string;
  order?: 'ascending' | 'descending';
};

/** The same as `listRows`, for a short list that is read whole. */
export function listItems<Item>(
  ctx: ListContext,
  { limit: given, cursor }: PageQuery,
  { name, items, keyOf, order = 'ascending' }: ItemList<Item>,
): Item[] {
  const follows = (key: string, before: string) => (order === 'ascending' ? key > before : key < before);
  // Postgres orders times by microseconds, but a key has only milliseconds. The keys decide.
  const sorted = items.toSorted((a, b) => (follows(keyOf(a), keyOf(b)) ? 1 : -1));
  if (given === undefined && cursor === undefined) return sorted;
  const limit = given ?? LIMITS.deliveriesPageDefault;
  const after = cursor === undefined ? undefined : openPageCursor(ctx, cursor, name);
  const rest = after === undefined ? sorted : sorted.filter((item) => follows(keyOf(item), after));
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  ctx.linkNext(rest.length > limit && last !== undefined ? sealPageCursor(ctx, keyOf(last), name) : null);
  return page;
}
