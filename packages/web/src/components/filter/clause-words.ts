import type { FilterAnswer } from '../../client/resources.ts';
import { type ClauseLeaf, type ClauseNode, clauseTree } from './clause-tree.ts';

type FilterOperator = FilterAnswer['clauses'][number]['operator'];

/** Add words here for each new operator of the contract. The words for `exists` depend on its value. */
const VERBS: Readonly<Record<Exclude<FilterOperator, 'exists'>, string>> = {
  eq: 'is',
  ne: 'is not',
  in: 'is one of',
  gt: 'is above',
  gte: 'is at least',
  lt: 'is below',
  lte: 'is at most',
  startsWith: 'starts with',
  endsWith: 'ends with',
  contains: 'contains',
};

/** A comparison as words: `data.amount is at least 1000`. An operator that is unknown stays as it is written. */
export function leafWords({ path, operator, expected }: ClauseLeaf): string {
  if (operator === 'exists' && typeof expected === 'boolean') return `${path} ${expected ? 'exists' : 'is absent'}`;
  const verb = hasVerb(operator) ? VERBS[operator] : operator;
  return `${path} ${verb} ${valueWords(expected)}`;
}

function hasVerb(operator: string): operator is keyof typeof VERBS {
  return Object.hasOwn(VERBS, operator);
}

/** What a group asks of its members. */
export const GROUP_WORDS = { all: 'all of these hold', any: 'any of these holds', not: 'this does not hold' } as const;

/** A filter in one line: `total is at least 2000 and (currency is "EUR" or not (test is true))`. */
export function filterWords(filter: object): string {
  const tree = clauseTree(JSON.stringify(filter));
  return tree === undefined ? JSON.stringify(filter) : nodeWords(tree, true);
}

function nodeWords(node: ClauseNode, isOutermost: boolean): string {
  if (node.kind === 'clause') return leafWords(node);
  const parts = node.of.map((one) => nodeWords(one, false));
  if (node.kind === 'not') return `not (${parts.join(' and ')})`;
  const words = parts.join(node.kind === 'all' ? ' and ' : ' or ');
  return isOutermost || parts.length === 1 ? words : `(${words})`;
}

function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(one)).join(', ');
  return JSON.stringify(value);
}
