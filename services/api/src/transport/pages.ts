import { setImmediate } from 'node:timers/promises';
import type { Response } from 'express';
import { z } from 'zod';

/** The number of rows that one statement of a list reads. */
const PAGE = 50;
/** The number of rows that are presented and written before other requests run: a few milliseconds of work. */
const PART = 10;

/**
 * All rows of `read`, in pages in the order of ids. So a list of any length neither fills the memory nor blocks the
 * process. A page is read when the previous one has been consumed. Concurrent changes may be included or not.
 */
export async function* inPages<Row extends { id: string }, Item>(
  read: (page: { after: string | undefined; take: number }) => Promise<Row[]>,
  present: (row: Row) => Item,
): AsyncGenerator<Item[]> {
  for (let after: string | undefined; ; ) {
    const rows = await read({ after, take: PAGE });
    for (let from = 0; from < rows.length; from += PART) yield rows.slice(from, from + PART).map(present);
    after = rows.at(-1)?.id;
    if (rows.length < PAGE) return;
  }
}

/** The key of a row, and the size of the JSON in it. */
export type SizedKey = { id: string; bytes: number };

/** The most bytes of JSON that are read at once. Parsed, they can take fourteen times as much memory. */
const MAX_BYTES_AT_ONCE = 128 * 1024;

/** The keys of rows that are read at once: the first of them alone may be larger than the limit. */
export function sizedParts(keys: readonly SizedKey[]): string[][] {
  const parts: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const key of keys) {
    bytes += key.bytes;
    if (bytes > MAX_BYTES_AT_ONCE) {
      parts.push([]);
      bytes = key.bytes;
    }
    parts.at(-1)?.push(key.id);
  }
  return parts;
}

/**
 * Pages of rows that hold much JSON: the rows of `keys` or, without `keys`, all rows of `readKeys`. It is no generator,
 * which would keep the rows of a page while the client does not read.
 */
export function inSizedPages<Item>(
  { keys, readKeys }: SizedKeys,
  read: (ids: readonly string[]) => Promise<Item[]>,
): AsyncIterableIterator<Item[]> {
  let parts = keys === undefined ? [] : sizedParts(keys);
  let isLast = keys !== undefined;
  let after: string | undefined;
  const next = async (): Promise<IteratorResult<Item[], undefined>> => {
    if (parts.length === 0 && !isLast) {
      const more = await readKeys({ after, take: PAGE });
      parts = sizedParts(more);
      after = more.at(-1)?.id;
      isLast = more.length < PAGE;
    }
    const ids = parts.shift();
    return ids === undefined ? { done: true, value: undefined } : { done: false, value: await read(ids) };
  };
  return {
    next,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

type SizedKeys = {
  keys?: readonly SizedKey[];
  readKeys: (page: { after: string | undefined; take: number }) => Promise<SizedKey[]>;
};

/** Whether an operation returns pages of an array instead of a value. */
export function isPages(result: unknown): result is AsyncIterable<readonly unknown[]> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}

/** Pages of an array. `shown` returns the part of a page that may be sent. */
type PagesAnswer = { pages: AsyncIterable<readonly unknown[]>; shown: (page: readonly unknown[]) => unknown };

/**
 * Answers with one JSON array of all pages, and waits for a slow reader. An error before the first byte is an ordinary
 * error answer. After the first byte the connection is cut, so that no reader takes a part for the whole.
 */
export async function answerPages(response: Response, status: number, { pages, shown }: PagesAnswer): Promise<void> {
  let begun = false;
  const iterator = pages[Symbol.asyncIterator]();
  // A function of its own, so that no page is kept while the client does not read.
  const nextItems = async () => {
    const { done, value } = await iterator.next();
    return done === true ? undefined : JSON.stringify(shown(value)).slice(1, -1);
  };
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.statusCode = status;
  for (let items = await nextItems(); items !== undefined; items = await nextItems()) {
    // All rows of the page were deleted after their keys had been read.
    if (items === '') continue;
    const flowing = response.write(`${begun ? ',' : '['}${items}`);
    begun = true;
    if (!flowing && !response.destroyed) await drained(response);
    if (response.destroyed) return;
    await setImmediate();
  }
  response.end(begun ? ']' : '[]');
}

/** Parses a page of an array through its schema. */
export function shownBy(schema: z.ZodType) {
  return (page: readonly unknown[]) => z.array(z.unknown()).parse(schema.parse(page));
}

/** Resolves when the reader has caught up, or the connection has closed. */
export function drained(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
