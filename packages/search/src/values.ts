import { LIMITS } from '@posthorn/contract/limits';
import { find } from '@posthorn/filter/clause';
import { keysOf } from '@posthorn/filter/parse-filter';

/** A search key of an event type: the value at `path` of a payload finds the event, under `name`. */
export type SearchKey = { name: string; path: string; fold: boolean };

/** The keys by which operational events are found, in workspaces that have a search key. */
export const OPERATIONAL_SEARCH_KEYS: readonly SearchKey[] = [
  { name: 'endpoint_id', path: 'data.endpointId', fold: false },
  { name: 'application_id', path: 'data.applicationId', fold: false },
];

/**
 * A string of a key with `fold` has its own type: searches find it regardless of case, and never find other strings by
 * it.
 */
export type ValueType = 'string' | 'folded' | 'number' | 'boolean';

/** A value in a canonical form: all spellings of the same value are equal. */
export type SearchValue = { name: string; type: ValueType; text: string };

/** `leftOut` counts the values that exceed the limit of an array or of a string. No search finds them. */
export type FoundValues = { values: SearchValue[]; leftOut: number };

/**
 * The values by which an event is found: strings of 1–256 characters, numbers and booleans, and at most 16 values of an
 * array. `payload` is the parsed payload. `text` returns its source, and is called only for a number that is too large
 * for JavaScript.
 */
export function valuesOf(keys: readonly SearchKey[], payload: unknown, text: () => string): FoundValues {
  const found: FoundValues = { values: [], leftOut: 0 };
  let exact: unknown;
  for (const { name, path, fold } of keys) {
    const at = keysOf(path);
    let members = membersAt(payload, at);
    if (members.some(isTooLarge)) {
      exact ??= parseExact(text());
      members = membersAt(exact, at);
    }
    found.leftOut += Math.max(0, members.length - LIMITS.searchValuesOfArray);
    for (const member of members.slice(0, LIMITS.searchValuesOfArray)) {
      const value = scalarOf(member, fold);
      if (value === 'too_long') found.leftOut += 1;
      else if (value !== undefined) found.values.push({ name, ...value });
    }
  }
  return found;
}

/**
 * All values that the text of a search can mean: `1900` is a number and a string. `folds` has the kinds of strings to
 * find.
 */
export function readingsOf(name: string, text: string, folds: ReadonlySet<boolean>): SearchValue[] {
  const texts = [...folds].map((fold) => textOf(text, fold));
  const number = NUMBER.test(text) ? digitsOf(text) : undefined;
  return [
    ...texts.flatMap((value) => (typeof value === 'object' ? [{ name, ...value }] : [])),
    ...(number === undefined ? [] : [{ name, type: 'number' as const, text: number }]),
    ...(text === 'true' || text === 'false' ? [{ name, type: 'boolean' as const, text }] : []),
  ];
}

type Value = Omit<SearchValue, 'name'>;

function membersAt(payload: unknown, at: readonly string[]): readonly unknown[] {
  const there = find(payload, at);
  if (!there.isPresent) return [];
  return Array.isArray(there.value) ? there.value : [there.value];
}

/** Undefined for values that cannot be searched for: objects, arrays, null and the empty string. */
function scalarOf(value: unknown, fold: boolean): Value | 'too_long' | undefined {
  if (typeof value === 'string') return textOf(value, fold);
  if (typeof value === 'boolean') return { type: 'boolean', text: String(value) };
  const source = sourceOf(value);
  if (source === undefined) return undefined;
  const text = digitsOf(source);
  return text === undefined ? 'too_long' : { type: 'number', text };
}

function textOf(given: string, fold: boolean): Value | 'too_long' | undefined {
  if (given.length > MOST_READ) return 'too_long';
  const composed = given.normalize('NFC');
  const text = fold ? composed.toLowerCase().normalize('NFC') : composed;
  if (text.length > LIMITS.searchValueCharacters) return 'too_long';
  return text === '' ? undefined : { type: fold ? 'folded' : 'string', text };
}

/** A string in decomposed form may be longer than its composed form. */
const MOST_READ = 4 * LIMITS.searchValueCharacters;

/** A number as JSON writes it. */
const NUMBER = /^-?(?:0|[1-9]\d{0,255})(?:\.\d{1,255})?(?:[eE][+-]?\d{1,4})?$/;

/** From this number on, JavaScript cannot represent every whole number. */
const EXACT_BELOW = 2 ** 53;

const isTooLarge = (value: unknown) => typeof value === 'number' && Math.abs(value) >= EXACT_BELOW;

/**
 * The canonical form of a number: `19.50` and `19.5` are equal, as are `1e2` and `100`. A number that JavaScript cannot
 * represent is compared by its digits. Undefined if it has too many.
 */
function digitsOf(source: string): string | undefined {
  const value = Number(source);
  if (Math.abs(value) < EXACT_BELOW) return String(value);
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.slice(sign.length).split('.');
  const places = Number(exponent);
  if (whole.length + Math.abs(places) > LIMITS.searchValueCharacters) return undefined;
  const digits = (whole + fraction).padEnd(whole.length + places, '0');
  const point = whole.length + places;
  let end = digits.length;
  while (end > point && digits[end - 1] === '0') end -= 1;
  const rest = digits.slice(point, end);
  const text = `${sign}${digits.slice(0, point).replace(LEADING_ZEROS, '')}${rest === '' ? '' : `.${rest}`}`;
  return text.length > LIMITS.searchValueCharacters ? undefined : text;
}

const LEADING_ZEROS = /^0+/;

/** Holds a number as its payload writes it. It is a symbol, so it cannot clash with a key of a payload. */
const SOURCE = Symbol('source');
type Digits = { [SOURCE]: string };

function sourceOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'object' && value !== null && SOURCE in value ? (value as Digits)[SOURCE] : undefined;
}

/** The payload with its large numbers as written; undefined if it nests too deeply. */
function parseExact(text: string): unknown {
  const revive = (_key: string, value: unknown, { source }: { source?: string } = {}) =>
    isTooLarge(value) && source !== undefined ? { [SOURCE]: source } : value;
  try {
    return JSON.parse(text, revive);
  } catch {
    return undefined;
  }
}
