import { expect, test } from '@jest/globals';
import { createChallengeLimits } from './challenge-limits.ts';

test('challenges of one account leave half of the rate of a host to others', () => {
  const spend = createChallengeLimits({
    clock: { now: () => new Date(0), monotonicMs: () => 0 },
    challengesPerHost: 300,
  });
  const count = (ownerId: string, host: string) => {
    for (let spent = 0; ; spent += 1) {
      try {
        // Each agent makes ten challenges, which is its limit.
        spend({ principal: `key:${ownerId}:${host}:${Math.floor(spent / 10)}`, ownerId, host });
      } catch {
        return spent;
      }
    }
  };
  expect(count('greedy', 'shared.test')).toBe(150);
  expect(count('other', 'shared.test')).toBe(150);
  expect(count('greedy', 'else.test')).toBe(150);
});
