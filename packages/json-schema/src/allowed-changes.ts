import type { SchemaChange } from '@posthorn/contract/event-types';
import { isObject } from './run-schema.ts';

type Schema = Record<string, unknown>;
type Change = Omit<SchemaChange, 'path'>;

/**
 * The changes in one subschema's keywords that allow or forbid values. Its properties and items are compared elsewhere.
 */
export function allowedChanges(before: Schema, after: Schema, around: Around): Change[] {
  const { isSealed } = around;
  const sealsItems = refusesSome(before.unevaluatedItems);
  const enums = enumChange(valuesOf(before), valuesOf(after));
  return [
    typeChange(before.type, after.type),
    enums,
    ...BOUNDS.map(([keyword, direction]) => {
      const [from, to] = [before, after].map((schema) => schema[keyword] ?? ABSENT_BOUNDS[keyword]);
      return boundChange(keyword, from, to, direction);
    }),
    ...EXACT.map((keyword) => {
      // If other properties are refused, a change of these keywords may allow some.
      const opens =
        (isSealed && EVALUATING.has(keyword)) ||
        (keyword === 'patternProperties' && refusesSome(before.additionalProperties));
      return exactChange(keyword, before[keyword], after[keyword], opens);
    }),
    ...CHOICES.map((keyword) => choiceChange(keyword, before[keyword], after[keyword], around)),
    openChange('additionalProperties', before.additionalProperties, after.additionalProperties, isSealed),
    openChange('items', before.items, after.items, sealsItems),
    openChange('contains', before.contains, after.contains, sealsItems),
    tupleChange(before.prefixItems, after.prefixItems, before.items === false || sealsItems),
  ].filter((one) => one !== undefined);
}

/** The context of the subschema on which the result depends. */
type Around = {
  /** The schema that an alternative of the earlier schema refers to. */
  meant: (schema: unknown) => unknown;
  /** Whether properties that no part of the earlier schema evaluates are refused. */
  isSealed: boolean;
};

/** Whether a schema for the values that no other keyword covers may refuse some of them. */
export function refusesSome(schema: unknown): boolean {
  return schema !== undefined && schema !== true;
}

/** The values of absent bounds that still restrict: `contains` requires at least one item. */
const ABSENT_BOUNDS: Readonly<Record<string, number>> = { minContains: 1 };

/** For each keyword, whether it is an upper or a lower bound. */
const BOUNDS: [keyword: string, direction: 'upper' | 'lower'][] = [
  ['maximum', 'upper'],
  ['exclusiveMaximum', 'upper'],
  ['maxLength', 'upper'],
  ['maxItems', 'upper'],
  ['maxProperties', 'upper'],
  ['maxContains', 'upper'],
  ['minimum', 'lower'],
  ['exclusiveMinimum', 'lower'],
  ['minLength', 'lower'],
  ['minItems', 'lower'],
  ['minProperties', 'lower'],
  ['minContains', 'lower'],
];

/** Keywords whose values cannot be compared: another value may allow more. */
const EXACT = ['pattern', 'format', 'multipleOf', 'uniqueItems', 'propertyNames', 'patternProperties', 'not'].concat(
  ['if', 'then', 'else', 'dependentRequired', 'dependentSchemas', 'unevaluatedItems', 'unevaluatedProperties'],
  ['$ref', '$dynamicRef', 'contentEncoding', 'contentMediaType', 'contentSchema'],
);

/** The keywords of EXACT that evaluate properties. */
const EVALUATING = new Set(['patternProperties', 'if', 'then', 'else', 'dependentSchemas', '$ref', '$dynamicRef']);

/** Keywords with a list of alternative or combined schemas. */
export const CHOICES = ['anyOf', 'oneOf', 'allOf'];

function typeChange(from: unknown, to: unknown): Change | undefined {
  const [before, after] = [typesOf(from), typesOf(to)];
  if (same([...before].sort(), [...after].sort())) return undefined;
  const isNarrower = after.every((type) => before.includes(type) || (type === 'integer' && before.includes('number')));
  return { change: 'type', breaking: !isNarrower, detail: `is ${after.join(' or ')}, was ${before.join(' or ')}` };
}

const ANY = ['array', 'boolean', 'null', 'number', 'object', 'string'];

function typesOf(type: unknown): string[] {
  if (type === undefined) return ANY;
  return (Array.isArray(type) ? type : [type]).map(String);
}

/** Treats `const` as an `enum` with one value. */
function valuesOf(schema: Schema): unknown[] | undefined {
  if ('const' in schema) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

function enumChange(from: unknown[] | undefined, to: unknown[] | undefined): Change | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined) return { change: 'enum', breaking: false, detail: 'has a list of values now' };
  if (to === undefined) return { change: 'enum', breaking: true, detail: 'may have any value: the list is gone' };
  const [old, now] = [new Set(from.map(text)), new Set(to.map(text))];
  const added = [...now].filter((one) => !old.has(one));
  const removed = [...old].filter((one) => !now.has(one));
  if (added.length + removed.length === 0) return undefined;
  const parts = [
    ...(added.length > 0 ? [`may be ${listed(added)} now`] : []),
    ...(removed.length > 0 ? [`is never ${listed(removed)} any more`] : []),
  ];
  return { change: 'enum', breaking: added.length > 0, detail: parts.join('; ') };
}

function boundChange(keyword: string, from: unknown, to: unknown, direction: 'upper' | 'lower'): Change | undefined {
  if (from === to) return undefined;
  const isLooser =
    typeof from === 'number' && (typeof to !== 'number' || (direction === 'upper' ? to > from : to < from));
  return { change: 'constraint', breaking: isLooser, detail: differs(keyword, from, to) };
}

function exactChange(keyword: string, from: unknown, to: unknown, opens: boolean): Change | undefined {
  if (same(from, to)) return undefined;
  return { change: 'constraint', breaking: opens || from !== undefined, detail: differs(keyword, from, to) };
}

function choiceChange(keyword: string, from: unknown, to: unknown, { meant, isSealed }: Around): Change | undefined {
  if (same(from, to)) return undefined;
  const [old, now] = [from, to].map((list) => (Array.isArray(list) ? list.map(text) : undefined));
  const all = (some: string[], of: string[]) => {
    const known = new Set(of);
    return some.every((one) => known.has(one));
  };
  let breaking = old !== undefined;
  if (old !== undefined && now !== undefined) breaking = keyword === 'allOf' ? !all(old, now) : !all(now, old);
  if (keyword === 'oneOf') breaking ||= mayHaveClashed(listOf(from), listOf(to), meant);
  if (isSealed && now !== undefined) breaking ||= !all(now, old ?? []);
  return { change: 'constraint', breaking, detail: differs(keyword, from, to) };
}

/** The most properties to try for telling alternatives apart. */
const MOST_TAGS = 20;

/** Whether `oneOf` may have refused a value that fitted both a removed alternative and a kept one. */
function mayHaveClashed(old: readonly unknown[], kept: readonly unknown[], meant: Around['meant']): boolean {
  const stays = new Set(kept.map(text));
  const gone = old.filter((one) => !stays.has(text(one)));
  if (new Set(old.map(text)).size < old.length) return true;
  if (gone.length === 0) return false;
  const [allGone, allKept] = [gone.map(meant), kept.map(meant)];
  return !factsOfLike(allGone[0]).some((factsOf) => haveNothingInCommon(allGone, allKept, factsOf));
}

/** Whether a value may fit two of the alternatives, because no known fact tells all of them apart. */
export function mayOverlap(alternatives: readonly unknown[]): boolean {
  return !factsOfLike(alternatives[0]).some((factsOf) => areAllApart(alternatives, factsOf));
}

function areAllApart(alternatives: readonly unknown[], factsOf: FactsOf): boolean {
  const known = new Set<string>();
  for (const one of alternatives) {
    const facts = factsOf(one);
    if (facts === undefined || facts.some((fact) => known.has(fact))) return false;
    for (const fact of facts) known.add(fact);
  }
  return true;
}

/** The facts of a schema, of which every fitting value has one; undefined if the schema does not say. */
type FactsOf = (schema: unknown) => readonly string[] | undefined;

/** The facts that may tell an alternative apart: types, values, and values of its required properties. */
function factsOfLike(one: unknown): FactsOf[] {
  const tags = isObject(one) ? listOf(one.required).slice(0, MOST_TAGS) : [];
  return [typesIn, valuesIn, ...tags.map((name) => (schema: unknown) => valuesOfProperty(schema, name))];
}

function haveNothingInCommon(gone: readonly unknown[], kept: readonly unknown[], factsOf: FactsOf): boolean {
  const known = new Set<string>();
  for (const one of kept) {
    const facts = factsOf(one);
    if (facts === undefined) return false;
    for (const fact of facts) known.add(fact);
  }
  return gone.every((one) => factsOf(one)?.every((fact) => !known.has(fact)) ?? false);
}

function typesIn(schema: unknown): string[] {
  if (!isObject(schema)) return schema === false ? [] : [...ANY, 'integer'];
  const types = typesOf(schema.type);
  return types.includes('number') ? [...types, 'integer'] : types;
}

function valuesIn(schema: unknown): string[] | undefined {
  return isObject(schema) ? valuesOf(schema)?.map(text) : undefined;
}

/** The possible values of a property that every value has; undefined if not every value has it. */
function valuesOfProperty(schema: unknown, name: unknown): string[] | undefined {
  if (!isObject(schema) || typeof name !== 'string') return undefined;
  const { type, properties, required } = schema;
  const isThere = type === 'object' && listOf(required).includes(name);
  return isThere && isObject(properties) ? valuesIn(properties[name]) : undefined;
}

/**
 * Compares only a schema that appears, disappears, or is `false`. Two object schemas are compared at their own place.
 */
function openChange(keyword: string, from: unknown, to: unknown, isSealed: boolean): Change | undefined {
  if ((isObject(from) && isObject(to)) || from === to) return undefined;
  const [old, now] = [from ?? !isSealed, to ?? true];
  if (same(old, now)) return undefined;
  const breaking = now === true || old === false;
  return { change: 'constraint', breaking, detail: differs(keyword, from, to) };
}

/** If other items were refused, a further place allows a longer list. */
function tupleChange(from: unknown, to: unknown, wasClosed: boolean): Change | undefined {
  const [old, now] = [from, to].map((list) => (Array.isArray(list) ? list.length : 0));
  if (old === now) return undefined;
  const breaking = wasClosed || (now ?? 0) < (old ?? 0);
  return { change: 'constraint', breaking, detail: `prefixItems: ${now} places, were ${old}` };
}

function differs(keyword: string, from: unknown, to: unknown): string {
  if (from === undefined) return `${keyword} is ${listed([text(to)])} now`;
  if (to === undefined) return `${keyword} is gone, was ${listed([text(from)])}`;
  return `${keyword} is ${listed([text(to)])}, was ${listed([text(from)])}`;
}

function listed(texts: readonly string[]): string {
  const all = texts.slice(0, 10).join(', ');
  return all.length > 100 || texts.length > 10 ? `${all.slice(0, 100)}…` : all;
}

/** A text that is the same for equal values, whatever the order of their keys. */
export function text(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function same(a: unknown, b: unknown): boolean {
  return a === b || (a !== undefined && b !== undefined && text(a) === text(b));
}
