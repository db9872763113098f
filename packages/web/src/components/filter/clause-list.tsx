import { Stack, Text } from '@mantine/core';
import type { FilterAnswer } from '../../client/resources.ts';
import { rich } from '../../language/language.ts';
import { CheckGlyph } from '../check-glyph.tsx';
import classes from './clause-list.module.css';
import { type ClauseLeaf, type ClauseNode, holdsOf } from './clause-tree.ts';
import { GROUP_WORDS, leafWords } from './clause-words.ts';

type Result = FilterAnswer['clauses'][number];

type Props = {
  node: ClauseNode;
  /** The sample's result for each comparison. */
  results: ReadonlyMap<ClauseLeaf, Result>;
  /** The part of the filter that the service refuses, and its message. */
  refusal: { place: string; message: string } | undefined;
};

/** A filter in words. Each comparison shows the sample's value there; a refusal stands at its clause. */
export function ClauseList({ node, results, refusal }: Props) {
  const said = refusal?.place === node.place && node.place !== '' ? refusal.message : undefined;
  if (node.kind === 'clause') return <Leaf leaf={node} result={results.get(node)} said={said} />;
  return (
    <Stack gap={4}>
      <div className={classes.row}>
        <Glyph holds={holdsOf(node, (leaf) => results.get(leaf)?.holds)} />
        <Text size="sm" c="dimmed">
          {GROUP_WORDS[node.kind]}:
        </Text>
      </div>
      {said === undefined ? null : <Refusal said={said} />}
      <Stack gap={6} component="ul" className={classes.members}>
        {node.of.map((one) => (
          <li key={one.place}>
            <ClauseList node={one} results={results} refusal={refusal} />
          </li>
        ))}
      </Stack>
    </Stack>
  );
}

function Leaf({ leaf, result, said }: { leaf: ClauseLeaf; result: Result | undefined; said: string | undefined }) {
  return (
    <div className={classes.row}>
      <Glyph holds={result?.holds} />
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <span className="mono">{leafWords(leaf)}</span>
        {result === undefined ? null : (
          <Text size="xs" c="dimmed">
            {rich('the sample has {value}', { value: <span className="mono">{JSON.stringify(result.found)}</span> })}
          </Text>
        )}
        {said === undefined ? null : <Refusal said={said} />}
      </div>
    </div>
  );
}

function Glyph({ holds }: { holds: boolean | undefined }) {
  return (
    <span className={classes.glyph}>
      {holds === undefined ? null : <CheckGlyph outcome={holds ? 'pass' : 'fail'} />}
    </span>
  );
}

function Refusal({ said }: { said: string }) {
  return (
    <Text size="xs" c="var(--failed-ink)">
      {said}
    </Text>
  );
}
