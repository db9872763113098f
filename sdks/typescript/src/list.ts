import { OptionError } from './errors.ts';
import { requireInteger } from './options.ts';

const MOST_ITEMS = 10_000;
const TOO_LONG = `is required for a list of more than ${MOST_ITEMS.toLocaleString('en')} items`;

export type Page<Item> = {
  items: Item[];
  /** The cursor of the next page; null on the last page. */
  nextCursor: string | null;
};

/** A list whose pages are requested as you read them. Nothing is sent before. */
export class List<Item> implements AsyncIterable<Item> {
  readonly #readPage: (cursor?: string) => Promise<Page<Item>>;

  constructor(readPage: (cursor?: string) => Promise<Page<Item>>) {
    this.#readPage = readPage;
  }

  /** Reads one page: the first, or the page of the option `cursor`. */
  page(): Promise<Page<Item>> {
    return this.#readPage();
  }

  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.#readPage(cursor);
      yield page;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /**
   * Reads the first `limit` items. Without a limit, it reads all items if there are at most 10,000. For a longer list
   * it throws an OptionError, because the items may not fit into memory. `for await` reads a list of any length.
   */
  async toArray({ limit }: { limit?: number | undefined } = {}): Promise<Item[]> {
    const items: Item[] = [];
    if (limit === undefined) {
      for await (const item of this) {
        if (items.length === MOST_ITEMS) throw new OptionError('limit', TOO_LONG);
        items.push(item);
      }
      return items;
    }
    requireInteger('limit', limit, 0, Number.MAX_SAFE_INTEGER);
    if (limit === 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length === limit) break;
    }
    return items;
  }
}
