import { expect, test } from '@jest/globals';
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
