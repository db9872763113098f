import { expect, test } from '@jest/globals';
import { receivedAtMs } from './received-at.ts';

const AT = Date.UTC(2026, 10, 21, 9, 30);

test.each([
  '2026-11-21T09:30:00Z',
  '2026-11-21T09:30:00',
  ' 2026-11-21 09:30 ',
  '2026-11-21T10:30:00+01:00',
  'Sat, 21 Nov 2026 09:30:00 GMT',
])('a time without a zone is in UTC, wherever the reader is: %j', (typed) => {
  expect(receivedAtMs(typed, 1)).toBe(AT);
});

test('an empty text is now, and a text that is no time is no number', () => {
  expect([receivedAtMs(' ', 7), receivedAtMs('soon', 7)]).toEqual([7, Number.NaN]);
});
