import type { Steps } from './steps.ts';

/** A JSON Schema that is ready to check payloads. */
export type Schema = {
  root: SchemaNode;
  /** Every name and text of the document: what a payload has besides is its own. */
  names: () => ReadonlySet<string>;
};

/** A fault of a payload. `withoutKeys` has `*` instead of each key that is not in the schema. */
export type SchemaFault = { text: string; withoutKeys: string };

/** One subschema. */
export type SchemaNode = {
  resource: Resource;
  /** In the order in which they must run: those that look at what the others evaluated are last. */
  checks: Check[];
  /** Whether it looks at what the other keywords evaluated (`unevaluatedProperties`, `unevaluatedItems`). */
  looksBack: boolean;
};

/** What has its own `$id`, and the places in it that references name. */
export type Resource = {
  uri: string;
  root: unknown;
  /** By their names, the subschemas as they are written. */
  anchors: Map<string, object>;
  dynamicAnchors: Map<string, SchemaNode>;
};

/** Whether a value fits one keyword. It tells faults and evaluated parts to the run. */
export type Check = (value: unknown, run: Run, seen: Seen | null) => boolean;

/** The parts of a value that keywords have evaluated; kept only where a keyword asks for it. */
export type Seen = { properties: Set<string>; items: Set<number>; allProperties: boolean; allItems: boolean };

/** One validation. */
export type Run = {
  steps: Steps;
  /** The place in the payload. */
  path: (string | number)[];
  faults: SchemaFault[];
  names: Schema['names'];
  /** Above 0 within `anyOf`, `not` and the like: a fault there is no fault of the payload. */
  muted: number;
  depth: number;
  /** The resources that are entered, for `$dynamicRef`. */
  scope: Resource[];
  /** The keys of an object are listed once. */
  keys: Map<object, string[]>;
};
