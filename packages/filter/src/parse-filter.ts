import { nestsAtMost } from '@posthorn/contract/primitives';
import { FILTER_OPERATORS } from '@posthorn/contract/subscriptions';
import type { Clause, Comparison, Scalar } from './clause.ts';

/** A filter as its owner wrote it: a JSON object (docs/interface.md, Filters). */
export type FilterDocument = { readonly [key: string]: unknown };

/** A filter that is ready to be matched. */
export type Filter = { kind: 'all' | 'any'; of: readonly Filter[] } | { kind: 'not'; of: Filter } | Clause;

export type ParsedFilter =
  | { kind: 'filter'; filter: Filter }
  /** `path` names the place, `rule` completes the sentence: `data.amount.gte` `must be a number or a string`. */
  | { kind: 'invalid'; path: string; rule: string };

const FILTER_LIMITS = { clauses: 50, levels: 5, bytes: 4_096 } as const;
/** Levels of JSON. A filter of 5 levels has about 12. JSON.stringify overflows the stack at some thousands. */
const MAX_JSON_LEVELS = 100;

/**
 * Parses a filter. Paths are dot-separated keys, `\.` is a dot within a key. `and`, `or` and `not` combine filters; a
 * value is an operator object, a scalar (`eq`) or a list (`in`). All conditions of an object must hold.
 */
export function parseFilter(document: unknown): ParsedFilter {
  try {
    if (!nestsAtMost(document, MAX_JSON_LEVELS)) throw new Invalid([], 'is nested too deeply');
    if (isObject(document) && Buffer.byteLength(JSON.stringify(document)) > FILTER_LIMITS.bytes) {
      throw new Invalid([], `must be at most ${FILTER_LIMITS.bytes} bytes`);
    }
    const counted = { clauses: 0 };
    return { kind: 'filter', filter: parseObject(document, { at: [], level: 1, counted }) };
  } catch (error) {
    if (error instanceof Invalid) return { kind: 'invalid', path: pathOf(error.at), rule: error.message };
    throw error;
  }
}

/** The keys and indices that lead to a value. */
type At = readonly (string | number)[];

/** The form of a place in errors: `or[0].amount.gte`. */
function pathOf(at: At): string {
  return at.reduce<string>(
    (path, key) => (typeof key === 'number' ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`),
    '',
  );
}

type Place = { at: At; level: number; counted: { clauses: number } };

class Invalid extends Error {
  readonly at: At;
  constructor(at: At, rule: string) {
    super(rule);
    this.at = at;
  }
}

function parseObject(document: unknown, place: Place): Filter {
  if (!isObject(document)) throw new Invalid(place.at, 'must be an object');
  if (place.level > FILTER_LIMITS.levels) {
    throw new Invalid(place.at, `is nested deeper than ${FILTER_LIMITS.levels} levels`);
  }
  const entries = Object.entries(document);
  if (entries.length === 0) throw new Invalid(place.at, 'must have at least one condition');
  return allOf(entries.map(([key, value]) => parseEntry(key, value, { ...place, at: [...place.at, key] })));
}

function parseEntry(key: string, value: unknown, place: Place): Filter {
  if (key === 'and') return { kind: 'all', of: parseList(value, place) };
  if (key === 'or') return { kind: 'any', of: parseList(value, place) };
  if (key === 'not') return { kind: 'not', of: parseObject(value, { ...place, level: place.level + 1 }) };
  const keys = keysOf(key);
  const comparisons = parseComparisons(value, place);
  place.counted.clauses += comparisons.length;
  if (place.counted.clauses > FILTER_LIMITS.clauses) {
    throw new Invalid(place.at, `is more than the ${FILTER_LIMITS.clauses} clauses that a filter may have`);
  }
  return allOf(comparisons.map((comparison) => ({ kind: 'clause', path: key, keys, ...comparison })));
}

function parseList(value: unknown, place: Place): Filter[] {
  if (!Array.isArray(value) || value.length === 0) throw new Invalid(place.at, 'must be a list of at least one filter');
  const level = place.level + 1;
  return value.map((one, index) => parseObject(one, { ...place, level, at: [...place.at, index] }));
}

function allOf(filters: Filter[]): Filter {
  const [first] = filters;
  return filters.length === 1 && first !== undefined ? first : { kind: 'all', of: filters };
}

function parseComparisons(value: unknown, { at }: Place): Comparison[] {
  if (isScalar(value)) return [{ operator: 'eq', expected: value }];
  if (Array.isArray(value)) return [parseComparison('in', value, at)];
  if (!isObject(value)) throw new Invalid(at, 'must be a value, a list of values or an object of operators');
  const entries = Object.entries(value);
  if (entries.length === 0) throw new Invalid(at, 'must have at least one operator');
  return entries.map(([operator, expected]) => parseComparison(operator, expected, [...at, operator]));
}

function parseComparison(operator: string, expected: unknown, at: At): Comparison {
  switch (operator) {
    case 'eq':
    case 'ne':
    case 'contains':
      if (isScalar(expected)) return { operator, expected };
      throw new Invalid(at, 'must be a string, a number, a boolean or null');
    case 'in':
      if (Array.isArray(expected) && expected.length > 0 && expected.every(isScalar)) return { operator, expected };
      throw new Invalid(at, 'must be a list of at least one string, number, boolean or null');
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      if (typeof expected === 'number' || typeof expected === 'string') return { operator, expected };
      throw new Invalid(at, 'must be a number or a string');
    case 'startsWith':
    case 'endsWith':
      if (typeof expected === 'string') return { operator, expected };
      throw new Invalid(at, 'must be a string');
    case 'exists':
      if (typeof expected === 'boolean') return { operator, expected };
      throw new Invalid(at, 'must be a boolean');
    default:
      throw new Invalid(at, `is not an operator: use ${FILTER_OPERATORS.join(', ')}`);
  }
}

/** Splits a path at its dots; a backslash makes the next dot or backslash part of the key. */
export function keysOf(path: string): string[] {
  const keys: string[] = [];
  let key = '';
  for (let at = 0; at < path.length; at += 1) {
    const character = path[at];
    const next = path[at + 1];
    if (character === '\\' && (next === '.' || next === '\\')) {
      key += next;
      at += 1;
    } else if (character === '.') {
      keys.push(key);
      key = '';
    } else {
      key += character;
    }
  }
  return [...keys, key];
}

function isObject(value: unknown): value is FilterDocument {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
