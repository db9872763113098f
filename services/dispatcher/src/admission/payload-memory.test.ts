import { expect, test } from '@jest/globals';
import { createPayloadMemory } from './payload-memory.ts';

test('a workspace holds at most as much memory as it leaves free, so each further workspace finds some', async () => {
  const memory = createPayloadMemory({ maxBytes: 1_000 });
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
  const memory = createPayloadMemory({ maxBytes: 100 });
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

test('a small payload takes no memory ahead of a larger one of its workspace that waits, and delays no other workspace', async () => {
  const memory = createPayloadMemory({ maxBytes: 100 });
  const held = [
    await memory.reserve({ workspaceId: 'one', bytes: 20 }),
    await memory.reserve({ workspaceId: 'one', bytes: 20 }),
  ];
  const order: string[] = [];
  const take = async (name: string, workspaceId: string, bytes: number) => {
    const free = await memory.reserve({ workspaceId, bytes });
    if (free !== undefined) order.push(name);
    return free;
  };
  const large = take('large', 'one', 40);
  const small = take('small', 'one', 10);
  const other = take('other', 'two', 10);
  held[0]?.();
  await other;
  held[1]?.();
  await Promise.all([large, small]);
  expect(order).toEqual(['other', 'large']);
});

test('a payload for which the memory did not suffice in time lets the next one of its workspace take it', async () => {
  const memory = createPayloadMemory({ maxBytes: 100 });
  const held = await memory.reserve({ workspaceId: 'one', bytes: 30 });
  const tooLarge = memory.reserve({ workspaceId: 'one', bytes: 60 });
  const next = memory.reserve({ workspaceId: 'one', bytes: 10 });
  expect([held, await tooLarge, await next]).toEqual([expect.any(Function), undefined, expect.any(Function)]);
});

test('a payload that the claim returned needs no memory of its own', async () => {
  const memory = createPayloadMemory({ maxBytes: 0 });
  expect(await memory.reserve({ workspaceId: 'one', bytes: 0 })).toBeDefined();
});
