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

test('two changes of a workspace run at once, the others in order after them; another workspace does not wait', async () => {
  const turns = createChangeTurns();
  const { begun, work, endFirst } = createWork();
  const all = ['a', 'b', 'c', 'd'].map((name) => turns('one', work(name)));
  const other = turns('other', work('x'));
  expect(begun).toEqual(['a', 'b', 'x']);
  endFirst();
  expect(await all[0]).toBe('a');
  expect(begun).toEqual(['a', 'b', 'x', 'c']);
  for (let n = 0; n < 4; n += 1) {
    endFirst();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect([await Promise.all(all), await other]).toEqual([['a', 'b', 'c', 'd'], 'x']);
});

test('a change that throws lets the next one run', async () => {
  const turns = createChangeTurns();
  const failing = Array.from({ length: 3 }, () =>
    turns('one', async () => {
      throw new Error('refused');
    }),
  );
  for (const one of failing) await expect(one).rejects.toThrow('refused');
  expect(await turns('one', async () => 'done')).toBe('done');
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
