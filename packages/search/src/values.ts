import { LIMITS } from '@posthorn/contract/limits';
import { find } from '@posthorn/filter/clause';
import { keysOf } from '@posthorn/filter/parse-filter';

/** A search key of an event type: the value at `path` of a payload finds the event, under `name`. */
export type SearchKey = { name: string; path: string; fold: boolean };

/** By these, operational events are found in a workspace that has a search key. */
export const OPERATIONAL_SEARCH_KEYS: readonly SearchKey[] = [
  { name: 'endpoint_id', path: 'data.endpointId', fold: false },
  { name: 'application_id', path: 'data.applicationId', fold: false },
];

/** A text of a key with `fold` is a value of its own type: it is found without regard to case, and no other text is. */
export type ValueType = 'string' | 'folded' | 'number' | 'boolean';

/** A value in the one form in which all its spellings are the same. */
export type SearchValue = { name: string; type: ValueType; text: string };

/** `leftOut` are the values beyond the limits of an array and of a text: they find nothing. */
export type FoundValues = { values: SearchValue[]; leftOut: number };

/**
 * The values of a payload by which its event is found: texts of 1–256 characters, numbers and booleans, and up to 16 of an
 * array. `payload` is the value as `JSON.parse` returns it; `text` its source, read only where a number is too large for one of
 * JavaScript.
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

/** Everything that a text of a search can be: `1900` is a number and a text. `folds` says which texts the name has. */
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

/** Undefined for what finds nothing: objects, arrays, null, an empty text. */
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

/** A text of decomposed characters may be longer than the composed one. */
const MOST_READ = 4 * LIMITS.searchValueCharacters;

/** A number as JSON writes it. */
const NUMBER = /^-?(?:0|[1-9]\d{0,255})(?:\.\d{1,255})?(?:[eE][+-]?\d{1,4})?$/;

/** From here on, JavaScript does not have every whole number. */
const EXACT_BELOW = 2 ** 53;

const isTooLarge = (value: unknown) => typeof value === 'number' && Math.abs(value) >= EXACT_BELOW;

/**
 * The one way to write a number: `19.50` and `19.5` are the same, as are `1e2` and `100`. A number that JavaScript cannot hold is
 * compared by its digits. Undefined if it has too many.
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

/** A number as its payload writes it. No payload has a symbol for a key. */
const SOURCE = Symbol('source');
type Digits = { [SOURCE]: string };

function sourceOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'object' && value !== null && SOURCE in value ? (value as Digits)[SOURCE] : undefined;
}

/** The payload with its large numbers as they are written. One that nests too deeply for that has none. */
function parseExact(text: string): unknown {
  const revive = (_key: string, value: unknown, { source }: { source?: string } = {}) =>
    isTooLarge(value) && source !== undefined ? { [SOURCE]: source } : value;
  try {
    return JSON.parse(text, revive);
  } catch {
    return undefined;
  }
}
