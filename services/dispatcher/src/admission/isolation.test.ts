import { expect, test } from '@jest/globals';
import { createIsolation as createWithOwners } from './isolation.ts';

/** Workspaces `a 1` and `a 2` belong to owner `a`. */
const createIsolation = (waiting: number) =>
  createWithOwners(waiting, (workspaceId) => workspaceId.split(' ')[0] ?? '');

/** Records the names of the work that runs, in order. */
function recorder() {
  const ran: string[] = [];
  const work = (name: string) => async () => {
    ran.push(name);
    await Promise.resolve();
  };
  return { ran, work };
}

test('runs one at a time, in order, even after an error', async () => {
  const isolated = createIsolation(10);
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await Promise.resolve();
    if (name === 'b') throw new Error('b failed');
    seen.push(`${name} ends`);
  };
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => isolated('one', work(name))));
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'c begins', 'c ends']);
});

test('does not run work beyond the limit, and runs work again once there is room', async () => {
  const isolated = createIsolation(1);
  const { ran, work } = recorder();
  await Promise.all(['1', '2', '3'].map((name) => isolated('one', work(name))));
  expect(ran).toEqual(['1', '2']);
  await isolated('one', work('4'));
  expect(ran).toEqual(['1', '2', '4']);
});

test('owners take turns: one with much work does not delay the others', async () => {
  const isolated = createIsolation(10);
  const { ran, work } = recorder();
  const many = ['a1', 'a2', 'a3', 'a4'].map((name) => isolated('a', work(name)));
  await Promise.all([...many, isolated('b', work('b1')), isolated('c', work('c1')), isolated('b', work('b2'))]);
  expect(ran).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('the workspaces of one owner have one turn', async () => {
  const isolated = createIsolation(10);
  const { ran, work } = recorder();
  const many = ['a 1', 'a 2', 'a 3', 'a 4'].map((workspace) => isolated(workspace, work(workspace)));
  await Promise.all([...many, isolated('b', work('b 1')), isolated('b', work('b 2'))]);
  expect(ran).toEqual(['a 1', 'b 1', 'a 2', 'b 2', 'a 3', 'a 4']);
});

test('where no more may wait, the latest work of the owner with the most is left out', async () => {
  const isolated = createIsolation(3);
  const { ran, work } = recorder();
  const many = ['a1', 'a2', 'a3', 'a4'].map((name) => isolated('a', work(name)));
  await Promise.all([...many, isolated('b', work('b1')), isolated('c', work('c1')), isolated('d', work('d1'))]);
  expect(ran).toEqual(['a1', 'b1', 'c1', 'a2']);
});

test('work that ends its turn goes on when the others have had theirs, and is never left out', async () => {
  const isolated = createIsolation(3);
  const { ran, work } = recorder();
  const long = isolated('a', async (endTurn) => {
    for (const part of ['1', '2', '3']) {
      ran.push(`a${part}`);
      await endTurn();
    }
  });
  const others = [
    isolated('b', work('b1')),
    isolated('a', work('a after')),
    isolated('c', work('c1')),
    isolated('d', work('left out')),
  ];
  await Promise.all([long, ...others]);
  expect(ran).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a after']);
  await isolated('a', work('again'));
  expect(ran.at(-1)).toBe('again');
});

test('an error after a turn rejects only its own caller, and the next work runs', async () => {
  const isolated = createIsolation(2);
  const { ran, work } = recorder();
  const failed = isolated('a', async (endTurn) => {
    await endTurn();
    throw new Error('a failed');
  });
  const next = isolated('b', work('b'));
  await expect(failed).rejects.toThrow('a failed');
  await next;
  expect(ran).toEqual(['b']);
});
