import type { SchemaChange } from '@posthorn/contract/event-types';
import { allowedChanges, CHOICES, listOf, mayOverlap, refusesSome, text } from './allowed-changes.ts';
import { atPointer, subschemasOf } from './index-schema.ts';
import { isObject } from './run-schema.ts';

/** A schema document; null if there is none. */
export type SchemaDocument = Record<string, unknown> | null;

const MAX_CHANGES = 500;
/** The work limit of one comparison, in characters of compared schemas. */
const MAX_CHARACTERS = 1_000_000;
/** The cost of comparing two equal schemas, in characters. */
const CHARACTERS_OF_A_PAIR = 400;
/** The cost of a property that only one schema has, in characters beside its name. */
const CHARACTERS_OF_A_NAME = 30;
/** The longest path. Deeper places are not compared. */
const MAX_PATH_CHARACTERS = 500;

/**
 * The differences of two schemas as receivers see them, breaking ones first, at most 500. A change is breaking if
 * payloads may now arrive that the earlier schema did not allow. `path` is a place in the payload, where `*` stands for
 * every item or every other property. References can make any two subschemas a pair to compare, so the work is limited.
 * If it ends early, the result has a breaking change of the whole schema, because the rest is unknown.
 */
export function schemaChanges(before: SchemaDocument, after: SchemaDocument): SchemaChange[] {
  if (before === null && after === null) return [];
  if (before === null) return [change('', 'added', false, 'has a schema now')];
  if (after === null) return [change('', 'removed', true, 'has no schema any more')];
  const comparison: Comparison = {
    before,
    after,
    found: [],
    compared: { open: new Map(), sealed: new Map() },
    left: MAX_CHARACTERS,
    sizes: new Map(),
    anchors: new Map(),
    changed: new Map(),
  };
  compare(comparison, ROOT, before, after);
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
  /** Pairs of schemas that have been compared. References may lead to the same pair again. */
  compared: { open: Map<unknown, Set<unknown>>; sealed: Map<unknown, Set<unknown>> };
  /** The characters that may still be compared. */
  left: number;
  /** For each subschema, the number of characters that comparing it takes. */
  sizes: Map<unknown, number>;
  /** For each document, its subschemas by anchor name. */
  anchors: Map<unknown, Map<string, unknown>>;
  /** For each reference, whether its target has changed. `open` while the target is being compared. */
  changed: Map<string, boolean | 'open'>;
};

function change(path: string, kind: SchemaChange['change'], breaking: boolean, detail: string): SchemaChange {
  return { path, change: kind, breaking, detail };
}

/** A place in the payload. `isSealed`: a schema for the same value refuses properties that no schema evaluates. */
type Place = { path: string; isSealed: boolean };

const ROOT: Place = { path: '', isSealed: false };

function within({ path }: Place, key: string | number): Place {
  return { path: `${path}/${key}`, isSealed: false };
}

function compare(comparison: Comparison, around: Place, from: unknown, to: unknown): void {
  const { path } = around;
  if (path.length > MAX_PATH_CHARACTERS || comparison.left < 0) return;
  comparison.left -= CHARACTERS_OF_A_PAIR;
  const [a, b] = [plain(comparison, comparison.before, from), plain(comparison, comparison.after, to)];
  const isSealed = around.isSealed || refusesSome(a.unevaluatedProperties);
  const compared = comparison.compared[isSealed ? 'sealed' : 'open'];
  const known = compared.get(a) ?? new Set();
  if (known.has(b)) return;
  compared.set(a, known.add(b));
  comparison.left -= sizeOf(comparison, a) + sizeOf(comparison, b);
  if (comparison.left < 0) return;
  const place = { path, isSealed };
  const meant = (schema: unknown) => meantBefore(comparison, schema);
  for (const one of allowedChanges(a, b, { meant, isSealed })) comparison.found.push({ path, ...one });
  compareProperties(comparison, place, a, b);
  compareTargets(comparison, place, a, b);
  for (const keyword of ['items', 'additionalProperties', 'contains']) {
    if (isObject(a[keyword]) && isObject(b[keyword])) compare(comparison, within(place, '*'), a[keyword], b[keyword]);
  }
  const tuple = listOf(a.prefixItems);
  for (const [index, schema] of listOf(b.prefixItems).entries()) {
    // In the earlier schema, an item at a new place was one of the other items.
    const wasIn = index < tuple.length;
    const former = wasIn ? tuple[index] : a.items;
    if (wasIn || isObject(former)) compare(comparison, within(place, index), former, schema);
  }
}

function compareProperties(
  comparison: Comparison,
  place: Place,
  a: Record<string, unknown>,
  b: Record<string, unknown>,
): void {
  const [propertiesA, propertiesB] = [mapOf(a.properties), mapOf(b.properties)];
  const [requiredA, requiredB] = [new Set(listOf(a.required)), new Set(listOf(b.required))];
  const refusesOthers = place.isSealed || a.additionalProperties === false;
  for (const name of new Set([
    ...propertiesA.keys(),
    ...propertiesB.keys(),
    ...names(requiredA),
    ...names(requiredB),
  ])) {
    const property = within(place, name.replaceAll('~', '~0').replaceAll('/', '~1'));
    const { path: at } = property;
    const [isIn, wasIn] = [propertiesB.has(name), propertiesA.has(name)];
    if (wasIn && !isIn) {
      comparison.found.push(change(at, 'removed', true, 'is no longer described'));
      continue;
    }
    if (isIn && !wasIn) comparison.found.push(change(at, 'added', refusesOthers, 'is described now'));
    if (requiredA.has(name) && !requiredB.has(name)) {
      comparison.found.push(change(at, 'required', true, 'is no longer required: it may be missing'));
    }
    if (!requiredA.has(name) && requiredB.has(name)) {
      comparison.found.push(change(at, 'required', false, 'is required now'));
    }
    // In the earlier schema, a new property was one of the other properties.
    const former = propertiesA.get(name) ?? a.additionalProperties;
    if (isIn && (wasIn || isObject(former))) compare(comparison, property, former, propertiesB.get(name));
  }
}

/** A part with unchanged text may have a new meaning, because its references may lead to something else. */
function compareTargets(
  comparison: Comparison,
  place: Place,
  a: Record<string, unknown>,
  b: Record<string, unknown>,
): void {
  compareWritten(comparison, place, a, b);
  compareConditions(comparison, place, a, b);
  compareAlternatives(comparison, place, a, b);
  if (typeof a.$ref === 'string' && a.$ref.startsWith('#') && a.$ref === b.$ref) {
    const from = targetOf(comparison, comparison.before, a.$ref);
    const to = targetOf(comparison, comparison.after, a.$ref);
    if (from !== undefined && to !== undefined) compare(comparison, place, from, to);
  }
  for (const keyword of CHOICES) {
    const written = new Map(listOf(b[keyword]).map((one) => [text(one), one]));
    for (const one of listOf(a[keyword])) {
      const same = text(one).includes('"$ref"') ? written.get(text(one)) : undefined;
      if (same !== undefined) compare(comparison, place, one, same);
    }
  }
}

function compareWritten(
  comparison: Comparison,
  place: Place,
  a: Record<string, unknown>,
  b: Record<string, unknown>,
): void {
  for (const [keyword, isAbout] of WRITTEN) {
    if (!isAlikeWithReference(a[keyword], b[keyword])) continue;
    for (const { at, schema } of subschemasOf({ [keyword]: a[keyword] })) {
      const [, name] = at;
      const other = name === undefined ? b[keyword] : mapOf(b[keyword]).get(String(name));
      compare(comparison, placeOf(isAbout, place), schema, other);
    }
  }
}

function placeOf(isAbout: About, place: Place): Place {
  if (isAbout === 'a part') return within(place, '*');
  return isAbout === 'a name' ? { ...place, isSealed: false } : place;
}

/** If their schema is narrower, `not` and `if` may allow more. So every change of what they refer to counts. */
function compareConditions(
  comparison: Comparison,
  { path }: Place,
  a: Record<string, unknown>,
  b: Record<string, unknown>,
): void {
  for (const keyword of ['not', 'if']) {
    if (!isAlikeWithReference(a[keyword], b[keyword])) continue;
    if (!leadsElsewhere(comparison, keyword, a[keyword])) continue;
    comparison.found.push(change(path, 'constraint', true, `${keyword} refers to a schema that has changed`));
  }
  // If `contains` is narrower, fewer items count towards the limit, so more lists are allowed.
  if (a.maxContains === undefined || b.maxContains === undefined) return;
  if (!isObject(a.contains) || !isObject(b.contains)) return;
  if (text(a.contains) === text(b.contains) && !leadsElsewhere(comparison, 'contains', a.contains)) return;
  comparison.found.push(change(path, 'constraint', true, 'contains has changed beside maxContains'));
}

/** If a target is narrower, `oneOf` may allow a value that fitted two alternatives before. */
function compareAlternatives(
  comparison: Comparison,
  { path }: Place,
  a: Record<string, unknown>,
  b: Record<string, unknown>,
): void {
  const written = new Set(listOf(b.oneOf).map(text));
  const stay = listOf(a.oneOf).filter((one) => written.has(text(one)));
  if (stay.length < 2 || !stay.some((one) => text(one).includes('"$ref"'))) return;
  if (!mayOverlap(stay.map((one) => meantBefore(comparison, one)))) return;
  if (!leadsElsewhere(comparison, 'oneOf', stay)) return;
  comparison.found.push(change(path, 'constraint', true, 'oneOf refers to a schema that has changed'));
}

/** The schema that an alternative of the earlier schema refers to. */
function meantBefore(comparison: Comparison, schema: unknown): unknown {
  if (!isObject(schema) || typeof schema.$ref !== 'string' || comparison.left < 0) return schema;
  const meant = plain(comparison, comparison.before, schema);
  comparison.left -= JSON.stringify(meant).length;
  return meant;
}

function isAlikeWithReference(a: unknown, b: unknown): boolean {
  return a !== undefined && text(a).includes('"$ref"') && text(a) === text(b);
}

type About = 'the value' | 'a name' | 'a part';

/** Keywords that are compared by their text, and what their schemas apply to. */
const WRITTEN: [keyword: string, isAbout: About][] = [
  ['then', 'the value'],
  ['else', 'the value'],
  ['dependentSchemas', 'the value'],
  ['propertyNames', 'a name'],
  ['patternProperties', 'a part'],
  ['unevaluatedProperties', 'a part'],
  ['unevaluatedItems', 'a part'],
];

/** Whether anything that a keyword refers to has changed. */
function leadsElsewhere(comparison: Comparison, keyword: string, value: unknown): boolean {
  const open = subschemasOf({ [keyword]: value });
  for (const { schema } of open) {
    comparison.left -= CHARACTERS_OF_A_NAME;
    if (comparison.left < 0 || !isObject(schema)) continue;
    open.push(...subschemasOf(schema));
    const { $ref } = schema;
    if (typeof $ref === 'string' && $ref.startsWith('#') && isChanged(comparison, $ref)) return true;
  }
  return false;
}

function isChanged(comparison: Comparison, reference: string): boolean {
  const known = comparison.changed.get(reference);
  if (known !== undefined) return known === true;
  comparison.changed.set(reference, 'open');
  const apart: Comparison = { ...comparison, found: [], compared: { open: new Map(), sealed: new Map() } };
  const [from, to] = [comparison.before, comparison.after].map((document) => targetOf(apart, document, reference));
  compare(apart, ROOT, from, to);
  comparison.left = apart.left;
  const isFound = apart.found.length > 0;
  comparison.changed.delete(reference);
  // A target that is still being compared counts as unchanged, so do not store a result that may depend on it.
  const isKnown = isFound || ![...comparison.changed.values()].includes('open');
  if (isKnown) comparison.changed.set(reference, isFound);
  return isFound;
}

/** The schema that a reference within the document leads to. */
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

/**
 * The schema as an object: follows a reference within the document, and reads `true` as a schema that allows
 * everything.
 */
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

/** The size of a subschema in characters, without its properties and definitions, which are compared separately. */
function sizeOf({ sizes }: Comparison, schema: Record<string, unknown>): number {
  const known = sizes.get(schema);
  if (known !== undefined) return known;
  const { $defs, definitions, properties, ...own } = schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const size = JSON.stringify([own, names]).length + names.length * CHARACTERS_OF_A_NAME;
  sizes.set(schema, size);
  return size;
}

/** Keywords beside a reference that neither allow nor forbid anything. */
const NOTES = ['title', 'description', '$comment', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'];

function mapOf(value: unknown): Map<string, unknown> {
  return new Map(isObject(value) ? Object.entries(value) : []);
}

function names(required: ReadonlySet<unknown>): string[] {
  return [...required].filter((one): one is string => typeof one === 'string');
}
