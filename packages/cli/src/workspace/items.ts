/** The most items of each list in a call, in the order in which the lists are sent. */
export const MOST = { eventTypes: 100, applications: 500, endpoints: 500 } as const;
/** A call takes 256 KiB. The rest is for the JSON around the items. */
export const MOST_BYTES = 200 * 1024;

export type List = keyof typeof MOST;
export const LISTS = Object.keys(MOST) as List[];

export type FileDocument = Record<string, unknown>;

/** The options of a call for a part of a file with `--prune`. */
type PartOptions = {
  part?: true;
  keep?: { eventTypes?: string[]; applications?: string[]; endpoints?: Record<string, string[]> };
};

/** A document for one call. `places` has, for each list, the index in the file of each item. */
export type Portion = {
  document: FileDocument;
  places: Record<string, readonly number[]>;
  options?: PartOptions;
};

/** `isWhole`: the document includes everything in the file that its items refer to. */
export type Check = Portion & { isWhole: boolean };

/** The items of a list; none if the file has no list there. */
export function itemsOf(document: FileDocument, list: string): readonly unknown[] {
  const items = document[list];
  return Array.isArray(items) ? items : [];
}

/** The key of an item in a list: its name or its externalId. */
export const keyIn = (list: List, item: unknown): string[] =>
  textIn(item, list === 'eventTypes' ? 'name' : 'externalId');

/** The text of a field; empty if the item has none. */
export function textIn(item: unknown, field: string): string[] {
  const value = typeof item === 'object' && item !== null ? Reflect.get(item, field) : undefined;
  return typeof value === 'string' ? [value] : [];
}

export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
