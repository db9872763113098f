import { approve, YES } from './approve.ts';
import { LIST_OPTIONS, pageSize, printList, type Row, required, type Values } from './command.ts';
import type { Context } from './context.ts';
import type { Columns } from './output.ts';

// The commands that most nouns have.

type Described = Pick<Row, 'summary' | 'options' | 'examples'> & { usage?: string };

type ListRow<Item> = Described & {
  columns: Columns<Item>;
  /** `page` has the options that every list passes on: the page size and the signal. */
  items: (
    context: Context,
    values: Values,
    page: { limit?: number; signal: AbortSignal },
  ) => AsyncIterable<Item> | Promise<AsyncIterable<Item>>;
};

/** Prints the first items, or all of them. */
export function listRow<Item extends object>({ columns, items, options, ...described }: ListRow<Item>): Row {
  return {
    usage: 'list',
    ...described,
    options: { ...LIST_OPTIONS, ...options },
    async run(context, { values }) {
      const found = await items(context, values, { ...pageSize(values), signal: context.signal });
      await printList(context, { items: found, columns, values });
    },
  };
}

/** Prints the item that `read` finds for the argument. */
export function getRow({
  read,
  ...described
}: Described & { read: (context: Context, id: string, values: Values) => Promise<object> }): Row {
  return {
    usage: 'get <id>',
    ...described,
    run: async (context, call) => context.output.item(await read(context, required(call, 0), call.values)),
  };
}

/** Asks for confirmation first, unless `--yes` is given. */
export function deleteRow({
  question,
  remove,
  ...described
}: Described & { question: (id: string) => string; remove: (context: Context, id: string) => Promise<unknown> }): Row {
  return {
    usage: 'delete <id>',
    ...described,
    options: YES,
    async run(context, call) {
      const id = required(call, 0);
      await approve(context, call.values, question(id));
      await remove(context, id);
      context.output.note(`Deleted ${id}`);
    },
  };
}

/** The option of lists that can be searched by a value of the payload. */
export const SEARCH_OPTION = {
  '--search <value>': 'of events whose payload has this value, as name:value of a search key, or the value alone',
};

/** The items of a search, page by page. The cursor goes into the request body. */
export async function* foundItems<Page extends { nextCursor: string | null }, Item>(
  read: (cursor: string | undefined) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
): AsyncGenerator<Item> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page = await read(cursor);
    yield* itemsOf(page);
    cursor = page.nextCursor;
  }
}
