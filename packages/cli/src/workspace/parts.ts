// A call takes a limited number of items and bytes. A larger file is sent in parts: what others refer to comes first.

/** A document for one call. `offsets`: by list, the place of its first item in the file. */
export type Part = { document: Record<string, unknown>; offsets: Record<string, number> };

/** The most items of a list in a call, in the order in which they are sent. */
const MOST = { eventTypes: 100, applications: 500, endpoints: 500 } as const;
/** A call takes 256 KiB. The rest is for what stands around the items. */
const MOST_BYTES = 200 * 1024;

type List = keyof typeof MOST;
const LISTS = Object.keys(MOST) as List[];

/** The file as one part where a call takes it all, else as several. */
export function partsOf(document: Record<string, unknown>): Part[] {
  const fits = LISTS.every((list) => itemsOf(document, list).length <= MOST[list]) && bytesOf(document) <= MOST_BYTES;
  if (fits) return [{ document, offsets: {} }];
  const lists = LISTS.filter((list) => Array.isArray(document[list]));
  const { version } = document;
  // Also what no list is: the server says what is wrong with it.
  const rest = Object.fromEntries(Object.entries(document).filter(([key]) => !lists.includes(key as List)));
  return [{ document: rest, offsets: {} }, ...lists.flatMap((list) => partsOfList(version, list, document))];
}

function partsOfList(version: unknown, list: List, document: Record<string, unknown>): Part[] {
  const parts: Part[] = [];
  let items: unknown[] = [];
  let bytes = 0;
  let start = 0;
  const end = () => {
    if (items.length > 0) parts.push({ document: { version, [list]: items }, offsets: { [list]: start } });
    start += items.length;
    items = [];
    bytes = 0;
  };
  for (const item of itemsOf(document, list)) {
    const size = bytesOf(item);
    if (items.length === MOST[list] || bytes + size > MOST_BYTES) end();
    items.push(item);
    bytes += size;
  }
  end();
  return parts;
}

function itemsOf(document: Record<string, unknown>, list: List): readonly unknown[] {
  const items = document[list];
  return Array.isArray(items) ? items : [];
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/** A path of a part's document as a path of the file's. */
export function pathInFile(path: string, { offsets }: Pick<Part, 'offsets'>): string {
  for (const [list, offset] of Object.entries(offsets)) {
    if (!path.startsWith(`${list}[`)) continue;
    const end = path.indexOf(']');
    const index = Number(path.slice(list.length + 1, end));
    if (end > 0 && Number.isInteger(index)) return `${list}[${index + offset}${path.slice(end)}`;
  }
  return path;
}
