import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createChangeTurns } from './change-turns.ts';

/** Work that runs until the test ends it. */
function createWork() {
  const open: (() => void)[] = [];
  const begun: string[] = [];
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => open.push(() => resolve(name)));
  };
  return { begun, work, endFirst: () => open.shift()?.() };
}

test('two changes of a workspace run at once; another workspace does not wait', async () => {
  const turns = createChangeTurns();
  const { begun, work, endFirst } = createWork();
  const all = ['a', 'b', 'c'].map((name) => turns('one', work(name)));
  const other = turns('other', work('x'));
  expect(begun).toEqual(['a', 'b', 'x']);
  for (let n = 0; n < 4; n += 1) {
    endFirst();
    await turnOfLoop();
  }
  expect([await Promise.all(all), await other]).toEqual([['a', 'b', 'c'], 'x']);
});

test('a change that has waited for 5 s is unavailable, and is never run', async () => {
  const turns = createChangeTurns();
  const { begun, work, endFirst } = createWork();
  const running = ['a', 'b'].map((name) => turns('one', work(name)));
  await expect(turns('one', work('c'))).rejects.toMatchObject({ code: 'unavailable' });
  endFirst();
  endFirst();
  await Promise.all(running);
  expect(begun).toEqual(['a', 'b']);
}, 10_000);
