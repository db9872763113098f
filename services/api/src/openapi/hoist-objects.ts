import { asObject, type Json, type JsonObject } from './json.ts';
import { typeName } from './type-name.ts';

/**
 * The components with each object inside one as a component of its own, named by its place (`AttemptTimings` for
 * `Attempt.timings`): otherwise every generator invents another name.
 */
export function hoistObjects(components: JsonObject): JsonObject {
  const all: JsonObject = {};
  const hoist = (name: string, schema: JsonObject): void => {
    if (all[name] !== undefined) throw new Error(`The name ${name} is taken: give the inner schema an id of its own`);
    all[name] = {};
    all[name] = replaceObjects(schema, name, hoist);
  };
  for (const [name, schema] of Object.entries(components)) hoist(name, asObject(schema));
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The schema of `name` with references for the objects in it. */
function replaceObjects(
  schema: JsonObject,
  name: string,
  hoist: (name: string, schema: JsonObject) => void,
): JsonObject {
  const reference = (inner: Json, innerName: string): JsonObject => {
    const object = asObject(inner);
    if (object.properties === undefined) return replaceObjects(object, innerName, hoist);
    const { description, ...rest } = object;
    const mayBeNull = Array.isArray(object.type);
    hoist(innerName, { ...rest, ...(mayBeNull ? { type: 'object' } : {}) });
    const to: JsonObject = { $ref: `#/components/schemas/${innerName}` };
    const words: JsonObject = description === undefined ? {} : { description };
    return mayBeNull ? { anyOf: [to, { type: 'null' }], ...words } : { ...to, ...words };
  };
  const replaced: JsonObject = { ...schema };
  if (schema.properties !== undefined) {
    const properties = Object.entries(asObject(schema.properties));
    replaced.properties = Object.fromEntries(
      properties.map(([key, one]) => [key, reference(one, name + typeName(key))]),
    );
  }
  if (schema.items !== undefined) replaced.items = reference(schema.items, `${name}Item`);
  if (typeof schema.additionalProperties === 'object') {
    replaced.additionalProperties = reference(schema.additionalProperties, `${name}Value`);
  }
  if (Array.isArray(schema.anyOf)) {
    replaced.anyOf = schema.anyOf.map((one, index) => reference(one, `${name}Option${index + 1}`));
  }
  return replaced;
}
