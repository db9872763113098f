import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createOpenExchanges } from './open-exchanges.ts';

test('every open exchange is aborted, those that have ended are not', () => {
  const open = createOpenExchanges();
  const aborted: string[] = [];
  open.add(() => aborted.push('first'));
  const end = open.add(() => aborted.push('ended'));
  open.add(() => aborted.push('last'));
  end();
  expect(open.isAborted()).toBe(false);
  open.abortAll();
  expect([aborted, open.isAborted()]).toEqual([['first', 'last'], true]);
});

test('an exchange that is removed during the abort does not skip the others', () => {
  const open = createOpenExchanges();
  const aborted: number[] = [];
  const ends = Array.from({ length: 5 }, (_, n) =>
    open.add(() => {
      aborted.push(n);
      ends[n]?.();
    }),
  );
  open.abortAll();
  expect(aborted).toEqual([0, 1, 2, 3, 4]);
  open.abortAll();
  expect(aborted).toHaveLength(5);
});

test('exactly the exchanges that have not ended are aborted, in whatever order the others ended', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 3 }), { maxLength: 40 }), (steps) => {
      const open = createOpenExchanges();
      const inside = new Map<number, () => void>();
      const aborted: number[] = [];
      for (const [n, step] of steps.entries()) {
        const [ended] = [...inside].slice(step);
        if (step === 0 || ended === undefined) {
          inside.set(
            n,
            open.add(() => aborted.push(n)),
          );
        } else {
          ended[1]();
          ended[1](); // A second call has no effect.
          inside.delete(ended[0]);
        }
      }
      open.abortAll();
      expect(aborted.sort((a, b) => a - b)).toEqual([...inside.keys()]);
    }),
  );
});
