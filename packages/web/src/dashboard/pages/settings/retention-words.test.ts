import { expect, test } from '@jest/globals';
import { HOURS, keptWords, limitWords, whyNoHours } from './retention-words.ts';

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
  const read = HOURS.retentionHours.write;
  expect(['', ' ', '24', ' 24 '].map((text) => [whyNoHours(text), read(text)])).toEqual([
    [null, null],
    [null, null],
    [null, 24],
    [null, 24],
  ]);
  expect(['a day', '1.5', '24h'].map(whyNoHours)).not.toContain(null);
});
