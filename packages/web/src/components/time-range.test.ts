import { expect, test } from '@jest/globals';
import { isClockTime, spanAround, startOf, utcOf, withFilter } from './time-range.ts';

test('a range starts at a whole minute', () => {
  expect(startOf('1h', Date.parse('2026-11-21T09:30:59.999Z'))).toBe('2026-11-21T08:30:00.000Z');
  expect(startOf(undefined, 0)).toBeUndefined();
});

test('a time of the clock stands for half an hour before and after it, in every zone', () => {
  expect(spanAround('2026-11-25T12:00Z')).toEqual({ from: '2026-11-25T11:30:00.000Z', to: '2026-11-25T12:30:00.000Z' });
  expect(spanAround(undefined)).toBeUndefined();
});

test.each([
  ['2026-11-25T12:00Z', true],
  ['2026-11-25T12:00', false],
  ['2026-11-25T12:00B', false],
  ['2026-11-25T25:00Z', false],
  ['2026-11-25', false],
  ['noon, yesterday!', false],
  [12, false],
])('%j is a time of the clock: %j', (value, is) => {
  expect(isClockTime(value)).toBe(is);
});

test('a time that is typed is in UTC, in every zone', () => {
  expect(utcOf('2026-11-25T12:00')).toBe('2026-11-25T12:00:00.000Z');
  expect(utcOf('')).toBeUndefined();
});

test('a range and a time of the clock take the place of each other', () => {
  const at = '2026-11-25T12:00Z';
  expect(withFilter({ type: 'a.b', since: '1h' }, 'at', at)).toEqual({ type: 'a.b', at });
  expect(withFilter({ at }, 'since', '24h')).toEqual({ since: '24h' });
  expect(withFilter({ at }, 'type', 'a.b')).toEqual({ type: 'a.b', at });
});
