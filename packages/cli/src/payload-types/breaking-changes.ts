import { type EventShape, type Type, typeOf } from './model.ts';

/**
 * The changes that may break a receiver that was built with the types of `before`: an event that is no longer
 * published, and values that the former type did not allow. One line each, with the place in the payload.
 */
export function breakingChanges(before: readonly EventShape[], after: readonly EventShape[]): string[] {
  const present = new Map(after.map(({ name, schema }) => [name, schema]));
  return before.flatMap(({ name, schema }) => {
    const now = present.get(name);
    if (now === undefined) return [`${name}: is no longer published`];
    return faults(typeOf(schema), typeOf(now), '').map(({ path, rule }) => `${name}${path && ` ${path}`}: ${rule}`);
  });
}

type Fault = { path: string; rule: string };

/** Why a value of type `to` might not fit type `from`; empty if it always does. */
function faults(from: Type, to: Type, path: string): Fault[] {
  if (from.kind === 'unknown') return [];
  if (to.kind === 'unknown') return [{ path, rule: `may now be anything; was ${wordOf(from)}` }];
  const choices = from.kind === 'union' ? from.types : [from];
  const parts = to.kind === 'union' ? to.types : [to];
  return parts.flatMap((part) => faultsOfPart(choices, part, path));
}

function faultsOfPart(choices: readonly Type[], to: Type, path: string): Fault[] {
  // Each of the values may fit a different choice.
  const isKnown = (value: Literal) => choices.some((choice) => fitsLiteral(choice, value));
  if (to.kind === 'literals' && to.values.every(isKnown)) return [];
  const alike = choices.filter((choice) => isAlike(choice, to));
  const [first, ...more] = alike.map((choice) => faultsAlike(choice, to, path));
  if (first === undefined) return [{ path, rule: `may now be ${wordOf(to)}; was ${choices.map(wordOf).join(' or ')}` }];
  return [first, ...more].find((found) => found.length === 0) ?? first;
}

/** Whether both types have a form that can be compared part by part. */
function isAlike(from: Type, to: Type): boolean {
  if (from.kind === to.kind || (from.kind === 'number' && to.kind === 'integer')) return true;
  if (from.kind === 'map' && to.kind === 'object') return true;
  return to.kind === 'literals' && to.values.every((value) => fitsLiteral(from, value));
}

type Literal = string | number | boolean;

function fitsLiteral(type: Type, value: Literal): boolean {
  if (type.kind === 'literals') return type.values.includes(value);
  if (typeof value === 'number') return type.kind === 'number' || (type.kind === 'integer' && Number.isInteger(value));
  return type.kind === typeof value;
}

function faultsAlike(from: Type, to: Type, path: string): Fault[] {
  if (from.kind === 'literals' && to.kind === 'literals') {
    const added = to.values.filter((value) => !from.values.includes(value));
    return added.length === 0
      ? []
      : [{ path, rule: `may now be ${added.map((one) => JSON.stringify(one)).join(', ')}` }];
  }
  if (from.kind === 'list' && to.kind === 'list') return faults(from.item, to.item, `${path}/*`);
  if (from.kind === 'map' && to.kind === 'map') return faults(from.value, to.value, `${path}/*`);
  if (from.kind === 'map' && to.kind === 'object') {
    return to.fields.flatMap(({ name, type }) => faults(from.value, type, `${path}/${name}`));
  }
  if (from.kind !== 'object' || to.kind !== 'object') return [];
  const present = new Map(to.fields.map((field) => [field.name, field]));
  return from.fields.flatMap((field): Fault[] => {
    const at = `${path}/${field.name}`;
    const now = present.get(field.name);
    if (now === undefined) return [{ path: at, rule: 'is no longer described' }];
    const missing = field.isRequired && !now.isRequired ? [{ path: at, rule: 'may now be missing' }] : [];
    return [...missing, ...faults(field.type, now.type, at)];
  });
}

function wordOf(type: Type): string {
  if (type.kind === 'literals') return type.values.map((value) => JSON.stringify(value)).join(' or ');
  if (type.kind === 'union') return type.types.map(wordOf).join(' or ');
  return WORDS[type.kind];
}

const WORDS = {
  unknown: 'anything',
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'a boolean',
  null: 'null',
  list: 'an array',
  map: 'an object of any keys',
  object: 'an object',
} as const;
