import type { Resource, Run, Schema, SchemaFault, SchemaNode, Seen } from './node.ts';
import { OutOfSteps, type Steps, spend } from './steps.ts';

/**
 * The work limit of one validation: some 25 to 50 ms on a busy machine. A payload that needs more does not fit. A step
 * is about the work of one keyword on one value.
 */
const MAX_STEPS = 100_000;
const MAX_DEPTH = 250;
const MAX_ERRORS = 10;
const MAX_POINTER_CHARACTERS = 200;

/** The faults of a value, at most 10, such as `/total must be number`; empty if it fits. */
export function checkValue(schema: Schema, value: unknown, steps?: Steps): string[] {
  return findFaults(schema, value, steps).map(({ text }) => text);
}

/** The faults of a value, at most 10, with and without its keys; empty if it fits. */
export function findFaults(schema: Schema, value: unknown, steps: Steps = { left: MAX_STEPS }): SchemaFault[] {
  const run: Run = { steps, path: [], faults: [], names: schema.names, muted: 0, depth: 0, scope: [], keys: new Map() };
  try {
    fits(schema.root, value, run, null);
  } catch (error) {
    if (error instanceof EnoughFaults) return run.faults;
    if (!(error instanceof OutOfSteps)) throw error;
    return [...run.faults, faultOfWhole('The payload takes too much work to check')].slice(-MAX_ERRORS);
  }
  return run.faults;
}

/** A fault that names no place. */
export function faultOfWhole(text: string): SchemaFault {
  return { text, withoutKeys: text };
}

/** Thrown with the last fault to report, because nothing else can change the outcome. */
class EnoughFaults extends Error {}

/** Whether the value fits the subschema. After a mismatch, the rest is checked only to report more faults. */
export function fits(node: SchemaNode, value: unknown, run: Run, seen: Seen | null): boolean {
  spend(run.steps, 2 + node.checks.length);
  if (run.depth >= MAX_DEPTH) throw new OutOfSteps('nested too deeply');
  run.depth += 1;
  const entersResource = run.scope.at(-1) !== node.resource;
  if (entersResource) run.scope.push(node.resource);
  const mine = node.looksBack ? nothingSeen() : seen;
  let isFit = true;
  for (const check of node.checks) {
    if (check(value, run, mine)) continue;
    isFit = false;
    if (run.muted > 0) break;
  }
  if (isFit && mine !== null && seen !== null && mine !== seen) merge(mine, seen);
  if (entersResource) run.scope.pop();
  run.depth -= 1;
  return isFit;
}

/** Whether the value fits, without reporting faults. The caller decides what the result means. */
export function fitsQuietly(node: SchemaNode, value: unknown, run: Run, seen: Seen | null): boolean {
  const mine = seen === null ? null : nothingSeen();
  run.muted += 1;
  const isFit = fits(node, value, run, mine);
  run.muted -= 1;
  if (isFit && mine !== null && seen !== null) {
    spend(run.steps, 2 * (mine.properties.size + mine.items.size));
    merge(mine, seen);
  }
  return isFit;
}

/** Checks a part of the value. */
export function fitsAt(key: string | number, node: SchemaNode, value: unknown, run: Run): boolean {
  run.path.push(key);
  const isFit = fits(node, value, run, null);
  run.path.pop();
  return isFit;
}

/** Reports a fault at the present place, or at a property of it. Always false. */
export function fault(run: Run, rule: string, property?: string): false {
  if (run.muted > 0) return false;
  const path = property === undefined ? run.path : [...run.path, property];
  const names = run.names();
  const known = path.map((key) => (typeof key === 'number' || names.has(key) ? key : '*'));
  run.faults.push({
    text: printable(`${placeOf(path)} ${rule}`),
    withoutKeys: printable(`${placeOf(known)} ${rule}`),
  });
  if (run.faults.length >= MAX_ERRORS) throw new EnoughFaults('enough faults');
  return false;
}

function printable(text: string): string {
  return text.replaceAll(/\p{Cs}/gu, '\ufffd').replaceAll(/\p{Cc}/gu, '\ufffd');
}

/** A JSON pointer (RFC 6901), shortened because keys may be as long as a payload. */
function placeOf(path: readonly (string | number)[]): string {
  if (path.length === 0) return 'The payload';
  let pointer = '';
  for (const key of path) {
    pointer += `/${String(key).slice(0, MAX_POINTER_CHARACTERS).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (pointer.length > MAX_POINTER_CHARACTERS) return `${pointer.slice(0, MAX_POINTER_CHARACTERS)}…`;
  }
  return pointer;
}

/** An object's own keys, listed once in a run. */
export function keysOf(value: object, run: Run): readonly string[] {
  const known = run.keys.get(value);
  if (known !== undefined) return known;
  const keys = Object.keys(value);
  spend(run.steps, keys.length);
  run.keys.set(value, keys);
  return keys;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of an own property. A parsed JSON text may have one called `__proto__`. */
export function propertyOf(value: object, key: string): unknown {
  return Reflect.get(value, key);
}

function nothingSeen(): Seen {
  return { properties: new Set(), items: new Set(), allProperties: false, allItems: false };
}

function merge(from: Seen, into: Seen): void {
  for (const property of from.properties) into.properties.add(property);
  for (const item of from.items) into.items.add(item);
  into.allProperties ||= from.allProperties;
  into.allItems ||= from.allItems;
}

/** The target of a dynamic reference, in the outermost resource with the anchor. */
export function dynamicTarget(anchor: string, scope: readonly Resource[]): SchemaNode | undefined {
  return scope.find((resource) => resource.dynamicAnchors.has(anchor))?.dynamicAnchors.get(anchor);
}
