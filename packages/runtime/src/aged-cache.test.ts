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

test('a value is used until it is a second old, and no longer', async () => {
  const get = cacheOf(async (key) => `${key} at ${nowMs}`);
  await get('a');
  nowMs = 999;
  expect(await get('a')).toBe('a at 0');
  nowMs = 1_000;
  expect(await get('a')).toBe('a at 1000');
});

test('its age counts from the start of its load, however long the load took', async () => {
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

test('concurrent callers share one load', async () => {
  const get = cacheOf(async (key) => key);
  expect(await Promise.all([get('a'), get('a'), get('a')])).toEqual(['a', 'a', 'a']);
  expect(loads).toEqual(['a']);
});

test('a missing value is loaded again', async () => {
  const get = cacheOf(async () => (loads.length === 1 ? undefined : 'made since'));
  expect(await get('a')).toBeUndefined();
  expect(await get('a')).toBe('made since');
});

test('a failed load rejects for its callers and is tried again', async () => {
  const get = cacheOf(async () => {
    if (loads.length === 1) throw new Error('away');
    return 'back';
  });
  await expect(get('a')).rejects.toThrow('away');
  expect(await get('a')).toBe('back');
});

test('it holds no more entries than its limit; the oldest is removed', async () => {
  const get = cacheOf(async (key) => key, 2);
  for (const key of ['a', 'b', 'c', 'c', 'b', 'a']) await get(key);
  expect(loads).toEqual(['a', 'b', 'c', 'a']);
});

test('the late result of an older load does not replace a newer value', async () => {
  const answers: ((value: string | undefined) => void)[] = [];
  const get = cacheOf(() => new Promise((resolve) => answers.push(resolve)));
  const old = get('a');
  nowMs = 1_500;
  const fresh = get('a');
  answers[1]?.('new');
  answers[0]?.(undefined);
  expect([await old, await fresh, await get('a')]).toEqual([undefined, 'new', 'new']);
});
