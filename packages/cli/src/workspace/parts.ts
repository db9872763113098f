import { createChecks } from './checks.ts';
import {
  bytesOf,
  type Check,
  type FileDocument,
  itemsOf,
  keyIn,
  LISTS,
  type List,
  MOST,
  MOST_BYTES,
  type Portion,
  textIn,
} from './items.ts';

// A call takes a limited number of items and bytes, so a larger file is sent in parts. Items that others refer to come
// first.

/**
 * The content of one call. `checks` are the calls that plan it before any part is applied, each with what its items
 * refer to. `removes` is set in a part that does nothing but remove items of this list that the file does not name.
 */
export type Part = Portion & { checks: readonly Check[]; removes?: List };

/**
 * The file as a single part if one call takes it all, else as several parts. When pruning, applications and endpoints
 * are removed first, to make room, and event types last, when no endpoint subscribes to them. A text says why the file
 * cannot be sent.
 */
export function partsOf(document: FileDocument, prune: boolean): Part[] | string {
  const fits = LISTS.every((list) => itemsOf(document, list).length <= MOST[list]) && bytesOf(document) <= MOST_BYTES;
  if (fits) return [unchanged({ document, places: {} })];
  const lists = LISTS.filter((list) => Array.isArray(document[list]));
  const { version } = document;
  const twice = lists.flatMap((list) => twiceIn(list, document))[0];
  if (twice !== undefined) return twice;
  // Includes a list field that is no list: the server says what is wrong with it.
  const rest = Object.fromEntries(Object.entries(document).filter(([key]) => !lists.includes(key as List)));
  const removals = prune ? lists.map((list) => removalOf(version, list, document)) : [];
  const tooLong = removals.find(({ options }) => bytesOf(options) > MOST_BYTES);
  if (tooLong !== undefined) return `the names of its ${tooLong.removes} are too long for a call with --prune`;
  const options = prune ? { options: { part: true as const } } : {};
  const checksOf = createChecks(document);
  const parts = lists.flatMap((list) =>
    portionsOf(version, list, document).map((portion): Part => {
      const checks = checksOf(list, portion).map((check): Check => ({ ...check, ...options }));
      return { ...portion, ...options, checks };
    }),
  );
  return [
    unchanged({ document: rest, places: {} }),
    ...removals.filter(({ removes }) => removes !== 'eventTypes'),
    ...parts,
    ...removals.filter(({ removes }) => removes === 'eventTypes'),
  ];
}

/** A part that is its own check. */
function unchanged(portion: Portion): Part {
  return { ...portion, checks: [{ ...portion, isWhole: true }] };
}

function portionsOf(version: unknown, list: List, document: FileDocument): Portion[] {
  const items = itemsOf(document, list);
  const portions: Portion[] = [];
  let places: number[] = [];
  let bytes = 0;
  const end = () => {
    if (places.length > 0)
      portions.push({ document: { version, [list]: places.map((place) => items[place]) }, places: { [list]: places } });
    places = [];
    bytes = 0;
  };
  for (const [place, item] of items.entries()) {
    const size = bytesOf(item);
    if (places.length === MOST[list] || bytes + size > MOST_BYTES) end();
    places.push(place);
    bytes += size;
  }
  end();
  return portions;
}

/** A part that removes the items of a list that the whole file does not name. */
function removalOf(version: unknown, list: List, document: FileDocument): Part {
  const items = itemsOf(document, list);
  const keep = { [list]: list === 'endpoints' ? byEnvironment(items) : items.flatMap((one) => keyIn(list, one)) };
  return { ...unchanged({ document: { version, [list]: [] }, places: {}, options: { keep } }), removes: list };
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

/** Finds items that the file names twice. The service finds them only within one call. */
function twiceIn(list: List, document: FileDocument): string[] {
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

/** Turns a path in a call's document into a path in the file. */
export function pathInFile(path: string, { places }: Pick<Portion, 'places'>): string {
  for (const [list, inFile] of Object.entries(places)) {
    if (!path.startsWith(`${list}[`)) continue;
    const end = path.indexOf(']');
    const place = inFile[Number(path.slice(list.length + 1, end))];
    if (end > 0 && place !== undefined) return `${list}[${place}${path.slice(end)}`;
  }
  return path;
}
