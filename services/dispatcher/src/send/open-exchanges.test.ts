import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createAbortRelay } from './abort-relay.ts';

test('everyone who waits is called when the signal fires, those of another signal and those who left are not', () => {
  const onAbort = createAbortRelay();
  const [one, two] = [new AbortController(), new AbortController()];
  const called: string[] = [];
  onAbort(one.signal, () => called.push('first'));
  const leave = onAbort(one.signal, () => called.push('left'));
  onAbort(one.signal, () => called.push('last'));
  onAbort(two.signal, () => called.push('other'));
  leave();
  one.abort();
  expect(called).toEqual(['first', 'last']);
});

test('one who leaves while being called takes nobody along', () => {
  const onAbort = createAbortRelay();
  const controller = new AbortController();
  const called: string[] = [];
  const leave = onAbort(controller.signal, () => {
    called.push('first');
    leave();
  });
  onAbort(controller.signal, () => called.push('second'));
  controller.abort();
  expect(called).toEqual(['first', 'second']);
});

test('exactly those are called who have not left, in whatever order the others did', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 3 }), { maxLength: 40 }), (steps) => {
      const onAbort = createAbortRelay();
      const controller = new AbortController();
      const inside = new Map<number, () => void>();
      const called: number[] = [];
      for (const [n, step] of steps.entries()) {
        const [leaver] = [...inside].slice(step);
        if (step === 0 || leaver === undefined) {
          inside.set(
            n,
            onAbort(controller.signal, () => called.push(n)),
          );
        } else {
          leaver[1]();
          leaver[1](); // Once more is no harm.
          inside.delete(leaver[0]);
        }
      }
      controller.abort();
      expect(called.sort((a, b) => a - b)).toEqual([...inside.keys()]);
    }),
  );
});
