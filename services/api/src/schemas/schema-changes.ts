import type { SchemaChange } from '@posthorn/contract/event-types';
import { allowedChanges, CHOICES, isClosed, text } from './allowed-changes.ts';
import { atPointer, subschemasOf } from './index-schema.ts';
import { isObject } from './run-schema.ts';

/** A schema document; null where there is none. */
export type SchemaDocument = Record<string, unknown> | null;

const MAX_CHANGES = 500;
/** The work of one comparison, in characters of schemas that are looked at. */
const MAX_CHARACTERS = 1_000_000;
/** The work on two equal schemas, in as many characters. */
const CHARACTERS_OF_A_PAIR = 400;
/** The work on one property that only one of them has, beside its name. */
const CHARACTERS_OF_A_NAME = 30;
/** Deeper places are not compared. */
const MAX_PATH_CHARACTERS = 500;

/**
 * The differences of two schemas as receivers see them, the breaking ones first, at most 500. A change is breaking when
 * payloads may now come that the schema of before did not allow. `path` is a place in the payload, where `*` stands for
 * every item or every other property. References can lead to a pair of subschemas for each two of them, so the work is
 * bounded: where it ends, a breaking change of the whole schema is told, because the rest is not known.
 */
export function schemaChanges(before: SchemaDocument, after: SchemaDocument): SchemaChange[] {
  if (before === null && after === null) return [];
  if (before === null) return [change('', 'added', false, 'has a schema now')];
  if (after === null) return [change('', 'removed', true, 'has no schema any more')];
  const comparison: Comparison = {
    before,
    after,
    found: [],
    compared: new Map(),
    left: MAX_CHARACTERS,
    sizes: new Map(),
    anchors: new Map(),
  };
  compare(comparison, '', before, after);
  const { found } = comparison;
  if (comparison.left < 0) found.unshift(change('', 'constraint', true, 'takes too much work to compare as a whole'));
  return [...found.filter(({ breaking }) => breaking), ...found.filter(({ breaking }) => !breaking)].slice(
    0,
    MAX_CHANGES,
  );
}

type Comparison = {
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  found: SchemaChange[];
  /** Pairs of schemas that have been compared: references may lead to one again. */
  compared: Map<unknown, Set<unknown>>;
  /** The characters that may still be looked at. */
  left: number;
  /** By the subschema, the characters that a comparison of it looks at. */
  sizes: Map<unknown, number>;
  /** By the document, its subschemas that have a name. */
  anchors: Map<unknown, Map<string, unknown>>;
};

function change(path: string, kind: SchemaChange['change'], breaking: boolean, detail: string): SchemaChange {
  return { path, change: kind, breaking, detail };
}

function compare(comparison: Comparison, path: string, from: unknown, to: unknown): void {
  if (path.length > MAX_PATH_CHARACTERS || comparison.left < 0) return;
  comparison.left -= CHARACTERS_OF_A_PAIR;
  const [a, b] = [plain(comparison, comparison.before, from), plain(comparison, comparison.after, to)];
  const known = comparison.compared.get(a) ?? new Set();
  if (known.has(b)) return;
  comparison.compared.set(a, known.add(b));
  comparison.left -= sizeOf(comparison, a) + sizeOf(comparison, b);
  if (comparison.left < 0) return;
  for (const one of allowedChanges(a, b)) comparison.found.push({ path, ...one });
  compareProperties(comparison, path, a, b);
  compareTargets(comparison, path, a, b);
  for (const [keyword, place] of [
    ['items', '*'],
    ['additionalProperties', '*'],
    ['contains', '*'],
  ] as const) {
    if (isObject(a[keyword]) && isObject(b[keyword])) compare(comparison, `${path}/${place}`, a[keyword], b[keyword]);
  }
  const [tupleA, tupleB] = [listOf(a.prefixItems), listOf(b.prefixItems)];
  for (let index = 0; index < Math.min(tupleA.length, tupleB.length); index += 1) {
    compare(comparison, `${path}/${index}`, tupleA[index], tupleB[index]);
  }
}

function compareProperties(
  comparison: Comparison,
  path: string,
  a: Record<string, unknown>,
  b: Record<string, unknown>,
): void {
  const [propertiesA, propertiesB] = [mapOf(a.properties), mapOf(b.properties)];
  const [requiredA, requiredB] = [new Set(listOf(a.required)), new Set(listOf(b.required))];
  for (const name of new Set([
    ...propertiesA.keys(),
    ...propertiesB.keys(),
    ...names(requiredA),
    ...names(requiredB),
  ])) {
    const at = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const [isIn, wasIn] = [propertiesB.has(name), propertiesA.has(name)];
    if (wasIn && !isIn) {
      comparison.found.push(change(at, 'removed', true, 'is no longer described'));
      continue;
    }
    if (isIn && !wasIn) comparison.found.push(change(at, 'added', isClosed(a), 'is described now'));
    if (requiredA.has(name) && !requiredB.has(name)) {
      comparison.found.push(change(at, 'required', true, 'is no longer required: it may be missing'));
    }
    if (!requiredA.has(name) && requiredB.has(name)) {
      comparison.found.push(change(at, 'required', false, 'is required now'));
    }
    if (isIn && wasIn) compare(comparison, at, propertiesA.get(name), propertiesB.get(name));
  }
}

/** What is written as before may mean something else: its references may lead to something else. */
function compareTargets(
  comparison: Comparison,
  path: string,
  a: Record<string, unknown>,
  b: Record<string, unknown>,
): void {
  if (typeof a.$ref === 'string' && a.$ref.startsWith('#') && a.$ref === b.$ref) {
    const from = targetOf(comparison, comparison.before, a.$ref);
    const to = targetOf(comparison, comparison.after, a.$ref);
    if (from !== undefined && to !== undefined) compare(comparison, path, from, to);
  }
  for (const keyword of CHOICES) {
    const written = new Map(listOf(b[keyword]).map((one) => [text(one), one]));
    for (const one of listOf(a[keyword])) {
      const same = text(one).includes('"$ref"') ? written.get(text(one)) : undefined;
      if (same !== undefined) compare(comparison, path, one, same);
    }
  }
}

/** The schema that a reference within the document means. */
function targetOf(comparison: Comparison, document: Record<string, unknown>, reference: string): unknown {
  const fragment = decodeURIComponent(reference.slice(1));
  if (fragment === '') return document;
  return fragment.startsWith('/') ? atPointer(document, fragment) : anchorsOf(comparison, document).get(fragment);
}

function anchorsOf({ anchors }: Comparison, document: unknown): Map<string, unknown> {
  const known = anchors.get(document);
  if (known !== undefined) return known;
  const found = new Map<string, unknown>();
  const visit = (schema: unknown): void => {
    if (!isObject(schema)) return;
    for (const name of [schema.$anchor, schema.$dynamicAnchor]) if (typeof name === 'string') found.set(name, schema);
    for (const below of subschemasOf(schema)) visit(below.schema);
  };
  visit(document);
  anchors.set(document, found);
  return found;
}

/** The schema as an object: a reference within the document is followed, `true` allows everything. */
function plain(comparison: Comparison, document: Record<string, unknown>, schema: unknown): Record<string, unknown> {
  let current = schema;
  for (let steps = 0; steps < 20; steps += 1) {
    if (!isObject(current)) return current === false ? { not: {} } : {};
    const { $ref, ...rest } = current;
    if (typeof $ref !== 'string' || !$ref.startsWith('#') || Object.keys(rest).some((key) => !NOTES.includes(key)))
      break;
    comparison.left -= $ref.length;
    const target = targetOf(comparison, document, $ref);
    if (target === undefined) break;
    current = target;
  }
  return isObject(current) ? current : {};
}

/** The characters of a subschema without those of its properties and definitions: they are compared apart. */
function sizeOf({ sizes }: Comparison, schema: Record<string, unknown>): number {
  const known = sizes.get(schema);
  if (known !== undefined) return known;
  const { $defs, definitions, properties, ...own } = schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const size = JSON.stringify([own, names]).length + names.length * CHARACTERS_OF_A_NAME;
  sizes.set(schema, size);
  return size;
}

/** Keywords beside a reference that allow and forbid nothing. */
const NOTES = ['title', 'description', '$comment', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'];

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function mapOf(value: unknown): Map<string, unknown> {
  return new Map(isObject(value) ? Object.entries(value) : []);
}

function names(required: ReadonlySet<unknown>): string[] {
  return [...required].filter((one): one is string => typeof one === 'string');
}
