import { expect, test } from '@jest/globals';
import { waitFor } from '@posthorn/testkit/wait-for';
import { consumeFormerShards } from './former-shards.ts';

/**
 * Records for each shard what happens to its consumer. `answers` are Redis' answers, one for each time it is reachable.
 */
function start(answers: (() => Promise<number[]>)[]) {
  const said: string[] = [];
  let reachable = () => {};
  const left = consumeFormerShards({
    producer: {
      formerShards: () => (answers.shift() ?? (async () => []))(),
      onReachable: (listener) => (reachable = listener),
    },
    consume: (shard) => ({
      drain: async () => void said.push(`drained ${shard}`),
      close: async () => void said.push(`closed ${shard}`),
      ...{ started: said.push(`started ${shard}`) },
    }),
    onError: (error) => said.push(String(error)),
  });
  return { left, said, becomeReachable: () => reachable() };
}

test('each left shard is consumed once, again after a question that failed, and ended with the others', async () => {
  const { left, said, becomeReachable } = start([() => Promise.reject('away'), async () => [2, 3], async () => [2, 3]]);
  becomeReachable();
  await waitFor(() => said.length === 1, { what: 'the failure' });
  becomeReachable();
  await waitFor(() => said.length === 3, { what: 'the shards' });
  becomeReachable();
  await left.drain();
  await left.close();
  expect(said).toEqual(['away', 'started 2', 'started 3', 'drained 2', 'drained 3', 'closed 2', 'closed 3']);
});

test('no shard is consumed after the end, even when it is found then', async () => {
  let answer = (_shards: number[]) => {};
  const { left, said, becomeReachable } = start([() => new Promise((resolve) => (answer = resolve))]);
  becomeReachable();
  await left.drain();
  answer([2]);
  await left.close();
  expect(said).toEqual([]);
});
