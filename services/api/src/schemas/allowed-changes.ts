import type { SchemaChange } from '@posthorn/contract/event-types';
import { isObject } from './run-schema.ts';

type Schema = Record<string, unknown>;
type Change = Omit<SchemaChange, 'path'>;

/** How the keywords of one subschema that allow or forbid values differ; those of its properties and items are apart. */
export function allowedChanges(before: Schema, after: Schema): Change[] {
  const enums = enumChange(valuesOf(before), valuesOf(after));
  return [
    typeChange(before.type, after.type),
    enums,
    ...BOUNDS.map(([keyword, direction]) => {
      const [from, to] = [before, after].map((schema) => schema[keyword] ?? ABSENT_BOUNDS[keyword]);
      return boundChange(keyword, from, to, direction);
    }),
    ...EXACT.map((keyword) => {
      // Where no other properties are allowed, a pattern of names allows some.
      const opens = keyword === 'patternProperties' && isClosed(before);
      return exactChange(keyword, before[keyword], after[keyword], opens);
    }),
    ...CHOICES.map((keyword) => choiceChange(keyword, before[keyword], after[keyword])),
    openChange('additionalProperties', before.additionalProperties, after.additionalProperties),
    openChange('items', before.items, after.items),
    openChange('contains', before.contains, after.contains),
    tupleChange(before.prefixItems, after.prefixItems, before.items === false),
  ].filter((one) => one !== undefined);
}

/** Whether a schema allows no properties but those that it names. */
export function isClosed({ additionalProperties, unevaluatedProperties }: Schema): boolean {
  return additionalProperties === false || unevaluatedProperties === false;
}

/** What an absent bound means, where that is not the absence of a bound: `contains` asks for an item. */
const ABSENT_BOUNDS: Readonly<Record<string, number>> = { minContains: 1 };

/** By keyword, whether a greater number allows more. */
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

/** Keywords with a list of schemas, and whether more of them allow more. */
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

/** `const` is an `enum` of one. */
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

function choiceChange(keyword: string, from: unknown, to: unknown): Change | undefined {
  if (same(from, to)) return undefined;
  const [old, now] = [from, to].map((list) => (Array.isArray(list) ? list.map(text) : undefined));
  const all = (some: string[], of: string[]) => {
    const known = new Set(of);
    return some.every((one) => known.has(one));
  };
  let breaking = old !== undefined;
  if (old !== undefined && now !== undefined) breaking = keyword === 'allOf' ? !all(old, now) : !all(now, old);
  return { change: 'constraint', breaking, detail: differs(keyword, from, to) };
}

/** Two schemas are compared at their own place; here only one that appears, goes, or is `false`. */
function openChange(keyword: string, from: unknown, to: unknown): Change | undefined {
  if (isObject(from) && isObject(to)) return undefined;
  const [old, now] = [from ?? true, to ?? true];
  if (same(old, now)) return undefined;
  const breaking = now === true || old === false;
  return { change: 'constraint', breaking, detail: differs(keyword, from, to) };
}

/** Without other items, a further place allows a longer list. */
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

/** One text for equal values, whatever the order of their keys. */
export function text(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}

function same(a: unknown, b: unknown): boolean {
  return a === b || (a !== undefined && b !== undefined && text(a) === text(b));
}
