import { setImmediate } from 'node:timers/promises';
import type { Response } from 'express';

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

/** Whether an operation returns pages of an array instead of a value. */
export function isPages(result: unknown): result is AsyncIterable<readonly unknown[]> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}

/**
 * Answers with one JSON array of all pages, and waits for a slow reader. An error before the first byte is an ordinary
 * error answer. After the first byte the connection is cut, so that no reader takes a part for the whole.
 */
export async function answerPages(
  response: Response,
  status: number,
  pages: AsyncIterable<readonly unknown[]>,
): Promise<void> {
  let begun = false;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.statusCode = status;
  for await (const page of pages) {
    const items = JSON.stringify(page).slice(1, -1);
    const before = begun && items !== '' ? ',' : '';
    const flowing = response.write(`${begun ? '' : '['}${before}${items}`);
    begun = true;
    if (!flowing && !response.destroyed) await drained(response);
    if (response.destroyed) return;
    await setImmediate();
  }
  response.end(begun ? ']' : '[]');
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
