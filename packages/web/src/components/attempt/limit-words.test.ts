import { expect, test } from '@jest/globals';
import { limitWords } from './limit-words.ts';

test('each limit of an endpoint is told, and nothing for an endpoint without one', () => {
  expect(limitWords({ timeoutSeconds: 5 })).toBeNull();
  expect(limitWords({ maxConcurrency: 1 })).toBe('at most 1 attempt at once');
  expect(limitWords({ rateLimit: { limit: 1_200, periodSeconds: 60 }, maxConcurrency: 2 })).toBe(
    'at most 1,200 attempts in 60 s, and at most 2 attempts at once',
  );
});
