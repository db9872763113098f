import { Alert, Stack, Text } from '@mantine/core';
import type { FilterAnswer } from '../../client/resources.ts';
import { t } from '../../language/language.ts';
import { ErrorNotice } from '../error-notice.tsx';
import { ClauseList } from './clause-list.tsx';
import { type ClauseLeaf, type ClauseNode, clauseTree, leavesOf } from './clause-tree.ts';

type Props = {
  /** The filter that was tested. */
  filter: string;
  answer: FilterAnswer | undefined;
  /** The service's refusal of the filter. */
  refusal: string | undefined;
  error: unknown;
};

/** The filter in words, with the sample's value at each clause, and whether the sample matches. */
export function FilterResult({ filter, answer, refusal, error }: Props) {
  const tree = clauseTree(filter);
  if (error) return <ErrorNotice title={t('The filter could not be tested')} error={error} />;
  return (
    <Stack gap="sm" role="status" aria-label={t('Result')}>
      {refusal === undefined && answer !== undefined ? (
        <Alert
          color={answer.matches ? 'green' : 'yellow'}
          title={answer.matches ? t('The sample matches.') : t('The sample does not match.')}
        />
      ) : null}
      {tree === undefined ? null : (
        <Stack gap={6} component="section" aria-label={t('Clauses')}>
          <Text size="sm" fw={500}>
            {t('It is delivered when')}
          </Text>
          <ClauseList
            node={tree}
            results={resultsOf(tree, refusal === undefined ? answer : undefined)}
            refusal={refusal === undefined ? undefined : { place: refusedPlace(tree, refusal), message: refusal }}
          />
        </Stack>
      )}
    </Stack>
  );
}

/** The results by comparison. The service lists them in the filter's order. Results of an earlier text are left out. */
function resultsOf(tree: ClauseNode, answer: FilterAnswer | undefined) {
  const results = new Map<ClauseLeaf, FilterAnswer['clauses'][number]>();
  for (const [index, leaf] of leavesOf(tree).entries()) {
    const result = answer?.clauses[index];
    if (result?.path === leaf.path && result.operator === leaf.operator) results.set(leaf, result);
  }
  return results;
}

/**
 * The part of a filter that a refusal names, such as `data.amount.gte` in `filter.data.amount.gte must be a number or a
 * string`; an empty text if it names the whole filter. If several parts fit, the longest is meant.
 */
function refusedPlace(tree: ClauseNode, message: string): string {
  const named = placesOf(tree).filter((place) => message.startsWith(`filter.${place} `));
  return named.sort((left, right) => right.length - left.length)[0] ?? '';
}

function placesOf(node: ClauseNode): string[] {
  return node.kind === 'clause' ? [node.place] : [node.place, ...node.of.flatMap(placesOf)];
}
