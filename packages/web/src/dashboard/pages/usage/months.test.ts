import { expect, test } from '@jest/globals';
import { monthsBefore, readUsageSearch, spanOfMonth } from './months.ts';

test('the present month and the 13 before it can be chosen, in UTC, over the turn of a year', () => {
  const months = monthsBefore(new Date('2026-01-01T00:30:00+02:00'));
  expect([months.length, months[0], months[12], months[13]]).toEqual([14, '2025-12', '2024-12', '2024-11']);
});

test('a month spans from its beginning to the beginning of the next', () => {
  expect(spanOfMonth('2025-12')).toEqual({ from: '2025-12-01T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z' });
});

test.each([
  [
    { month: '2026-10', step: 'day' },
    { month: '2026-10', step: 'day' },
  ],
  [{ month: '2026-13', step: 'year' }, {}],
  [{ month: 202610 }, {}],
])('the address %j chooses %j', (given, read) => {
  expect(readUsageSearch(given)).toEqual(read);
});
