import { expect, test } from '@jest/globals';
import { attentionCounts, failedShare } from './endpoint-totals.ts';

test.each([
  [0, 0, '–'],
  [100, 0, '0 %'],
  [1_000, 1, '< 1 %'],
  [100, 27, '27 %'],
  [1_000, 999, '99 %'],
  [3, 3, '100 %'],
])('of %i attempts %i failed: %s', (attempts, failed, words) => {
  expect(failedShare({ attempts, failed })).toBe(words);
});

test('dead letters are summed, and an endpoint fails when no attempt succeeded', () => {
  const none = { p50: null, p95: null, p99: null };
  const group = (key: string, attempts: number, failed: number, deadLettered: number) => {
    const ended = { succeeded: attempts - failed, delivered: attempts - failed, ended: attempts };
    return {
      key,
      totals: { ingested: null, attempts, failed, deadLettered, ...ended, durationMs: none, delayMs: none },
    };
  };
  const groups = [group('ep_1', 10, 10, 2), group('ep_2', 10, 9, 1), group('ep_3', 0, 0, 0)];
  expect(attentionCounts({ from: '', to: '', step: 'hour', groups })).toEqual({ deadLetters: 3, failing: 1 });
  expect(attentionCounts(undefined)).toEqual({ deadLetters: 0, failing: 0 });
});
