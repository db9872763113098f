import { containsText } from './contains-text.ts';

/** A value that a clause compares with. */
export type Scalar = string | number | boolean | null;

/** One operator at one path. The path is the one that the author wrote; `keys` are its parts. */
export type Clause = { kind: 'clause'; path: string; keys: readonly string[] } & Comparison;

export type Comparison =
  | { operator: 'eq' | 'ne' | 'contains'; expected: Scalar }
  | { operator: 'in'; expected: readonly Scalar[] }
  | { operator: 'gt' | 'gte' | 'lt' | 'lte'; expected: string | number }
  | { operator: 'startsWith' | 'endsWith'; expected: string }
  | { operator: 'exists'; expected: boolean };

/** The value at a path of a payload. */
export type Found = { isPresent: true; value: unknown } | { isPresent: false };

const ABSENT: Found = { isPresent: false };

/** A key that is the index in an array, and never the name of a property. */
const INDEX = /^\d+$/;

/**
 * The value at the path. Only own properties of objects and elements of arrays count, so a payload cannot reach a
 * prototype.
 */
export function find(payload: unknown, keys: readonly string[]): Found {
  let value = payload;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null) return ABSENT;
    if (Array.isArray(value) !== INDEX.test(key) || !Object.hasOwn(value, key)) return ABSENT;
    value = Reflect.get(value, key);
  }
  return { isPresent: true, value };
}

/** Whether the clause holds for the value at its path. An absent value satisfies only `ne` and `exists: false`. */
export function holds(comparison: Comparison, found: Found): boolean {
  if (comparison.operator === 'exists') return found.isPresent === comparison.expected;
  if (!found.isPresent) return comparison.operator === 'ne';
  const { value } = found;
  switch (comparison.operator) {
    case 'eq':
      return value === comparison.expected;
    case 'ne':
      return value !== comparison.expected;
    case 'in':
      return comparison.expected.some((one) => one === value);
    case 'contains':
      return containsMember(value, comparison.expected);
    case 'startsWith':
      return typeof value === 'string' && value.startsWith(comparison.expected);
    case 'endsWith':
      return typeof value === 'string' && value.endsWith(comparison.expected);
    default:
      return isInOrder(comparison.operator, compare(value, comparison.expected));
  }
}

/** A string contains a substring; an array contains a member. */
function containsMember(value: unknown, expected: Scalar): boolean {
  if (Array.isArray(value)) return value.includes(expected);
  return typeof value === 'string' && typeof expected === 'string' && containsText(value, expected);
}

function isInOrder(operator: 'gt' | 'gte' | 'lt' | 'lte', order: number | undefined): boolean {
  if (order === undefined) return false;
  if (operator === 'gt') return order > 0;
  if (operator === 'gte') return order >= 0;
  return operator === 'lt' ? order < 0 : order <= 0;
}

/** Negative, zero or positive; undefined if the values cannot be compared, such as a number and a string. */
function compare(value: unknown, expected: string | number): number | undefined {
  if (typeof value === 'number' && typeof expected === 'number')
    return Number(value > expected) - Number(value < expected);
  if (typeof value === 'string' && typeof expected === 'string') return compareCodePoints(value, expected);
  return undefined;
}

/**
 * Compares by code point. JavaScript compares by UTF-16 code unit, which puts U+E000 to U+FFFF after higher code
 * points.
 */
function compareCodePoints(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  for (let at = 0; at < most; at += 1) {
    const unitA = a.charCodeAt(at);
    const unitB = b.charCodeAt(at);
    if (unitA === unitB) continue;
    // At the first different unit, a surrogate is part of a code point above every other unit.
    if (isSurrogate(unitA) !== isSurrogate(unitB)) return isSurrogate(unitA) ? 1 : -1;
    return unitA - unitB;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
