import { describe, expect, test } from '@jest/globals';
import {
  createDurationEstimate,
  createEndpointLoads,
  createReturnTimes,
  hasSucceededSince,
  learn,
  paceOf,
  slotFreed,
  slotLimit,
} from './endpoint-load.ts';

const half = () => 0.5;
const loadOf = (given: { last?: 'quick' | 'slow'; startedAtMs?: number; lastedMs?: number } = {}) => {
  const load = createEndpointLoads(half, []).of('endpoint');
  if (given.last !== undefined) load.last = given.last;
  for (let n = 0; n < 50 && given.lastedMs !== undefined; n += 1) {
    load.duration.began(0);
    load.duration.ended(0, given.lastedMs);
  }
  if (given.startedAtMs !== undefined) load.inFlight.add({ startedAtMs: given.startedAtMs });
  return load;
};

describe('the pace of an endpoint', () => {
  test.each([
    ['new before its first attempt has ended', {}, 'new'],
    ['new while its first attempt is younger than a second', { startedAtMs: 9_001 }, 'new'],
    ['slow once its first attempt is a second old', { startedAtMs: 9_000 }, 'slow'],
    ['quick after a quick success', { last: 'quick' }, 'quick'],
    ['slow while an attempt hangs, even after a quick success', { last: 'quick', startedAtMs: 9_000 }, 'slow'],
    ['slow after a failure or a slow answer', { last: 'slow' }, 'slow'],
  ] as const)('is %s', (_case, given, pace) => {
    expect(paceOf(loadOf(given), 10_000)).toBe(pace);
  });

  test.each([
    [{ succeeded: true, durationMs: 999 }, 'quick'],
    [{ succeeded: true, durationMs: 1_000 }, 'slow'],
    [{ succeeded: false, durationMs: 1 }, 'slow'],
  ] as const)('is learned from %j as %s', (outcome, last) => {
    const load = loadOf();
    learn(load, outcome, 0);
    expect(load.last).toBe(last);
  });

  test.each([
    ['within the last second', Number.POSITIVE_INFINITY, 10_999, true],
    ['since the given time', 10_000, 99_000, true],
    ['before both', 10_001, 11_000, false],
  ])('a success counts as recent or not: %s', (_case, sinceMs, nowMs, expected) => {
    const load = loadOf();
    expect(hasSucceededSince(load, sinceMs, nowMs)).toBe(false);
    learn(load, { succeeded: true, durationMs: 20 }, 10_000);
    learn(load, { succeeded: false, durationMs: 20 }, 10_500);
    expect(hasSucceededSince(load, sinceMs, nowMs)).toBe(expected);
  });

  test('is slow from the start if the endpoint was failing when the process began', () => {
    const loads = createEndpointLoads(half, ['failing']);
    expect([loads.of('failing'), loads.of('other')].map((load) => paceOf(load, 0))).toEqual(['slow', 'new']);
  });
});

test.each([
  ['quick', { last: 'quick' }, 50],
  ['quick, one attempt in its usual time', { last: 'quick', startedAtMs: 8_605, lastedMs: 200 }, 50],
  ['quick, one attempt over twice its usual time', { last: 'quick', startedAtMs: 8_595, lastedMs: 200 }, 25],
  ['quick, one attempt over 250 ms', { last: 'quick', startedAtMs: 8_750, lastedMs: 20 }, 25],
  ['slow', { last: 'slow' }, 25],
  ['new', {}, 4],
] as const)('an endpoint that is %s gets its share of 100 slots', (_case, given, expected) => {
  expect(slotLimit(loadOf(given), { slots: 100, nowMs: 9_000 })).toBe(expected);
});

test('each endpoint gets at least one slot', () => {
  expect(slotLimit(loadOf(), { slots: 1, nowMs: 0 })).toBe(1);
});

describe('the duration estimate', () => {
  test('is the average of the attempts that have ended, weighted to the latest', () => {
    const duration = createDurationEstimate({ firstMs: 500, weight: 1 / 5 });
    expect(duration.expectedMs(1_000_000)).toBe(500);
    duration.began(0);
    duration.ended(20, 20);
    expect([duration.averageMs(), duration.expectedMs(1_000_000)]).toEqual([404, 404]);
  });

  test('is the time since the last attempt ended, if that is longer', () => {
    const duration = createDurationEstimate({ firstMs: 10, weight: 1 / 5 });
    duration.began(1_000);
    duration.began(9_000);
    const expected = [duration.averageMs(), duration.expectedMs(1_005), duration.expectedMs(16_000)];
    expect(expected).toEqual([10, 10, 15_000]);
    duration.ended(16_000);
    expect(duration.expectedMs(16_001)).toBe(10);
  });

  test('does not count the time before an attempt began', () => {
    const duration = createDurationEstimate({ firstMs: 10, weight: 1 / 5 });
    duration.began(0);
    duration.ended(5, 10);
    duration.began(3_600_000);
    expect(duration.expectedMs(3_600_020)).toBe(20);
  });
});

describe('return times', () => {
  test('are one interval apart, the first after half a second', () => {
    const next = createReturnTimes(half);
    expect([next(0, 200), next(0, 200), next(100, 200), next(10_000, 200)]).toEqual([500, 700, 800, 500]);
  });

  test('are at most five minutes ahead: later ones are spread over the second half of that range', () => {
    let random = 0;
    const next = createReturnTimes(() => random);
    next(0, 1);
    expect(next(0, 10 * 60_000)).toBe(150_000);
    random = 0.999;
    expect(next(0, 1_000)).toBeCloseTo(299_850, 0);
  });

  test('have a jitter of a tenth', () => {
    for (const [random, expected] of [
      [0, 450],
      [1, 550],
    ] as const) {
      expect(createReturnTimes(() => random)(0, 1)).toBeCloseTo(expected, 6);
    }
  });
});

test('a request that waits for a slot resolves when one becomes free, or after its time', async () => {
  const load = loadOf();
  const told = slotFreed(load, 60_000);
  load.waiting.shift()?.();
  await told;
  await slotFreed(load, 1);
  expect(load.waiting).toEqual([]);
});
