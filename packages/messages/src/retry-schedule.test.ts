import { describe, expect, test } from '@jest/globals';
import { parseRetryAfter, parseRetrySchedule, retryDelaySeconds } from './retry-schedule.ts';

const DEFAULT = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

describe('the schedule', () => {
  test.each([
    ['5,300,1800', [5, 300, 1800]],
    [' 5 , 300 ', [5, 300]],
    ['1', [1]],
    ['86400', [86_400]],
    [Array(20).fill('1').join(','), Array(20).fill(1)],
  ])('reads %j', (text, steps) => {
    expect(parseRetrySchedule(text)).toEqual(steps);
  });

  test.each(['0', '86401', '-5', '1.5', '5,', ',5', '5;6', 'five', '1e3', '0x10', ' ', Array(21).fill('1').join(',')])(
    'refuses %j and names the rule',
    (text) => {
      expect(() => parseRetrySchedule(text)).toThrow('must be 1 to 20 whole seconds of 1 to 86400');
    },
  );

  test.each(DEFAULT.map((seconds, step) => [step, seconds]))('step %i is %i s ± 20 %%', (step, seconds) => {
    const at = (random: number) =>
      retryDelaySeconds({ schedule: DEFAULT, step, retryAfterSeconds: undefined, random }) ?? Number.NaN;
    expect(at(0)).toBeCloseTo(seconds * 0.8);
    expect(at(0.5)).toBeCloseTo(seconds);
    expect(at(0.999_999)).toBeLessThanOrEqual(seconds * 1.2);
    expect(at(0.999_999)).toBeGreaterThan(seconds * 1.19);
  });

  test('no step is left after the last; an empty schedule has none', () => {
    const input = { retryAfterSeconds: 60, random: 0.5 };
    expect(retryDelaySeconds({ ...input, schedule: DEFAULT, step: 9 })).toBeUndefined();
    expect(retryDelaySeconds({ ...input, schedule: [], step: 0 })).toBeUndefined();
  });

  test.each([
    ['later than the step', 3_600, 3_600],
    ['at most 24 h', 10_000_000, 86_400],
    ['never earlier than the step', 1, 240],
    ['nothing', undefined, 240],
    ['zero', 0, 240],
  ])('Retry-After can only delay a retry: %s', (_case, retryAfterSeconds, expected) => {
    const delay = retryDelaySeconds({ schedule: DEFAULT, step: 1, retryAfterSeconds, random: 0 });
    expect(delay).toBeCloseTo(expected);
  });
});

test.each([100, 600, 86_400])(
  'retries that were asked to wait %i s are spread over a tenth of it, at most 30 s',
  (retryAfterSeconds) => {
    const at = (random: number) =>
      retryDelaySeconds({ schedule: [1], step: 0, retryAfterSeconds, random }) ?? Number.NaN;
    const width = Math.min(retryAfterSeconds / 10, 30);
    expect([at(0), at(0.5)]).toEqual([retryAfterSeconds, retryAfterSeconds + width / 2]);
  },
);

describe('Retry-After', () => {
  const now = new Date('2026-11-21T10:00:00.000Z');

  test.each<[string | undefined, number | undefined]>([
    ['120', 120],
    [' 120 ', 120],
    ['0', 0],
    ['0007', 7],
    ['9999999999', 9_999_999_999],
    ['Sat, 21 Nov 2026 10:02:00 GMT', 120],
    ['Saturday, 21-Nov-26 10:02:00 GMT', 120],
    ['Sat Nov 21 10:02:00 2026', 120],
    ['Tue Dec  1 10:00:00 2026', 864_000],
    ['Sat, 21 Nov 2026 09:59:00 GMT', undefined],
    ['Sat, 21 Nov 2026 10:00:00 GMT', undefined],
    ['Thu, 01 Jan 1970 00:00:00 GMT', undefined],
    ['Sat, 99 Nov 2026 10:02:00 GMT', undefined],
    ['Sat, 21 Foo 2026 10:02:00 GMT', undefined],
    ['Sat, 21 Nov 2026 10:02:00 PST', undefined],
    ['2026-11-21T10:02:00Z', undefined],
    ['2026-11-21', undefined],
    ['-120', undefined],
    ['+120', undefined],
    ['120.5', undefined],
    ['1e3', undefined],
    ['0x78', undefined],
    ['12 0', undefined],
    ['120s', undefined],
    ['120, 60', undefined],
    ['soon', undefined],
    ['', undefined],
    ['NaN', undefined],
    ['Infinity', undefined],
    ['99999999999999999999', 1e20],
    ['１２０', undefined],
    [undefined, undefined],
  ])('%j is read as %p seconds', (header, seconds) => {
    expect(parseRetryAfter(header, now)).toBe(seconds);
  });
});
