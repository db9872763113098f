import { expect, test } from '@jest/globals';
import { waitFor } from '@posthorn/testkit/wait-for';
import { createStoreClock } from './clock.ts';
import { followClock } from './follow-clock.ts';

const START = Date.UTC(2026, 0, 1);

function host() {
  const at = { wallMs: START, monotonicMs: 1_000 };
  return { at, now: () => new Date(at.wallMs), monotonicMs: () => at.monotonicMs };
}

test('a clock follows the reading and the monotonic clock, whatever the wall clock does', () => {
  const { at, ...system } = host();
  const clock = createStoreClock(system);
  expect(clock.now()).toEqual(new Date(START));
  clock.adopt({ instantMs: START - 86_400_000, atMs: 1_000, errorMs: 2 });
  at.monotonicMs += 250;
  at.wallMs += 8 * 86_400_000;
  expect(clock.now()).toEqual(new Date(START - 86_400_000 + 250));
  expect(clock.aheadOfWallMs()).toBe(-9 * 86_400_000 + 250);
});

test('a reading that agrees within its error changes nothing', () => {
  const { at: _at, ...system } = host();
  const clock = createStoreClock(system);
  clock.adopt({ instantMs: START + 3, atMs: 1_000, errorMs: 5 });
  expect(clock.aheadOfWallMs()).toBe(0);
  clock.adopt({ instantMs: START + 6, atMs: 1_000, errorMs: 5 });
  expect(clock.aheadOfWallMs()).toBe(6);
});

test('after a suspension of the host, the clock is read again at once', async () => {
  const { at, ...system } = host();
  const clock = createStoreClock(system);
  const following = await followClock({
    clock,
    read: async () => ({ instantMs: at.wallMs, atMs: at.monotonicMs, errorMs: 0 }),
    onError: () => {},
  });
  at.wallMs += 3_600_000;
  // The clock is corrected much sooner than at its next regular reading.
  await waitFor(() => clock.now().getTime() === START + 3_600_000, { what: 'the right time', timeoutMs: 10_000 });
  await following.stop();
});

test('a process starts with the right time when it can be read, and starts even when it cannot', async () => {
  const clock = createStoreClock();
  const instantMs = START - 1_000_000;
  const read = async () => ({ instantMs, atMs: clock.monotonicMs(), errorMs: 0 });
  const following = await followClock({ clock, read, onError: () => {} });
  expect(Math.abs(clock.now().getTime() - instantMs)).toBeLessThan(60_000);
  await following.stop();
  const faults: unknown[] = [];
  const fail = () => Promise.reject(new Error('away'));
  const failing = await followClock({ clock, read: fail, onError: (error) => faults.push(error) });
  expect(faults).toHaveLength(1);
  await failing.stop();
});
