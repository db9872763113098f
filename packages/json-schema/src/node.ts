import type { Steps } from './steps.ts';

/** A JSON Schema that is ready to check payloads. */
export type Schema = {
  root: SchemaNode;
  /** Every name and text in the document. All other names in a payload are the payload's own. */
  names: () => ReadonlySet<string>;
};

/** A fault of a payload. `withoutKeys` has `*` in place of each key that is not in the schema. */
export type SchemaFault = { text: string; withoutKeys: string };

/** One subschema. */
export type SchemaNode = {
  resource: Resource;
  /** The checks in the order in which they must run. Those that need what others evaluated come last. */
  checks: Check[];
  /** Whether it needs to know what other keywords evaluated (`unevaluatedProperties`, `unevaluatedItems`). */
  looksBack: boolean;
};

/** A schema with its own `$id`, and the places in it that references name. */
export type Resource = {
  uri: string;
  root: unknown;
  /** The subschemas, as written, by anchor name. */
  anchors: Map<string, object>;
  dynamicAnchors: Map<string, SchemaNode>;
};

/** Whether a value fits one keyword. Reports faults and evaluated parts to the run. */
export type Check = (value: unknown, run: Run, seen: Seen | null) => boolean;

/** The parts of a value that keywords have evaluated. Tracked only if a keyword needs it. */
export type Seen = { properties: Set<string>; items: Set<number>; allProperties: boolean; allItems: boolean };

/** One validation. */
export type Run = {
  steps: Steps;
  /** The present place in the payload. */
  path: (string | number)[];
  faults: SchemaFault[];
  names: Schema['names'];
  /** Above 0 inside `anyOf`, `not` and the like, where a mismatch is not a fault of the payload. */
  muted: number;
  depth: number;
  /** The resources on the way to this place, for `$dynamicRef`. */
  scope: Resource[];
  /** The keys of each object, so that they are listed only once. */
  keys: Map<object, string[]>;
};
