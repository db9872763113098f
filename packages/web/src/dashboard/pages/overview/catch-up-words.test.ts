import { expect, test } from '@jest/globals';
import { catchUpWords } from './catch-up-words.ts';

test('the banner says how much waits, how fast it is sent, and for how long', () => {
  const atMs = Date.parse('2026-11-30T12:00:00Z');
  const given = { waiting: 4_800, perSecond: 80.5, endsAt: '2026-11-30T12:02:00Z' };
  expect(catchUpWords(given, atMs)).toBe(
    '4,800 deliveries wait. To spare receivers a wave, their endpoints get at most 80.5 a second together, for about 2 min more. New events pass what waits.',
  );
  expect(catchUpWords({ ...given, waiting: 1, endsAt: '2026-11-30T11:00:00Z' }, atMs)).toMatch(
    /^1 delivery waits\. .* for about 1 min more/,
  );
});
