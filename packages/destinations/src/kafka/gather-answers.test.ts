import { expect, test } from '@jest/globals';
import { gatherAnswers } from './gather-answers.ts';

type Asked = { resolve: (answer: string) => void; reject: (error: Error) => void };

/** Answers that come when the test says so, and the number of requests to each broker. */
function scene() {
  const asked: Record<string, Asked[]> = {};
  const answers = gatherAnswers<string, string>((answer) => answer !== '');
  const ask = (broker: string) => () =>
    new Promise<string>((resolve, reject) => {
      asked[broker] = [...(asked[broker] ?? []), { resolve, reject }];
    });
  return {
    of: (...brokers: string[]) => answers.of(brokers.map((broker) => [broker, ask(broker)])),
    broker: (name: string) => asked[name]?.at(-1),
    times: (name: string) => asked[name]?.length,
  };
}

test('records of one broker do not wait for the others, whose answers come with a later call', async () => {
  const { of, broker, times } = scene();
  const first = of('a', 'b', 'c');
  broker('b')?.resolve('records of b');
  expect(await first).toEqual(['records of b']);
  const second = of('a', 'b', 'c');
  broker('a')?.resolve('records of a');
  expect(await second).toEqual(['records of a']);
  expect(['a', 'b', 'c'].map(times)).toEqual([1, 2, 1]);
});

test('where nothing is, it waits until all have answered', async () => {
  const { of, broker } = scene();
  let isOver = false;
  const all = of('a', 'b').finally(() => {
    isOver = true;
  });
  broker('a')?.resolve('');
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  broker('b')?.resolve('');
  expect(await all).toEqual(['', '']);
});

test('a failure is told at once, also when it comes between two calls', async () => {
  const { of, broker } = scene();
  const first = of('a', 'b');
  broker('a')?.resolve('records');
  await first;
  broker('b')?.reject(new Error('away'));
  await expect(of('a', 'b')).rejects.toThrow('away');
});
