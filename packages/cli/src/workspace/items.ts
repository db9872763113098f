/** The most items of a list in a call, in the order in which they are sent. */
export const MOST = { eventTypes: 100, applications: 500, endpoints: 500 } as const;
/** A call takes 256 KiB. The rest is for what stands around the items. */
export const MOST_BYTES = 200 * 1024;

export type List = keyof typeof MOST;
export const LISTS = Object.keys(MOST) as List[];

export type FileDocument = Record<string, unknown>;

/** What a call takes besides the document when the file is pruned. */
type PartOptions = {
  part?: true;
  keep?: { eventTypes?: string[]; applications?: string[]; endpoints?: Record<string, string[]> };
};

/** A document for one call, and by list the place of each of its items in the file. */
export type Portion = {
  document: FileDocument;
  places: Record<string, readonly number[]>;
  options?: PartOptions;
};

/** `isWhole`: it has everything in the file that it refers to. */
export type Check = Portion & { isWhole: boolean };

/** The items of a list; none where the file has something else. */
export function itemsOf(document: FileDocument, list: string): readonly unknown[] {
  const items = document[list];
  return Array.isArray(items) ? items : [];
}

/** What an item of a list is known by: a name, or an externalId. */
export const keyIn = (list: List, item: unknown): string[] =>
  textIn(item, list === 'eventTypes' ? 'name' : 'externalId');

/** The text of a field, if it has one. */
export function textIn(item: unknown, field: string): string[] {
  const value = typeof item === 'object' && item !== null ? Reflect.get(item, field) : undefined;
  return typeof value === 'string' ? [value] : [];
}

export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
