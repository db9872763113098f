import { expect, test } from '@jest/globals';
import { OptionError } from './errors.ts';
import { List } from './list.ts';

/** A list of `count` numbers, in pages of 500. */
function listOf(count: number): List<number> {
  return new List(async (cursor = '0') => {
    const from = Number(cursor);
    const length = Math.min(500, count - from);
    const next = from + length;
    return { items: Array.from({ length }, (_, n) => from + n), nextCursor: next < count ? String(next) : null };
  });
}

test('toArray reads all items of a list of at most 10,000, and refuses a longer one rather than cut it', async () => {
  expect(await listOf(10_000).toArray()).toHaveLength(10_000);
  await expect(listOf(10_001).toArray()).rejects.toThrow(OptionError);
  await expect(listOf(10_001).toArray()).rejects.toThrow('limit is required for a list of more than 10,000 items');
});

test('toArray with a limit reads so many items of a list of any length, and no page behind them', async () => {
  expect(await listOf(20_000).toArray({ limit: 12_000 })).toHaveLength(12_000);
  expect(await listOf(3).toArray({ limit: 12_000 })).toEqual([0, 1, 2]);
  expect(await listOf(3).toArray({ limit: 0 })).toEqual([]);
});
