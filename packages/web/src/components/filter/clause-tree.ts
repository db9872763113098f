/** A filter as its author wrote it. `place` is the service's name of a part, such as `or[0].data.amount.gte`. */
export type ClauseNode =
  | { kind: 'all' | 'any' | 'not'; place: string; of: readonly ClauseNode[] }
  | { kind: 'clause'; place: string; path: string; operator: string; expected: unknown };

export type ClauseLeaf = Extract<ClauseNode, { kind: 'clause' }>;

/** A filter has at most 4 KiB and 5 levels. Larger or deeper ones are refused, so they need no summary. */
const MAX_CHARACTERS = 20_000;
const MAX_LEVELS = 8;

/**
 * The clauses of a filter's text, in its order (docs/interface.md, Filters); undefined for a text that is not a JSON
 * object. Parts that the service would refuse are kept as written.
 */
export function clauseTree(text: string): ClauseNode | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  try {
    const filter: unknown = JSON.parse(text);
    return isObject(filter) ? nodeOf(filter, '', 1) : undefined;
  } catch {
    return undefined; // Not JSON, or not yet complete.
  }
}

/** The comparisons of a filter, in the filter's order. */
export function leavesOf(node: ClauseNode): ClauseLeaf[] {
  return node.kind === 'clause' ? [node] : node.of.flatMap(leavesOf);
}

/** Whether a part of a filter is true, from its comparisons; undefined if one of them is unknown. */
export function holdsOf(node: ClauseNode, leafHolds: (leaf: ClauseLeaf) => boolean | undefined): boolean | undefined {
  if (node.kind === 'clause') return leafHolds(node);
  const of = node.of.map((one) => holdsOf(one, leafHolds));
  if (of.includes(undefined)) return undefined;
  if (node.kind === 'any') return of.includes(true);
  return node.kind === 'all' ? !of.includes(false) : of.includes(false);
}

function nodeOf(filter: object, place: string, level: number): ClauseNode {
  const of = Object.entries(filter).flatMap(([key, value]) => nodesOf(key, value, at(place, key), level));
  const [first] = of;
  return of.length === 1 && first !== undefined ? first : { kind: 'all', place, of };
}

function nodesOf(key: string, value: unknown, place: string, level: number): ClauseNode[] {
  const isDeep = level >= MAX_LEVELS;
  if ((key === 'and' || key === 'or') && Array.isArray(value) && !isDeep) {
    const of = value.map((one: unknown, index) => memberOf(one, `${place}[${index}]`, level + 1));
    return [{ kind: key === 'and' ? 'all' : 'any', place, of }];
  }
  if (key === 'not' && isObject(value) && !isDeep)
    return [{ kind: 'not', place, of: [nodeOf(value, place, level + 1)] }];
  if (Array.isArray(value)) return [{ kind: 'clause', place, path: key, operator: 'in', expected: value }];
  if (!isObject(value)) return [{ kind: 'clause', place, path: key, operator: 'eq', expected: value }];
  return Object.entries(value).map(([operator, expected]) => ({
    kind: 'clause',
    place: at(place, operator),
    path: key,
    operator,
    expected,
  }));
}

function memberOf(value: unknown, place: string, level: number): ClauseNode {
  if (isObject(value)) return nodeOf(value, place, level);
  return { kind: 'clause', place, path: '', operator: 'eq', expected: value };
}

function at(place: string, key: string): string {
  return place === '' ? key : `${place}.${key}`;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
