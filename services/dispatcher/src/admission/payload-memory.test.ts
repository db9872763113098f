import { expect, test } from '@jest/globals';
import { createPayloadMemory } from './payload-memory.ts';

test('a workspace holds at most as much memory as it leaves free, so each further workspace finds some', async () => {
  const memory = createPayloadMemory(1_000);
  const takeAll = async (workspaceId: string) => {
    let taken = 0;
    while ((await memory.reserve({ workspaceId, bytes: 10 })) !== undefined) taken += 10;
    return taken;
  };
  expect(await takeAll('one')).toBe(500);
  expect(await takeAll('two')).toBe(250);
  expect(await takeAll('three')).toBe(120);
});

test('memory that is freed goes to the request that has waited the longest', async () => {
  const memory = createPayloadMemory(100);
  const free = await memory.reserve({ workspaceId: 'one', bytes: 50 });
  const order: string[] = [];
  const waiting = ['first', 'second'].map(async (name) => {
    const release = await memory.reserve({ workspaceId: 'one', bytes: 50 });
    if (release !== undefined) order.push(name);
    return release;
  });
  free?.();
  const [first, second] = await Promise.all(waiting);
  expect([order, first === undefined, second]).toEqual([['first'], false, undefined]);
});

test('a payload that the claim returned needs no memory of its own', async () => {
  const memory = createPayloadMemory(0);
  expect(await memory.reserve({ workspaceId: 'one', bytes: 0 })).toBeDefined();
});
