import type { FilterAnswer } from '../../client/resources.ts';
import { t } from '../../language/language.ts';
import { type ClauseLeaf, type ClauseNode, clauseTree } from './clause-tree.ts';

type FilterOperator = FilterAnswer['clauses'][number]['operator'];

/** The words for operators. Add new operators of the contract here. The words for `exists` depend on its value. */
const VERBS: Readonly<Record<Exclude<FilterOperator, 'exists'>, string>> = {
  eq: t('is'),
  ne: t('is not'),
  in: t('is one of'),
  gt: t('is above'),
  gte: t('is at least'),
  lt: t('is below'),
  lte: t('is at most'),
  startsWith: t('starts with'),
  endsWith: t('ends with'),
  contains: t('contains'),
};

/** A comparison in words: `data.amount is at least 1000`. An unknown operator is shown as written. */
export function leafWords({ path, operator, expected }: ClauseLeaf): string {
  if (operator === 'exists' && typeof expected === 'boolean')
    return `${path} ${expected ? t('exists') : t('is absent')}`;
  const verb = hasVerb(operator) ? VERBS[operator] : operator;
  return `${path} ${verb} ${valueWords(expected)}`;
}

function hasVerb(operator: string): operator is keyof typeof VERBS {
  return Object.hasOwn(VERBS, operator);
}

/** The rule of each kind of group, before its members. */
export const GROUP_WORDS = {
  all: t('all of these hold'),
  any: t('any of these holds'),
  not: t('this does not hold'),
} as const;

/** A filter in one line: `total is at least 2000 and (currency is "EUR" or not (test is true))`. */
export function filterWords(filter: object): string {
  const tree = clauseTree(JSON.stringify(filter));
  return tree === undefined ? JSON.stringify(filter) : nodeWords(tree, true);
}

function nodeWords(node: ClauseNode, isOutermost: boolean): string {
  if (node.kind === 'clause') return leafWords(node);
  const parts = node.of.map((one) => nodeWords(one, false));
  if (node.kind === 'not') return t('not ({clause})', { clause: parts.join(t(' and ')) });
  const words = parts.join(node.kind === 'all' ? t(' and ') : t(' or '));
  return isOutermost || parts.length === 1 ? words : `(${words})`;
}

function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(one)).join(', ');
  return JSON.stringify(value);
}
