import type { Resource, SchemaNode } from './node.ts';
import { fault, isObject } from './run-schema.ts';
import { type At, InvalidSchema } from './site.ts';

/** The subschemas of a document, and the targets of its references. */
export type SchemaIndex = {
  root: SchemaNode;
  /** The places by the schema object itself. */
  places: Map<unknown, { node: SchemaNode; at: At }>;
  nodeOf: (schema: unknown) => SchemaNode;
  resolve: (reference: unknown, from: SchemaNode, at: At) => SchemaNode;
  /** The subschemas that a schema applies to the same value. */
  inPlace: (schema: Record<string, unknown>) => unknown[];
};

/** The keywords that hold subschemas: a single one, a list, or an object of them by name. */
const HOLDERS = new Map<string, 'one' | 'list' | 'by name'>([
  ...['not', 'if', 'then', 'else', 'items', 'contains', 'additionalProperties', 'propertyNames'].map(one),
  ...['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'].map(one),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((keyword) => [keyword, 'list'] as const),
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'].map(
    (keyword) => [keyword, 'by name'] as const,
  ),
]);

/** Whether the part of a place after this keyword is a name that the schema's author chose. */
export function isByName(keyword: string | number | undefined): boolean {
  return typeof keyword === 'string' && HOLDERS.get(keyword) === 'by name';
}

function one(keyword: string): [string, 'one'] {
  return [keyword, 'one'];
}

const IN_PLACE = new Set(['not', 'if', 'then', 'else', 'allOf', 'anyOf', 'oneOf', 'dependentSchemas']);

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
const MAX_SUBSCHEMAS = 1_000;
const MAX_LEVELS = 60;

/**
 * The direct subschemas of a schema, in its order, with their places below it. `keywords` limits them to some keywords.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one branch for each keyword.
export function subschemasOf(schema: Record<string, unknown>, keywords?: ReadonlySet<string>) {
  const found: { at: At; schema: unknown }[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const holder = HOLDERS.get(keyword);
    if (holder === undefined || keywords?.has(keyword) === false) continue;
    if (holder === 'one') found.push({ at: [keyword], schema: value });
    else if (holder === 'list') {
      if (!Array.isArray(value) || value.length === 0) throw new InvalidSchema([keyword], 'must be a list of schemas');
      for (const [index, one] of value.entries()) found.push({ at: [keyword, index], schema: one });
    } else {
      if (!isObject(value)) throw new InvalidSchema([keyword], 'must be an object of schemas');
      for (const [name, one] of Object.entries(value)) found.push({ at: [keyword, name], schema: one });
    }
  }
  return found;
}

export function indexSchema(document: unknown): SchemaIndex {
  const places: SchemaIndex['places'] = new Map();
  const resources = new Map<string, Resource>();
  const booleans = createBooleans();

  const enter = (schema: unknown, at: At, outer: Resource): void => {
    if (typeof schema === 'boolean') return;
    if (!isObject(schema)) throw new InvalidSchema(at, 'must be a schema: an object or a boolean');
    if (at.length > MAX_LEVELS * 2)
      throw new InvalidSchema(at.slice(0, 3), `is nested deeper than ${MAX_LEVELS} levels`);
    if (places.size >= MAX_SUBSCHEMAS) {
      throw new InvalidSchema([], `must have at most ${MAX_SUBSCHEMAS} subschemas`);
    }
    const resource = resourceAt(schema, at, { outer, resources });
    const node: SchemaNode = { resource, checks: [], looksBack: false };
    places.set(schema, { node, at });
    addAnchors(schema, node, at);
    for (const below of within(at, () => subschemasOf(schema))) enter(below.schema, [...at, ...below.at], resource);
  };

  const top: Resource = createResource(BASE, document);
  resources.set(BASE, top);
  enter(document, [], top);
  const nodeOf = (schema: unknown) => places.get(schema)?.node ?? booleans(schema);
  const resolve: SchemaIndex['resolve'] = (reference, from, at) =>
    nodeOf(targetOf(reference, from.resource, { at, resources, places }));
  return {
    root: nodeOf(document),
    places,
    nodeOf,
    resolve,
    inPlace(schema) {
      const applied = subschemasOf(schema, IN_PLACE).map((one) => one.schema);
      const place = places.get(schema);
      const { $ref } = schema;
      if ($ref === undefined || place === undefined) return applied;
      return [...applied, targetOf($ref, place.node.resource, { at: place.at, resources, places })];
    },
  };
}

const BASE = 'schema:///';

function createResource(uri: string, root: unknown): Resource {
  return { uri, root, anchors: new Map(), dynamicAnchors: new Map() };
}

/** The resource of a schema. An `$id` begins a new one. */
function resourceAt(
  schema: Record<string, unknown>,
  at: At,
  { outer, resources }: { outer: Resource; resources: Map<string, Resource> },
): Resource {
  const { $id, $schema } = schema;
  if ($schema !== undefined && (typeof $schema !== 'string' || $schema.replace(/#$/, '') !== DRAFT)) {
    throw new InvalidSchema([...at, '$schema'], `must be ${DRAFT}`);
  }
  if ($id === undefined) return outer;
  if (typeof $id !== 'string') throw new InvalidSchema([...at, '$id'], 'must be a string');
  const uri = absolute($id, outer.uri, [...at, '$id']);
  if (uri.fragment !== '') throw new InvalidSchema([...at, '$id'], 'must not have a fragment');
  const resource = createResource(uri.base, schema);
  if (resources.has(uri.base) && at.length > 0) throw new InvalidSchema([...at, '$id'], 'is used twice');
  resources.set(uri.base, resource);
  return resource;
}

function addAnchors(schema: Record<string, unknown>, node: SchemaNode, at: At): void {
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    const name = schema[keyword];
    if (name === undefined) continue;
    if (typeof name !== 'string' || !/^[A-Za-z_][\w.-]*$/.test(name)) {
      throw new InvalidSchema([...at, keyword], 'must be a name of letters, digits, _ . and -');
    }
    if (node.resource.anchors.has(name)) throw new InvalidSchema([...at, keyword], 'is used twice');
    node.resource.anchors.set(name, schema);
    if (keyword === '$dynamicAnchor') node.resource.dynamicAnchors.set(name, node);
  }
}

type Known = { at: At; resources: Map<string, Resource>; places: SchemaIndex['places'] };

/** The schema that a reference leads to, which must be in the document. */
function targetOf(reference: unknown, from: Resource, { at, resources, places }: Known): unknown {
  const uri = absolute(reference, from.uri, at);
  const resource = resources.get(uri.base);
  if (resource === undefined) throw new InvalidSchema(at, 'must refer to a place in this schema: none is fetched');
  if (uri.fragment === '') return resource.root;
  if (!uri.fragment.startsWith('/')) {
    const target = resource.anchors.get(uri.fragment);
    if (target !== undefined) return target;
    throw new InvalidSchema(at, `must refer to a place in this schema: ${uri.fragment.slice(0, 100)} is no anchor`);
  }
  const target = atPointer(resource.root, uri.fragment);
  if (typeof target === 'boolean' || places.has(target)) return target;
  throw new InvalidSchema(at, `must refer to a schema: there is none at ${uri.fragment.slice(0, 100)}`);
}

export function atPointer(root: unknown, pointer: string): unknown {
  let value = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

function absolute(reference: unknown, base: string, at: At): { base: string; fragment: string } {
  if (typeof reference !== 'string') throw new InvalidSchema(at, 'must be a string');
  try {
    // A fragment alone is the usual form, and needs no parsing of addresses.
    if (reference.startsWith('#')) return { base, fragment: decodeURIComponent(reference.slice(1)) };
    const url = new URL(reference, base);
    const fragment = decodeURIComponent(url.hash.slice(1));
    url.hash = '';
    return { base: url.href.replace(/#$/, ''), fragment };
  } catch {
    throw new InvalidSchema(at, 'must be a reference (RFC 3986)');
  }
}

/** Prefixes the places of faults with the place of the schema. */
function within<Result>(at: At, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof InvalidSchema) throw new InvalidSchema([...at, ...error.at], error.message);
    throw error;
  }
}

/** The schemas `true` and `false`. */
function createBooleans(): (schema: unknown) => SchemaNode {
  const resource = createResource('schema:///boolean', true);
  const always: SchemaNode = { resource, checks: [], looksBack: false };
  const never: SchemaNode = {
    resource,
    checks: [(_value, run) => fault(run, 'is not allowed')],
    looksBack: false,
  };
  return (schema) => (schema === false ? never : always);
}
