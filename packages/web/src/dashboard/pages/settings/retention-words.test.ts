import { expect, test } from '@jest/globals';
import { erasedWords, HOURS, keptWords, limitWords, whyNoHours } from './retention-words.ts';

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

test('only a shorter time erases, and an empty field is the time of the installation', () => {
  const before = { payloadRetentionHours: null, retentionHours: 48 };
  expect(erasedWords(before, { payloadRetentionHours: 36 }, 168)).toBe(
    'Payloads that are older than 36 hours are erased for good.',
  );
  expect(erasedWords(before, { retentionHours: 24 }, 168)).toMatch(/^Events, .* older than 24 hours \(1 day\)/);
  expect(erasedWords(before, { payloadRetentionHours: 1, retentionHours: 24 }, 168)).toMatch(/^Payloads .* Events, /);
  expect(erasedWords(before, { payloadRetentionHours: 36 }, undefined)).toMatch(/^Payloads /);
  expect(erasedWords(before, { retentionHours: null }, undefined)).toBeNull();
  expect(erasedWords(before, { payloadRetentionHours: 168, retentionHours: 72 }, 168)).toBeNull();
  expect(erasedWords({ ...before, payloadRetentionHours: 400 }, { payloadRetentionHours: null }, 168)).toBeNull();
});
