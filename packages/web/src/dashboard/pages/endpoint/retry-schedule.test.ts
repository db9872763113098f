import { expect, test } from '@jest/globals';
import { readSchedule, retryPoints, scheduleText } from './retry-schedule.ts';

test.each([
  ['5, 5 min,2h , 1d', [5, 300, 7_200, 86_400]],
  ['30s', [30]],
  ['  ', []],
])('%j is read as %j', (text, seconds) => {
  expect(readSchedule(text)).toEqual({ kind: 'schedule', seconds });
});

test.each(['5 weeks', 'min', '5,,6', '0 s', '25 h', '1d,1d,1d,1d,1d,1s', Array(21).fill('1').join(',')])(
  '%j is refused with a reason',
  (text) => {
    expect(readSchedule(text)).toMatchObject({ kind: 'wrong', why: expect.stringContaining(' ') });
  },
);

test('a schedule is written as it is read', () => {
  const seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
  const text = scheduleText(seconds);
  expect(text).toBe('5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 1 d');
  expect(readSchedule(text)).toEqual({ kind: 'schedule', seconds });
});

test('retries stand on the axis in the order of time, the last one at its end', () => {
  const points = retryPoints([5, 300, 7_200]);
  expect(points.map(({ afterSeconds }) => afterSeconds)).toEqual([0, 5, 305, 7_505]);
  expect(points.map(({ share }) => share)).toEqual(points.map(({ share }) => share).toSorted((a, b) => a - b));
  expect(points.at(-1)?.share).toBe(1);
});
