import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createChangeTurns } from './change-turns.ts';

/** Changes that run until the test ends them. */
function createChanges() {
  const turns = createChangeTurns();
  const open: (() => void)[] = [];
  const begun: string[] = [];
  const change = (name: string, workspaceId: string, applicationId?: string) =>
    turns({ workspaceId, applicationId }, () => {
      begun.push(name);
      return new Promise<string>((resolve) => open.push(() => resolve(name)));
    });
  const endFirst = async () => {
    open.shift()?.();
    await turnOfLoop();
  };
  const endAll = async () => {
    while (open.length > 0) await endFirst();
  };
  return { begun, change, endFirst, endAll };
}

test('two changes of a workspace run at once; another workspace does not wait', async () => {
  const { begun, change, endAll } = createChanges();
  const all = ['a', 'b', 'c'].map((name) => change(name, 'one'));
  const other = change('x', 'other');
  await turnOfLoop();
  expect(begun).toEqual(['a', 'b', 'x']);
  await endAll();
  expect([await Promise.all(all), await other]).toEqual([['a', 'b', 'c'], 'x']);
});

test('four changes run at once in a process, and two workspaces leave a turn to a third', async () => {
  const { begun, change, endFirst, endAll } = createChanges();
  const all = ['one', 'two'].flatMap((workspace) => [1, 2, 3].map((n) => change(`${workspace} ${n}`, workspace)));
  all.push(...[1, 2].map((n) => change(`three ${n}`, 'three')), change('four 1', 'four'));
  await turnOfLoop();
  expect(begun).toEqual(['one 1', 'one 2', 'two 1', 'three 1']);
  await endFirst();
  expect(begun.slice(4)).toEqual(['four 1']);
  await endAll();
  await Promise.all(all);
});

test('a workspace with many waiting changes is served in turns with the others', async () => {
  const { begun, change, endFirst, endAll } = createChanges();
  const busy = ['one', 'two', 'three'];
  const all = busy.flatMap((workspace) => Array.from({ length: 50 }, () => change(workspace, workspace)));
  all.push(change('four', 'four'), change('five', 'five'));
  await turnOfLoop();
  // A round of the five, in which each has at most its two turns.
  for (let ended = 0; ended < 8; ended += 1) await endFirst();
  expect(begun).toEqual(expect.arrayContaining(['four', 'five']));
  await endAll();
  await Promise.all(all);
});

test('a portal has one change at a time and a quarter of the waiting ones, and its workspace has the rest', async () => {
  const { begun, change, endAll } = createChanges();
  const ofPortal = Array.from({ length: 26 }, (_, n) => change(`portal ${n}`, 'one', 'app'));
  await expect(change('one too many', 'one', 'app')).rejects.toMatchObject({
    code: 'unavailable',
    headers: { 'Retry-After': '1' },
  });
  const others = [
    change('another portal', 'one', 'other app'),
    ...Array.from({ length: 74 }, () => change('own', 'one')),
  ];
  await turnOfLoop();
  expect(begun).toEqual(['portal 0', 'another portal']);
  await endAll();
  expect(await Promise.all([...ofPortal, ...others])).toHaveLength(101);
});

test('a change that has waited for 5 s is unavailable, and is never run', async () => {
  const { begun, change, endAll } = createChanges();
  const running = ['a', 'b'].map((name) => change(name, 'one'));
  await expect(change('c', 'one')).rejects.toMatchObject({ code: 'unavailable' });
  await endAll();
  await Promise.all(running);
  expect(begun).toEqual(['a', 'b']);
}, 10_000);
