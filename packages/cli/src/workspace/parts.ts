// A call takes a limited number of items and bytes. A larger file is sent in parts: what others refer to comes first.

/** What a call takes beside the document, when the file is pruned. */
export type PartOptions = {
  part?: true;
  keep?: { eventTypes?: string[]; applications?: string[]; endpoints?: Record<string, string[]> };
};

/**
 * A document for one call. `offsets`: by list, the place of its first item in the file. `removes`: the list whose items
 * are removed when the file does not name them; the part does nothing else.
 */
export type Part = {
  document: Record<string, unknown>;
  offsets: Record<string, number>;
  options?: PartOptions;
  removes?: List;
};

/** The most items of a list in a call, in the order in which they are sent. */
const MOST = { eventTypes: 100, applications: 500, endpoints: 500 } as const;
/** A call takes 256 KiB. The rest is for what stands around the items. */
const MOST_BYTES = 200 * 1024;

type List = keyof typeof MOST;
const LISTS = Object.keys(MOST) as List[];

/**
 * The file as one part where a call takes it all, else as several. To prune, applications and endpoints are removed
 * first, so that there is room, and event types last, when no endpoint subscribes to them. Text: why it cannot be sent.
 */
export function partsOf(document: Record<string, unknown>, prune: boolean): Part[] | string {
  const fits = LISTS.every((list) => itemsOf(document, list).length <= MOST[list]) && bytesOf(document) <= MOST_BYTES;
  if (fits) return [{ document, offsets: {} }];
  const lists = LISTS.filter((list) => Array.isArray(document[list]));
  const { version } = document;
  const twice = lists.flatMap((list) => twiceIn(list, document))[0];
  if (twice !== undefined) return twice;
  // Also what no list is: the server says what is wrong with it.
  const rest = Object.fromEntries(Object.entries(document).filter(([key]) => !lists.includes(key as List)));
  const removals = prune ? lists.map((list) => removalOf(version, list, document)) : [];
  const tooLong = removals.find(({ options }) => bytesOf(options) > MOST_BYTES);
  if (tooLong !== undefined) return `the names of its ${tooLong.removes} are too long for a call with --prune`;
  const parts = lists.flatMap((list) => partsOfList(version, list, document));
  return [
    { document: rest, offsets: {} },
    ...removals.filter(({ removes }) => removes !== 'eventTypes'),
    ...(prune ? parts.map((part): Part => ({ ...part, options: { part: true } })) : parts),
    ...removals.filter(({ removes }) => removes === 'eventTypes'),
  ];
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

/** Removes the items of a list that the whole file does not name. */
function removalOf(version: unknown, list: List, document: Record<string, unknown>): Part {
  const items = itemsOf(document, list);
  return {
    ...{ document: { version, [list]: [] }, offsets: {}, removes: list },
    options: {
      keep: { [list]: list === 'endpoints' ? byEnvironment(items) : items.flatMap((one) => keyIn(list, one)) },
    },
  };
}

function byEnvironment(endpoints: readonly unknown[]): Record<string, string[]> {
  const names: Record<string, string[]> = Object.create(null);
  for (const one of endpoints) {
    const [environment] = textIn(one, 'environment');
    if (environment === undefined) continue;
    names[environment] ??= [];
    names[environment].push(...textIn(one, 'externalId'));
  }
  return names;
}

/** A call finds what it names twice, and not what two calls name. */
function twiceIn(list: List, document: Record<string, unknown>): string[] {
  const first = new Map<string, number>();
  return itemsOf(document, list).flatMap((item, index) => {
    const [name] = keyIn(list, item);
    if (name === undefined) return [];
    const key = list === 'endpoints' ? `${textIn(item, 'environment')} ${name}` : name;
    const known = first.get(key);
    if (known === undefined) first.set(key, index);
    return known === undefined ? [] : [`${list}[${index}] is the same as ${list}[${known}]: ${name}`];
  });
}

const keyIn = (list: List, item: unknown): string[] => textIn(item, list === 'eventTypes' ? 'name' : 'externalId');

function textIn(item: unknown, field: string): string[] {
  const value = typeof item === 'object' && item !== null ? Reflect.get(item, field) : undefined;
  return typeof value === 'string' ? [value] : [];
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
