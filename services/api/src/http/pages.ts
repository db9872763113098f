import { setImmediate } from 'node:timers/promises';
import type { Response } from 'express';

/** Rows that one statement of a list reads. */
const PAGE = 50;
/** Rows that are presented and written before other requests have their turn: a few milliseconds of work. */
const PART = 10;

/**
 * Everything that `read` finds, part by part in the order of ids, so that a list of any length holds neither memory nor
 * the process. Each page is read when the one before it has been taken. What changes meanwhile may show or not.
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

/** Whether an operation answers with pages of an array rather than with a value. */
export function isPages(result: unknown): result is AsyncIterable<readonly unknown[]> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}

/**
 * Answers with one JSON array of what all pages hold, and waits for a reader that is slow. A page that fails before
 * anything was sent is an error like any other; later the connection is cut, so that no reader takes a part for the whole.
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

/** Resolves when the reader has caught up, or has gone. */
function drained(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
