import { expect, test } from '@jest/globals';
import { repeat } from './repeat.ts';

test('a round that throws is reported, and the rounds continue', async () => {
  const errors: unknown[] = [];
  let rounds = 0;
  await new Promise<void>((resolve) => {
    const repeating = repeat({
      round: async () => {
        rounds += 1;
        if (rounds === 1) throw new Error('away');
        if (rounds === 3) repeating.stop().then(resolve);
        return 0;
      },
      waitAfterErrorMs: 1,
      onError: (error) => errors.push(error),
    });
  });
  expect(rounds).toBe(3);
  expect(errors).toEqual([new Error('away')]);
});

test('stop ends a wait at once, however long', async () => {
  let waiting = () => {};
  const waits = new Promise<void>((resolve) => {
    waiting = resolve;
  });
  const repeating = repeat({
    round: async () => {
      setImmediate(waiting);
      return 3_600_000;
    },
    waitAfterErrorMs: 1,
    onError: () => {},
  });
  await waits;
  await repeating.stop();
});

test('after hurry the next round follows at once, whether the last one waits or still runs', async () => {
  const letGo: (() => void)[] = [];
  const repeating = repeat({
    round: async () => {
      await new Promise<void>((resolve) => letGo.push(resolve));
      return 3_600_000;
    },
    waitAfterErrorMs: 1,
    onError: () => {},
  });
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  letGo[0]?.();
  await turn();
  expect(letGo).toHaveLength(1);
  repeating.hurry();
  await turn();
  expect(letGo).toHaveLength(2);
  repeating.hurry();
  letGo[1]?.();
  await turn();
  expect(letGo).toHaveLength(3);
  letGo[2]?.();
  await turn();
  expect(letGo).toHaveLength(3);
  await repeating.stop();
});

test('stop waits for the running round, and no other follows', async () => {
  let end = () => {};
  let ended = 0;
  const repeating = repeat({
    round: async () => {
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      ended += 1;
      return 0;
    },
    waitAfterErrorMs: 1,
    onError: () => {},
  });
  const stopped = repeating.stop().then(() => ended);
  end();
  expect(await stopped).toBe(1);
});
