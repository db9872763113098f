import { expect, test } from '@jest/globals';
import { answersWithin, withDeadline } from './deadline.ts';

const never = new Promise(() => {});
const failing = () => Promise.reject(new Error('failed'));

test('withDeadline returns whether the work ended in time, and passes its error on', async () => {
  expect(await withDeadline(Promise.resolve(), 10_000)).toBe(true);
  expect(await withDeadline(never, 5)).toBe(false);
  await expect(withDeadline(failing(), 10_000)).rejects.toThrow('failed');
});

test('answersWithin returns false for an error and for silence', async () => {
  expect(await answersWithin(Promise.resolve(), 10_000)).toBe(true);
  expect(await answersWithin(never, 5)).toBe(false);
  expect(await answersWithin(failing(), 10_000)).toBe(false);
});
