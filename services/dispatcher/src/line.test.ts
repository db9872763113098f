import { expect, test } from '@jest/globals';
import { createLine } from './line.ts';

test('runs one at a time, in order, also after a fault', async () => {
  const line = createLine(10);
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await Promise.resolve();
    if (name === 'b') throw new Error('b failed');
    seen.push(`${name} ends`);
  };
  const results = await Promise.allSettled([line(work('a')), line(work('b')), line(work('c'))]);
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'c begins', 'c ends']);
});

test('does not run what finds the line full, and has room again afterwards', async () => {
  const line = createLine(1);
  const ran: number[] = [];
  const work = (n: number) => async () => {
    ran.push(n);
  };
  await Promise.all([line(work(1)), line(work(2)), line(work(3))]);
  expect(ran).toEqual([1, 2]);
  await line(work(4));
  expect(ran).toEqual([1, 2, 4]);
});
