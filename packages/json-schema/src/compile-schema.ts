import { fieldPath } from '@posthorn/contract/field-path';
import { APPLICATORS } from './applicators.ts';
import { ASSERTIONS } from './assertions.ts';
import { indexSchema, isByName, type SchemaIndex } from './index-schema.ts';
import type { Schema, SchemaNode } from './node.ts';
import { isObject } from './run-schema.ts';
import { type At, createPatternCompiler, InvalidSchema, type Site, takesUnboundedTime } from './site.ts';

export type CompiledSchema =
  | { kind: 'schema'; schema: Schema; warnings: SchemaWarning[] }
  /** `path` names the place in the document, `rule` completes the sentence: `allOf[0].type` `must be …`. */
  | { kind: 'invalid'; path: string; rule: string };

/**
 * A keyword that is stored and published, but not checked. `path` is as for an invalid schema; `message` is a sentence.
 */
export type SchemaWarning = { path: string; message: string };

/**
 * Compiles a JSON Schema of draft 2020-12. Every reference must lead to a place in the document. The limits of the
 * document bound the work; a document of 64 KiB takes some milliseconds.
 */
export function compileSchema(document: unknown): CompiledSchema {
  try {
    const index = indexSchema(document);
    const compilePattern = createPatternCompiler();
    const unchecked = createUnchecked(index);
    for (const [schema, { node, at }] of index.places) {
      if (isObject(schema)) compileNode(schema, node, { index, at, compilePattern, unchecked });
    }
    refuseEndless(index);
    const schema = { root: index.root, names: createNames(document) };
    return { kind: 'schema', schema, warnings: unchecked.warnings };
  } catch (error) {
    if (error instanceof InvalidSchema) return { kind: 'invalid', path: fieldPath(error.at), rule: error.message };
    throw error;
  }
}

/** Keywords that invert: if a schema below one of them accepts more, the payload may fail to fit. */
const TURNING = new Set<string | number>(['not', 'if', 'oneOf', 'contains']);

/** Names do not count, because a property or a definition may be named like a keyword. */
function isBelowTurning(at: At): boolean {
  return at.some((part, index) => TURNING.has(part) && !isName(at, index));
}

/** Whether a part of a place is a name, not a keyword. Some keywords are followed by an index or a name. */
function isName(at: At, index: number): boolean {
  return isByName(at[index - 1]) && !isName(at, index - 1);
}

function createUnchecked(index: SchemaIndex) {
  let mayBeTurned: boolean | undefined;
  const warnings: SchemaWarning[] = [];
  return {
    warnings,
    leave(at: At, does: string) {
      mayBeTurned ??= [...index.places].some(
        ([schema, place]) =>
          isBelowTurning(place.at) && isObject(schema) && ('$ref' in schema || '$dynamicRef' in schema),
      );
      if (mayBeTurned || isBelowTurning(at)) throw new InvalidSchema(at, takesUnboundedTime(does));
      warnings.push({
        path: fieldPath(at),
        message: `This pattern is published, but payloads are not checked by it: it ${does}, which takes unbounded time`,
      });
    },
  };
}

/** The names are collected only when a payload first has a fault. */
function createNames(document: unknown): Schema['names'] {
  let names: Set<string> | undefined;
  return () => {
    if (names === undefined) {
      names = new Set();
      addNames(document, names);
    }
    return names;
  };
}

/** Recursion is safe: `indexSchema` limits how deeply a stored schema is nested. */
function addNames(value: unknown, names: Set<string>): void {
  if (typeof value === 'string') names.add(value);
  if (Array.isArray(value)) for (const one of value) addNames(one, names);
  if (!isObject(value)) return;
  for (const [name, one] of Object.entries(value)) {
    names.add(name);
    addNames(one, names);
  }
}

type Place = {
  index: SchemaIndex;
  at: At;
  compilePattern: Site['compilePattern'];
  unchecked: ReturnType<typeof createUnchecked>;
};

/** Keywords that need the results of other keywords run last. */
const LAST = ['unevaluatedItems', 'unevaluatedProperties'];

function compileNode(schema: Record<string, unknown>, node: SchemaNode, place: Place): void {
  const { index, at, compilePattern, unchecked } = place;
  const names = Object.keys(schema);
  for (const name of [...names.filter((one) => !LAST.includes(one)), ...names.filter((one) => LAST.includes(one))]) {
    const build = buildOf(name);
    if (build === undefined) continue;
    const check = build(schema[name], {
      at: [...at, name],
      siblings: schema,
      nodeOf: index.nodeOf,
      resolve: (reference) => index.resolve(reference, node, [...at, name]),
      compilePattern,
      leaveUnchecked: (does) => unchecked.leave([...at, name], does),
    });
    if (check !== undefined) node.checks.push(check);
  }
  node.looksBack = LAST.some((name) => name in schema);
}

function buildOf(name: string) {
  if (Object.hasOwn(ASSERTIONS, name)) return ASSERTIONS[name];
  return Object.hasOwn(APPLICATORS, name) ? APPLICATORS[name] : undefined;
}

/** Refuses a schema that applies itself to the same value, because its check would never end. */
function refuseEndless(index: SchemaIndex): void {
  const state = new Map<unknown, 'open' | 'done'>();
  const visit = (schema: unknown): void => {
    if (state.get(schema) === 'done') return;
    const place = index.places.get(schema);
    if (place === undefined || !isObject(schema)) return;
    if (state.get(schema) === 'open') throw new InvalidSchema(place.at, 'refers to itself without end');
    state.set(schema, 'open');
    for (const next of index.inPlace(schema)) visit(next);
    state.set(schema, 'done');
  };
  for (const schema of index.places.keys()) visit(schema);
}
