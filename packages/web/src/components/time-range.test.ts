import { expect, test } from '@jest/globals';
import { isClockTime, spanAround, startOf, withFilter } from './time-range.ts';

test('a range starts at a whole minute', () => {
  expect(startOf('1h', Date.parse('2026-11-21T09:30:59.999Z'))).toBe('2026-11-21T08:30:00.000Z');
  expect(startOf(undefined, 0)).toBeUndefined();
});

test('a time of the clock stands for half an hour before and after it, in the zone of the reader', () => {
  expect(spanAround('2026-11-25T12:00')).toEqual({
    from: new Date(2026, 10, 25, 11, 30).toISOString(),
    to: new Date(2026, 10, 25, 12, 30).toISOString(),
  });
  expect(spanAround(undefined)).toBeUndefined();
});

test.each([
  ['2026-11-25T12:00', true],
  ['2026-11-25T25:00', false],
  ['2026-11-25', false],
  ['noon, yesterday!', false],
  [12, false],
])('%j is a time of the clock: %j', (value, is) => {
  expect(isClockTime(value)).toBe(is);
});

test('a range and a time of the clock take the place of each other', () => {
  const at = '2026-11-25T12:00';
  expect(withFilter({ type: 'a.b', since: '1h' }, 'at', at)).toEqual({ type: 'a.b', at });
  expect(withFilter({ at }, 'since', '24h')).toEqual({ since: '24h' });
  expect(withFilter({ at }, 'type', 'a.b')).toEqual({ type: 'a.b', at });
});
