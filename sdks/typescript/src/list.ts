import { requireInteger } from './options.ts';

export type Page<Item> = {
  items: Item[];
  /** Begins a list behind this page; null on the last one. */
  nextCursor: string | null;
};

/** The items of all pages, asked for as they are read. Nothing is sent before. */
export class List<Item> implements AsyncIterable<Item> {
  readonly #readPage: (cursor?: string) => Promise<Page<Item>>;

  constructor(readPage: (cursor?: string) => Promise<Page<Item>>) {
    this.#readPage = readPage;
  }

  /** One page: the first, or the one of the option `cursor`. */
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

  /** At most `limit` items, which is required because a list has no end of its own. */
  async toArray({ limit }: { limit: number }): Promise<Item[]> {
    requireInteger('limit', limit, 0, Number.MAX_SAFE_INTEGER);
    const items: Item[] = [];
    if (limit === 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length === limit) break;
    }
    return items;
  }
}
