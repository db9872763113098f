import type { Check, Run } from './node.ts';
import { matchesPattern } from './pattern.ts';
import { fault, isObject, keysOf } from './run-schema.ts';
import { canonicalText, isSame } from './same-value.ts';
import { InvalidSchema, type Site } from './site.ts';
import { spend } from './steps.ts';

type Build = (expected: unknown, site: Site) => Check | undefined;

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];
const MAX_ENUM_VALUES = 1_000;

/** The keywords that check a value without a subschema (JSON Schema Validation 2020-12, section 6). */
export const ASSERTIONS: Record<string, Build> = {
  type(expected, site) {
    const types = Array.isArray(expected) ? expected.map((one) => typeName(one, site)) : [typeName(expected, site)];
    if (types.length === 0) throw new InvalidSchema(site.at, 'must have at least one type');
    const rule = `must be ${types.join(' or ')}`;
    const [first = ''] = types;
    if (types.length === 1) return (value, run) => hasType(value, first) || fault(run, rule);
    return (value, run) => types.some((type) => hasType(value, type)) || fault(run, rule);
  },
  enum(expected, site) {
    if (!Array.isArray(expected)) throw new InvalidSchema(site.at, 'must be an array');
    if (expected.length > MAX_ENUM_VALUES) {
      throw new InvalidSchema(site.at, `must have at most ${MAX_ENUM_VALUES} values`);
    }
    const scalars = new Set(expected.filter((one) => typeof one !== 'object' || one === null));
    const others = expected.filter((one) => typeof one === 'object' && one !== null);
    const rule = `must be one of ${shown(expected)}`;
    return (value, run) => {
      if (typeof value === 'string') spend(run.steps, value.length / 64);
      if (typeof value !== 'object' || value === null) return scalars.has(value) || fault(run, rule);
      return others.some((one) => isSame(one, value, run)) || fault(run, rule);
    };
  },
  const(expected) {
    const rule = `must be ${shown([expected])}`;
    return (value, run) => isSame(expected, value, run) || fault(run, rule);
  },

  maximum: (expected, site) => ofNumber(expected, site, (value, most) => value <= most, 'must be at most'),
  minimum: (expected, site) => ofNumber(expected, site, (value, least) => value >= least, 'must be at least'),
  exclusiveMaximum: (expected, site) => ofNumber(expected, site, (value, bound) => value < bound, 'must be less than'),
  exclusiveMinimum: (expected, site) => ofNumber(expected, site, (value, bound) => value > bound, 'must be more than'),
  multipleOf(expected, site) {
    const divisor = numberAt(expected, site);
    if (divisor <= 0) throw new InvalidSchema(site.at, 'must be more than 0');
    const holds = ofNumber(expected, site, isMultiple, 'must be a multiple of');
    return (value, run) => {
      // Writing out the decimal digits takes as long as several other keywords.
      spend(run.steps, 12);
      return holds(value, run, null);
    };
  },

  maxLength: (expected, site) =>
    ofSize(expected, site, lengthOf, (size, most) => size <= most || 'must have at most % characters'),
  minLength: (expected, site) =>
    ofSize(expected, site, lengthOf, (size, least) => size >= least || 'must have at least % characters'),
  maxItems: (expected, site) =>
    ofSize(expected, site, itemCount, (size, most) => size <= most || 'must have at most % items'),
  minItems: (expected, site) =>
    ofSize(expected, site, itemCount, (size, least) => size >= least || 'must have at least % items'),
  maxProperties: (expected, site) =>
    ofSize(expected, site, propertyCount, (size, most) => size <= most || 'must have at most % properties'),
  minProperties: (expected, site) =>
    ofSize(expected, site, propertyCount, (size, least) => size >= least || 'must have at least % properties'),

  pattern(expected, site) {
    if (typeof expected !== 'string') throw new InvalidSchema(site.at, 'must be a string');
    const parsed = site.compilePattern(expected, site.at);
    if (parsed.kind === 'unbounded') {
      site.leaveUnchecked(parsed.does);
      return undefined;
    }
    const { pattern } = parsed;
    const rule = `must match the pattern ${expected.slice(0, 100)}`;
    return (value, run) => typeof value !== 'string' || matchesPattern(pattern, value, run.steps) || fault(run, rule);
  },
  uniqueItems(expected, site) {
    if (typeof expected !== 'boolean') throw new InvalidSchema(site.at, 'must be a boolean');
    if (!expected) return undefined;
    return (value, run) => {
      if (!Array.isArray(value)) return true;
      return areUnique(value, run) || fault(run, 'must not have equal items');
    };
  },
  required(expected, site) {
    const names = namesAt(expected, site);
    return (value, run) => !isObject(value) || requireAll(names, value, run, 'is required');
  },
  dependentRequired(expected, site) {
    if (!isObject(expected)) throw new InvalidSchema(site.at, 'must be an object');
    const rows = Object.entries(expected).map(
      ([name, value]) => [name, namesAt(value, { ...site, at: [...site.at, name] })] as const,
    );
    return (value, run) => {
      if (!isObject(value)) return true;
      spend(run.steps, rows.length);
      const present = rows.filter(([name]) => Object.hasOwn(value, name));
      return present.every(([name, names]) =>
        requireAll(names, value, run, `is required where there is ${name.slice(0, 100)}`),
      );
    };
  },
};

function areUnique(items: readonly unknown[], run: Run): boolean {
  spend(run.steps, items.length);
  const isScalar = (item: unknown) => typeof item !== 'object' || item === null;
  const scalars = items.filter(isScalar);
  if (new Set(scalars).size < scalars.length) return false;
  const texts = items.filter((item) => !isScalar(item)).map((item) => canonicalText(item, run));
  return new Set(texts).size === texts.length;
}

function requireAll(names: readonly string[], value: object, run: Run, rule: string): boolean {
  spend(run.steps, names.length / 2);
  let hasAll = true;
  for (const name of names) {
    if (Object.hasOwn(value, name)) continue;
    hasAll = fault(run, rule, name);
    if (run.muted > 0) break;
  }
  return hasAll;
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === type;
  }
}

function ofNumber(
  expected: unknown,
  site: Site,
  holds: (value: number, bound: number) => boolean,
  words: string,
): Check {
  const bound = numberAt(expected, site);
  const rule = `${words} ${bound}`;
  return (value, run) => typeof value !== 'number' || holds(value, bound) || fault(run, rule);
}

type Measure = (value: unknown, run: Run) => number | undefined;

function ofSize(
  expected: unknown,
  site: Site,
  measure: Measure,
  holds: (size: number, bound: number) => true | string,
): Check {
  const bound = numberAt(expected, site);
  if (!Number.isInteger(bound) || bound < 0) throw new InvalidSchema(site.at, 'must be a whole number from 0 on');
  return (value, run) => {
    const size = measure(value, run);
    if (size === undefined) return true;
    const rule = holds(size, bound);
    return rule === true || fault(run, rule.replace('%', String(bound)));
  };
}

const itemCount: Measure = (value) => (Array.isArray(value) ? value.length : undefined);
const propertyCount: Measure = (value, run) => (isObject(value) ? keysOf(value, run).length : undefined);

/** The length in code points. */
const lengthOf: Measure = (value, run) => {
  if (typeof value !== 'string') return undefined;
  spend(run.steps, value.length / 8);
  let length = 0;
  for (const _ of value) length += 1;
  return length;
};

/** Compares decimal digits: 0.0075 is a multiple of 0.0001, though their binary quotient is not a whole number. */
function isMultiple(value: number, divisor: number): boolean {
  const scale = 10 ** Math.max(decimalsOf(value), decimalsOf(divisor));
  const [a, b] = [Math.round(value * scale), Math.round(divisor * scale)];
  return Number.isFinite(a) && Number.isFinite(b) ? a % b === 0 : value % divisor === 0;
}

function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const fraction = digits.split('.')[1] ?? '';
  return Math.max(0, fraction.length - Number(exponent));
}

function typeName(value: unknown, { at }: Site): string {
  if (typeof value === 'string' && TYPES.includes(value)) return value;
  throw new InvalidSchema(at, `must be one of ${TYPES.join(', ')}, or a list of them`);
}

function numberAt(value: unknown, { at }: Site): number {
  if (typeof value !== 'number') throw new InvalidSchema(at, 'must be a number');
  return value;
}

function namesAt(value: unknown, { at }: Site): string[] {
  const isNames = Array.isArray(value) && value.every((one): one is string => typeof one === 'string');
  if (!isNames) throw new InvalidSchema(at, 'must be an array of property names');
  return value;
}

/** The first few values, for a message. */
function shown(values: readonly unknown[]): string {
  const texts = values.slice(0, 5).map((one) => JSON.stringify(one));
  const text = `${texts.join(', ')}${values.length > 5 ? ', …' : ''}`;
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
