import type { SchemaNode } from './node.ts';
import { type ParsedPattern, parsePattern } from './pattern.ts';

/** The keys and indices that lead to a place in the document. */
export type At = readonly (string | number)[];

/** A keyword of a subschema that is being compiled. */
export type Site = {
  /** The place in the document. */
  at: At;
  /** The subschema that has the keyword. */
  siblings: Record<string, unknown>;
  /** The compiled subschema at this object or boolean. */
  nodeOf: (schema: unknown) => SchemaNode;
  /** The subschema that a reference leads to. */
  resolve: (reference: unknown) => SchemaNode;
  /** Compiles a pattern, and counts it towards the limit for the whole document. */
  compilePattern: (source: string, at: At) => Exclude<ParsedPattern, { kind: 'invalid' }>;
  /**
   * Leaves the keyword unchecked, and warns the schema's owner. `does` says what would take unbounded time. If an
   * unchecked keyword would refuse payloads, as inside `not`, the schema is refused.
   */
  leaveUnchecked: (does: string) => void;
};

/** A fault of a schema. The message completes a sentence about the place. */
export class InvalidSchema extends Error {
  readonly at: At;
  constructor(at: At, rule: string) {
    super(rule);
    this.at = at;
  }
}

/** Completes a sentence about a refused pattern. */
export const takesUnboundedTime = (does: string) => `must not be a pattern that ${does}: that takes unbounded time`;

const MAX_PATTERN_STATES = 2_000;

/** Compiles the patterns of one document, within limits for all of them together. */
export function createPatternCompiler(): Site['compilePattern'] {
  const classes = new Map();
  const known = new Map<string, ReturnType<Site['compilePattern']>>();
  let states = 0;
  return (source, at) => {
    const before = known.get(source);
    if (before !== undefined) return before;
    const parsed = parsePattern(source, classes);
    if (parsed.kind === 'invalid') throw new InvalidSchema(at, parsed.rule);
    if (parsed.kind === 'pattern') states += parsed.pattern.states;
    if (states > MAX_PATTERN_STATES) {
      throw new InvalidSchema(at, `is too much: the patterns of a schema have at most ${MAX_PATTERN_STATES} states`);
    }
    known.set(source, parsed);
    return parsed;
  };
}
