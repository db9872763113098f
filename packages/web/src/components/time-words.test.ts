import { expect, test } from '@jest/globals';
import { durationWords, relativeWords, utcWords } from './time-words.ts';

test.each([
  [0.2, '< 1 ms'],
  [384.4, '384 ms'],
  [999.7, '1 s'],
  [2_100, '2.1 s'],
  [59_900, '59 s'],
  [60_000, '1 min'],
  [125_000, '2 min 5 s'],
  [11_520_000, '3 h 12 min'],
  [187_200_000, '2 d 4 h'],
])('%d ms reads as %s', (ms, words) => {
  expect(durationWords(ms)).toBe(words);
});

test.each([
  [0, 'just now'],
  [-5_000, '5 s ago'],
  [-185_000, '3 min ago'],
  [7_300_000, 'in 2 h'],
  [-90_000_000, '1 d ago'],
])('an instant %d ms from now reads as %s', (distance, words) => {
  const now = 1_800_000_000_000;
  expect(relativeWords(now + distance, now)).toBe(words);
});

test('the exact instant is shown in UTC to the millisecond', () => {
  expect(utcWords('2026-11-21T09:30:00.123Z')).toBe('2026-11-21 09:30:00.123 UTC');
});
