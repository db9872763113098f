import { expect, test } from '@jest/globals';
import { createSlots, hashPassword, NOBODYS_HASH, passwordMatches } from './password.ts';

test('the placeholder for a missing hash costs as much as a real hash, and matches nothing', async () => {
  const cost = (hash: string) => hash.split('$').slice(0, 4);
  expect(cost(NOBODYS_HASH)).toEqual(cost(await hashPassword('any')));
  expect(await passwordMatches(null, 'any')).toBe(false);
});

test('two works run at once and 3 wait, in order; the sixth is refused at once', async () => {
  const inSlot = createSlots({ atOnce: 2, mostWaiting: 3 });
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const works = [0, 1, 2, 3, 4].map((index) =>
    inSlot(async () => {
      begun.push(index);
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
      if (index === 1) throw new Error('a work that fails');
      return index;
    }).catch((error: Error) => error.message),
  );
  await expect(inSlot(async () => 5)).rejects.toMatchObject({ code: 'unavailable' });
  for (let ended = 0; ended < 5; ended += 1) {
    expect(begun).toHaveLength(Math.min(5, ended + 2));
    ends[ended]?.();
    await works[ended];
    // The next work starts in a later turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await Promise.all(works)).toEqual([0, 'a work that fails', 2, 3, 4]);
  expect([most, begun]).toEqual([2, [0, 1, 2, 3, 4]]);
  expect(await inSlot(async () => 6)).toBe(6);
});
