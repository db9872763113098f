import { expect, test } from '@jest/globals';
import { failedShare, failingEndpoints } from './endpoint-totals.ts';

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

test('an endpoint fails when no attempt succeeded; behind the 50 busiest endpoints there may be more of them', () => {
  const none = { p50: null, p95: null, p99: null };
  const group = (key: string, attempts: number, failed: number) => {
    const ended = { succeeded: attempts - failed, delivered: attempts - failed, ended: attempts, deadLettered: 0 };
    return { key, totals: { ingested: null, attempts, failed, ...ended, durationMs: none, delayMs: none } };
  };
  const groups = [group('ep_1', 10, 10), group('ep_2', 10, 9), group('ep_3', 0, 0)];
  const stats = { from: '', to: '', step: 'hour' as const, catchingUp: null };
  expect(failingEndpoints({ ...stats, groups })).toEqual({ count: 1, areOthersUnknown: false });
  const busiest = Array.from({ length: 50 }, (_, index) => group(`ep_${index}`, 2, 2));
  expect(failingEndpoints({ ...stats, groups: busiest })).toEqual({ count: 50, areOthersUnknown: true });
  expect(failingEndpoints(undefined)).toEqual({ count: 0, areOthersUnknown: false });
});
