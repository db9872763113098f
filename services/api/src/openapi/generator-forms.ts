import { asObject, type Json, type JsonObject } from './json.ts';

/**
 * The same schema in the forms that client generators read: `type: [string, "null"]` for a value that may be null,
 * `enum` for a constant, and no property that accepts nothing.
 */
export function forGenerators(schema: JsonObject): JsonObject {
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, formOf(key, value)]));
  return withoutAnyName(withoutRefused(constantAsEnum(nullableAsType(inner))));
}

function formOf(key: string, value: Json): Json {
  if (DATA.has(key)) return value;
  if (Array.isArray(value)) {
    return value.map((one) => (typeof one === 'object' && one !== null ? forGenerators(asObject(one)) : one));
  }
  if (typeof value !== 'object' || value === null) return value;
  // The keys in these values are names, not keywords.
  if (NAMED.has(key)) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, forGenerators(asObject(one))]));
  }
  return forGenerators(asObject(value));
}

/** Keywords whose value is data, not a schema. */
const DATA = new Set(['enum', 'const', 'default', 'examples', 'example', 'required', 'type']);
const NAMED = new Set(['properties', 'patternProperties', '$defs']);

/** `anyOf: [X, null]` as X that may be null; a reference and a map keep the union. */
function nullableAsType(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [value, none] = anyOf.map(asObject);
  if (value === undefined || none?.type !== 'null' || typeof value.type !== 'string') return schema;
  // Generators forget that a map with two types may be null.
  if (value.additionalProperties !== undefined) return schema;
  const allowed: JsonObject = Array.isArray(value.enum) ? { enum: [...value.enum, null] } : {};
  return { ...value, ...rest, type: [value.type, 'null'], ...allowed };
}

function constantAsEnum(schema: JsonObject): JsonObject {
  const { const: constant, ...rest } = schema;
  if (constant === undefined) return schema;
  // Java has no enumeration of booleans.
  if (typeof constant === 'boolean') return { ...rest, type: 'boolean', not: { enum: [!constant] } };
  return { type: typeof constant, ...rest, enum: [constant] };
}

/** Leaves out `propertyNames` if it allows any text. */
function withoutAnyName(schema: JsonObject): JsonObject {
  const { propertyNames, ...rest } = schema;
  return JSON.stringify(propertyNames) === '{"type":"string"}' ? rest : schema;
}

/** Leaves out fields that accept only null or nothing: callers have no use for them. */
function withoutRefused(schema: JsonObject): JsonObject {
  if (schema.properties === undefined) return schema;
  const accepted = Object.entries(asObject(schema.properties)).filter(
    ([, property]) => JSON.stringify(asObject(property).not) !== '{}',
  );
  return { ...schema, properties: Object.fromEntries(accepted) };
}
