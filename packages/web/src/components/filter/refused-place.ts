import type { ClauseNode } from './clause-tree.ts';

/**
 * The part of a filter that a refusal names, such as `data.amount.gte` of `filter.data.amount.gte must be a number or a
 * string`; an empty text where it names the whole filter. The longest place is meant where several fit.
 */
export function refusedPlace(tree: ClauseNode, message: string): string {
  const named = placesOf(tree).filter((place) => message.startsWith(`filter.${place} `));
  return named.sort((left, right) => right.length - left.length)[0] ?? '';
}

function placesOf(node: ClauseNode): string[] {
  return node.kind === 'clause' ? [node.place] : [node.place, ...node.of.flatMap(placesOf)];
}
