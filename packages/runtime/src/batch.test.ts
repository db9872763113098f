import { describe, expect, test } from '@jest/globals';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createBatcher } from './batch.ts';

/** A batch function that ends when the test tells it to end. */
function held() {
  const batches: number[][] = [];
  const letGo: (() => void)[] = [];
  const run = (items: number[]) => {
    batches.push(items);
    return new Promise<number[]>((resolve) => letGo.push(() => resolve(items.map((item) => item * 10))));
  };
  return { batches, letGo, run };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a batcher', () => {
  test('keeps a batch within its weight, and sends a heavier item by itself', async () => {
    const batches: number[][] = [];
    const call = createBatcher<number, number>({
      run: async (items) => {
        batches.push(items);
        return items;
      },
      maxItems: 3,
      weight: { of: (item) => item, most: 10 },
      maxInFlight: 1,
    });
    await Promise.all([4, 5, 2, 30, 1, 1, 1, 1].map(call));
    expect(batches).toEqual([[4, 5], [2], [30], [1, 1, 1], [1]]);
  });

  test('gives each caller its own result, and batches the calls of one turn of the event loop', async () => {
    const batches: number[][] = [];
    const call = createBatcher<number, string>({
      run: async (items) => {
        batches.push(items);
        return items.map((item) => `result ${item}`);
      },
      maxItems: 3,
      maxInFlight: 1,
    });
    expect(await Promise.all([1, 2, 3, 4, 5, 6, 7].map(call))).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => `result ${n}`));
    expect(batches).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  });

  test('lanes take turns: however much of one lane waits, the calls of another are in the next batch, in their order', async () => {
    const { batches, letGo, run } = held();
    const lane = (item: number) => (item < 1_000 ? 'flood' : 'other');
    const call = createBatcher({ run, maxItems: 4, maxInFlight: 1, lane });
    const all = Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 1_001, 1_002].map(call));
    await nextTurn();
    letGo[0]?.();
    await waitFor(() => batches.length === 2, { what: 'the second batch' });
    letGo[1]?.();
    await waitFor(() => batches.length === 3, { what: 'the third batch' });
    letGo[2]?.();
    await all;
    expect(batches).toEqual([
      [1, 1_001, 2, 1_002],
      [3, 4, 5, 6],
      [7, 8],
    ]);
  });

  test('a lane of heavy items gets its turns, and leaves the others their part of each batch', async () => {
    const { batches, letGo, run } = held();
    const lane = (item: number) => (item > 1 ? 'heavy' : 'light');
    const weight = { of: (item: number) => item, most: 16 };
    const call = createBatcher({ run, maxItems: 48, maxInFlight: 1, lane, weight });
    const all = Promise.all([6, 7, 8, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5].map(call));
    await nextTurn();
    letGo[0]?.();
    await waitFor(() => batches.length === 2, { what: 'the second batch' });
    letGo[1]?.();
    await all;
    expect(batches).toEqual([
      [6, 0.5, 0.5, 7, 0.5, 0.5],
      [8, 0.5, 0.5],
    ]);
  });

  test('never waits for a batch to fill', async () => {
    const call = createBatcher<number, number>({ run: async (items) => items, maxItems: 100, maxInFlight: 1 });
    expect(await call(1)).toBe(1);
  });

  test('batches that are to be apart take the calls that come one by one meanwhile, and the first one starts at once', async () => {
    const batches: number[][] = [];
    const call = createBatcher<number, number>({
      async run(items) {
        batches.push(items);
        return items;
      },
      maxItems: 100,
      maxInFlight: 1,
      apartMs: 1_000,
    });
    expect(await call(0)).toBe(0);
    const later: Promise<number>[] = [];
    for (const n of [1, 2, 3]) {
      later.push(call(n));
      await nextTurn();
    }
    expect(await Promise.all(later)).toEqual([1, 2, 3]);
    expect(batches).toEqual([[0], [1, 2, 3]]);
  });

  test('calls that arrive while a batch runs become the next batch', async () => {
    const { batches, letGo, run } = held();
    const call = createBatcher({ run, maxItems: 10, maxInFlight: 2 });
    const first = call(1);
    await nextTurn();
    const rest = Promise.all([2, 3, 4].map(call));
    await nextTurn();
    expect(batches).toEqual([[1]]);
    letGo[0]?.();
    expect(await first).toBe(10);
    await nextTurn();
    expect(batches).toEqual([[1], [2, 3, 4]]);
    letGo[1]?.();
    expect(await rest).toEqual([20, 30, 40]);
  });

  test('a full batch starts beside a running one, while fewer than the limit run', async () => {
    const { batches, letGo, run } = held();
    const call = createBatcher({ run, maxItems: 2, maxInFlight: 2 });
    const all = Promise.all([1, 2, 3, 4, 5, 6].map(call));
    await nextTurn();
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ]);
    letGo[1]?.();
    await nextTurn();
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    letGo[0]?.();
    letGo[2]?.();
    expect(await all).toEqual([10, 20, 30, 40, 50, 60]);
  });

  test('a batch that is full by weight starts beside a running one, as one that is full by items', async () => {
    const { batches, letGo, run } = held();
    const weight = { of: (item: number) => item, most: 10 };
    const call = createBatcher({ run, maxItems: 100, maxInFlight: 2, weight });
    const first = call(1);
    await nextTurn();
    const rest = [call(4)];
    await nextTurn();
    expect(batches).toEqual([[1]]);
    rest.push(call(6));
    await nextTurn();
    expect(batches).toEqual([[1], [4, 6]]);
    letGo[0]?.();
    await first;
    rest.push(call(9));
    await nextTurn();
    expect(batches).toEqual([[1], [4, 6]]);
    letGo[1]?.();
    await waitFor(() => batches.length === 3, { what: 'the third batch' });
    letGo[2]?.();
    expect(await Promise.all(rest)).toEqual([40, 60, 90]);
  });

  test('an error reaches every caller of its batch, and no other', async () => {
    const call = createBatcher<number, number>({
      run: async (items) => {
        if (items.includes(2)) throw new Error('refused');
        return items;
      },
      maxItems: 2,
      maxInFlight: 1,
    });
    const results = await Promise.allSettled([1, 2, 3, 4].map(call));
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled']);
  });

  test('a batch that returns a different number of results is an error', async () => {
    const call = createBatcher<number, number>({ run: async () => [], maxItems: 2, maxInFlight: 1 });
    await expect(call(1)).rejects.toThrow('a batch answered with another number of results');
  });

  test('a batch that never ends fails for its callers at its deadline, and the next one runs', async () => {
    const { batches, letGo, run } = held();
    const call = createBatcher({ run, maxItems: 10, maxInFlight: 1, deadlineMs: 50 });
    const silent = call(1);
    await nextTurn();
    const next = call(2);
    await expect(silent).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    await waitFor(() => batches.length === 2, { what: 'the next batch' });
    letGo[1]?.();
    expect(await next).toBe(20);
  });
});
