import { expect, test } from '@jest/globals';
import { decideRestart, neverDied, type RestartState } from './restart-policy.ts';

/** The consecutive waits for deaths at these times; null for giving up. */
function waits(deaths: { atMs: number; livedMs: number }[]): (number | null)[] {
  let state: RestartState = neverDied;
  return deaths.map((death) => {
    const decision = decideRestart(state, death);
    if (decision.kind === 'give_up') return null;
    state = decision.state;
    return decision.afterMs;
  });
}

test('a process that keeps dying is restarted after 0.2 s, doubling, and given up at its fifth death in a minute', () => {
  const deaths = [0, 1_000, 2_000, 3_000, 4_000].map((atMs) => ({ atMs, livedMs: 500 }));
  expect(waits(deaths)).toEqual([200, 400, 800, 1_600, null]);
});

test('the wait never exceeds 5 s, and deaths a minute apart are not added up', () => {
  const deaths = Array.from({ length: 20 }, (_, index) => ({ atMs: index * 16_000, livedMs: 10_000 }));
  expect(waits(deaths).slice(0, 7)).toEqual([200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  expect(waits(deaths)).not.toContain(null);
});

test('30 s of life make the next wait short again', () => {
  const deaths = [
    { atMs: 0, livedMs: 100 },
    { atMs: 1_000, livedMs: 900 },
    { atMs: 32_000, livedMs: 30_000 },
    { atMs: 33_000, livedMs: 800 },
  ];
  expect(waits(deaths)).toEqual([200, 400, 200, 400]);
});

test('the fifth death just outside the minute does not give up', () => {
  const at = (last: number) => [0, 10_000, 20_000, 30_000, last].map((atMs) => ({ atMs, livedMs: 5_000 }));
  expect(waits(at(59_999)).at(-1)).toBeNull();
  expect(waits(at(60_000)).at(-1)).not.toBeNull();
});
