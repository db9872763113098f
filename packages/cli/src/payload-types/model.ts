// The part of a JSON Schema that receivers of events need: a type that each language can express. Further rules of the
// schema, such as lengths and patterns, are left out. A part that the schema does not describe has an unknown type.

export type Type =
  | { kind: 'unknown' | 'string' | 'integer' | 'number' | 'boolean' | 'null' }
  | { kind: 'literals'; values: readonly (string | number | boolean)[] }
  | { kind: 'list'; item: Type }
  | { kind: 'map'; value: Type }
  | { kind: 'object'; fields: readonly Field[] }
  | { kind: 'union'; types: readonly Type[] };

export type Field = { name: string; type: Type; isRequired: boolean; description: string | undefined };

export type Schema = Record<string, unknown> | boolean | null;

/** The name of an event type, and the schema of its payloads. */
export type EventShape = { name: string; schema: Schema };

const UNKNOWN: Type = { kind: 'unknown' };
/** Deeper parts, such as those of a schema that refers to itself, are unknown. */
const MAX_DEPTH = 12;

/** The type that a schema describes. */
export function typeOf(document: Schema): Type {
  return read(document, { document, depth: 0 });
}

type Place = { document: Schema; depth: number };

function read(schema: unknown, { document, depth }: Place): Type {
  if (depth > MAX_DEPTH || !isObject(schema)) return UNKNOWN;
  const inner = { document, depth: depth + 1 };
  if (typeof schema.$ref === 'string') return read(targetOf(document, schema.$ref), inner);
  if ('const' in schema) return literals([schema.const]);
  if (Array.isArray(schema.enum)) return literals(schema.enum);
  const choices = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(choices)) return union(choices.map((one) => read(one, inner)));
  if (Array.isArray(schema.allOf)) return merged(schema, schema.allOf, inner);
  const { type } = schema;
  if (Array.isArray(type)) return union(type.map((one) => readNamed(one, schema, inner)));
  return readNamed(type ?? (isObject(schema.properties) ? 'object' : undefined), schema, inner);
}

function readNamed(type: unknown, schema: Record<string, unknown>, place: Place): Type {
  switch (type) {
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return { kind: type };
    case 'array':
      return { kind: 'list', item: read(schema.items, place) };
    case 'object':
      return readObject(schema, place);
    default:
      return UNKNOWN;
  }
}

function readObject(schema: Record<string, unknown>, place: Place): Type {
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  if (properties.length === 0) return { kind: 'map', value: read(schema.additionalProperties, place) };
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const fields = properties.map(([name, one]) => ({
    name,
    type: read(one, place),
    isRequired: required.has(name),
    description: isObject(one) && typeof one.description === 'string' ? one.description : undefined,
  }));
  return { kind: 'object', fields };
}

/** Merges objects that must all hold (`allOf`) into one object with the fields of each. */
function merged(schema: Record<string, unknown>, parts: readonly unknown[], place: Place): Type {
  const own = isObject(schema.properties) ? [{ ...schema, allOf: undefined }] : [];
  const types = [...parts, ...own].map((part) => read(part, place));
  const fields = new Map<string, Field>();
  for (const type of types) {
    if (type.kind !== 'object') return UNKNOWN;
    for (const field of type.fields) {
      const isRequired = field.isRequired || fields.get(field.name)?.isRequired === true;
      fields.set(field.name, { ...field, isRequired });
    }
  }
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const all = [...fields.values()].map((field) => ({
    ...field,
    isRequired: field.isRequired || required.has(field.name),
  }));
  return all.length === 0 ? UNKNOWN : { kind: 'object', fields: all };
}

function literals(values: readonly unknown[]): Type {
  const types = values.map((value): Type => {
    if (value === null) return { kind: 'null' };
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return isPlain ? { kind: 'literals', values: [value] } : UNKNOWN;
  });
  return union(types);
}

/** A flat union without repetitions, with all literals in one part. Unknown if any of the types is. */
function union(types: readonly Type[]): Type {
  const flat = types.flatMap((type) => (type.kind === 'union' ? type.types : [type]));
  if (flat.length === 0 || flat.some(({ kind }) => kind === 'unknown')) return UNKNOWN;
  const values = [...new Set(flat.flatMap((type) => (type.kind === 'literals' ? type.values : [])))];
  const others = new Map(flat.filter(({ kind }) => kind !== 'literals').map((type) => [JSON.stringify(type), type]));
  const all: Type[] = [...(values.length > 0 ? [{ kind: 'literals' as const, values }] : []), ...others.values()];
  const [only = UNKNOWN, ...more] = all;
  return more.length === 0 ? only : { kind: 'union', types: all };
}

function targetOf(document: Schema, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  let current: unknown = document;
  for (const part of reference.slice(1).split('/').slice(1)) {
    if (typeof current !== 'object' || current === null) return undefined;
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    current = Object.hasOwn(current, name) ? Reflect.get(current, name) : undefined;
  }
  return current;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
