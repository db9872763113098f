import { expect, test } from '@jest/globals';
import { pace } from './throttle.ts';

const RATES = [
  [1, 1],
  [5, 1],
  [10, 1],
  [9, 60],
  [100, 60],
  [1_000, 1],
  [10_000, 3_600],
  [1, 3_600],
] as const;

test.each(RATES)('%i in %i s: no period has more, and in the long run it is less than 3 %% below', (limit, seconds) => {
  const { intervalMs, toleranceMs, slackMs } = pace({ limit, periodSeconds: seconds });
  // First as many as the tolerance allows, then one at each interval within a period of the first, if that one was
  // late.
  const atOnce = Math.floor(toleranceMs / intervalMs + 1e-9) + 1;
  const after = Math.ceil((seconds * 1_000 + slackMs - 1e-6) / intervalMs) - 1;
  expect(atOnce + after).toBeLessThanOrEqual(limit);
  expect((seconds * 1_000) / intervalMs).toBeGreaterThan(limit * 0.97);
});
