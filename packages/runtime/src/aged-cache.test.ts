import { beforeEach, expect, test } from '@jest/globals';
import { createAgedCache } from './aged-cache.ts';

let nowMs = 0;
let loads: string[] = [];
const clock = { now: () => new Date(nowMs), monotonicMs: () => nowMs };
beforeEach(() => {
  nowMs = 0;
  loads = [];
});

function cacheOf(load: (key: string) => Promise<string | undefined>, maxEntries = 100) {
  return createAgedCache<string, string>({
    clock,
    maxAgeMs: 1_000,
    maxEntries,
    load: (key) => {
      loads.push(key);
      return load(key);
    },
  });
}

test('an answer is used until it is a second old, and no longer', async () => {
  const get = cacheOf(async (key) => `${key} at ${nowMs}`);
  await get('a');
  nowMs = 999;
  expect(await get('a')).toBe('a at 0');
  nowMs = 1_000;
  expect(await get('a')).toBe('a at 1000');
});

test('its age counts from when its load began, however long that took', async () => {
  const answers: ((value: string) => void)[] = [];
  const get = cacheOf(() => new Promise((resolve) => answers.push(resolve)));
  const slow = get('a');
  nowMs = 900;
  answers[0]?.('old');
  expect(await slow).toBe('old');
  nowMs = 1_000;
  const fresh = get('a');
  answers[1]?.('new');
  expect(await fresh).toBe('new');
});

test('callers at the same time share one load', async () => {
  const get = cacheOf(async (key) => key);
  expect(await Promise.all([get('a'), get('a'), get('a')])).toEqual(['a', 'a', 'a']);
  expect(loads).toEqual(['a']);
});

test('what was not found is asked for again', async () => {
  const get = cacheOf(async () => (loads.length === 1 ? undefined : 'made since'));
  expect(await get('a')).toBeUndefined();
  expect(await get('a')).toBe('made since');
});

test('a load that failed is told to its callers and tried again', async () => {
  const get = cacheOf(async () => {
    if (loads.length === 1) throw new Error('away');
    return 'back';
  });
  await expect(get('a')).rejects.toThrow('away');
  expect(await get('a')).toBe('back');
});

test('it holds no more entries than it may; the oldest goes', async () => {
  const get = cacheOf(async (key) => key, 2);
  for (const key of ['a', 'b', 'c', 'c', 'b', 'a']) await get(key);
  expect(loads).toEqual(['a', 'b', 'c', 'a']);
});

test('a late answer of an older load does not take a newer one’s place', async () => {
  const answers: ((value: string | undefined) => void)[] = [];
  const get = cacheOf(() => new Promise((resolve) => answers.push(resolve)));
  const old = get('a');
  nowMs = 1_500;
  const fresh = get('a');
  answers[1]?.('new');
  answers[0]?.(undefined);
  expect([await old, await fresh, await get('a')]).toEqual([undefined, 'new', 'new']);
});
