import { expect, test } from '@jest/globals';
import { isHours, keptWords, limitWords, toHours } from './retention-words.ts';

test('hours are told with their days, and an empty field with what the installation keeps', () => {
  expect([keptWords(1, 168), keptWords(36, 168), keptWords(24, 168)]).toEqual([
    '1 hour',
    '36 hours',
    '24 hours (1 day)',
  ]);
  expect(keptWords(null, 168)).toBe('168 hours (7 days), as long as the installation keeps them');
  expect(keptWords(null, undefined)).toBe('as long as the installation keeps them');
  expect(limitWords(24, 168)).toBe('24 to 168. Empty: 168 hours (7 days), the installation’s own.');
  expect(limitWords(24, undefined)).toBe('At least 24. Empty: as long as the installation keeps them.');
});

test('only an empty text and whole numbers are hours', () => {
  expect(['', ' ', '24', ' 24 '].map((text) => [isHours(text), toHours(text)])).toEqual([
    [true, null],
    [true, null],
    [true, 24],
    [true, 24],
  ]);
  expect(['a day', '1.5', '24h'].map(isHours)).toEqual([false, false, false]);
});
