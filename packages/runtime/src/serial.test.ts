import { expect, test } from '@jest/globals';
import { createSerial } from './serial.ts';

test('runs one at a time, in order, also after an error', async () => {
  const serial = createSerial(10);
  const seen: string[] = [];
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await Promise.resolve();
    if (name === 'b') throw new Error('b failed');
    seen.push(`${name} ends`);
  };
  const results = await Promise.allSettled([serial(work('a')), serial(work('b')), serial(work('c'))]);
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'c begins', 'c ends']);
});

test('does not run work beyond the limit, and runs work again once there is room', async () => {
  const serial = createSerial(1);
  const ran: number[] = [];
  const work = (n: number) => async () => {
    ran.push(n);
  };
  await Promise.all([serial(work(1)), serial(work(2)), serial(work(3))]);
  expect(ran).toEqual([1, 2]);
  await serial(work(4));
  expect(ran).toEqual([1, 2, 4]);
});
