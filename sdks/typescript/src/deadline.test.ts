import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { createDeadlines, type Deadlines } from './deadline.ts';

const LONG_MS = 60_000;

/** Runs a try whose response is read to its end. Returns its signal. */
function tryOnce(deadlines: Deadlines, outer?: AbortSignal): AbortSignal {
  const deadline = deadlines.start(LONG_MS, outer);
  deadline.answered();
  deadline.end();
  return deadline.signal;
}

test('tries one after the other share a signal, for 16 tries', () => {
  const deadlines = createDeadlines();
  const signals = Array.from({ length: 33 }, () => tryOnce(deadlines));
  expect(new Set(signals.slice(0, 16)).size).toBe(1);
  expect(new Set(signals).size).toBe(3);
});

test('tries at the same time have a signal each', () => {
  const deadlines = createDeadlines();
  tryOnce(deadlines);
  const open = Array.from({ length: 3 }, () => deadlines.start(LONG_MS, undefined));
  expect(new Set(open.map(({ signal }) => signal)).size).toBe(3);
  for (const deadline of open) deadline.end();
});

test('the signal of a try that was too late is never used again', async () => {
  const deadlines = createDeadlines();
  const late = deadlines.start(1, undefined);
  await once(late.signal, 'abort');
  expect(late.explain(new Error('aborted'))).toMatchObject({ name: 'TimeoutError' });
  late.answered();
  late.end();
  expect(tryOnce(deadlines)).not.toBe(late.signal);
});

test('the signal of a try whose answer was not read to its end is never used again', () => {
  const deadlines = createDeadlines();
  const broken = deadlines.start(LONG_MS, undefined);
  broken.end();
  expect(tryOnce(deadlines)).not.toBe(broken.signal);
});

test('a caller who gives up ends the own try, and none that uses the signal later', () => {
  const deadlines = createDeadlines();
  const caller = new AbortController();
  const used = tryOnce(deadlines, caller.signal);
  const next = deadlines.start(LONG_MS, undefined);
  caller.abort();
  expect([next.signal === used, next.signal.aborted]).toEqual([true, false]);
  next.answered();
  next.end();
  const given = deadlines.start(LONG_MS, caller.signal);
  expect([given.signal === used, given.signal.aborted]).toEqual([true, true]);
  given.answered();
  given.end();
  expect(tryOnce(deadlines).aborted).toBe(false);
});
