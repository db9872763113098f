import { expect, test } from '@jest/globals';
import { limitsOf, parsePlanLimits } from './quota-limits.ts';

test.each([
  ['0', [0, 0, 0]],
  ['1000', [1_000, 1_000, 1_000]],
  ['free:10, pro:20', [10, 20, 0]],
  ['enterprise:5', [0, 0, 5]],
])('the setting %s is a limit for each plan', (text, [free, pro, enterprise]) => {
  expect(parsePlanLimits(text)).toEqual({ free, pro, enterprise });
});

test.each(['', 'many', '-1', '1.5', '1e400', 'gold:1', 'free:', 'free:1,free:2', 'free:1:2', 'free:1,'])(
  'the setting %j is refused with the rule',
  (text) => {
    expect(() => parsePlanLimits(text)).toThrow('must be a whole number, or one for each plan');
  },
);

test('the limit of a workspace wins over that of its plan, and 0 is no limit in both', () => {
  const defaults = {
    eventsPerDay: parsePlanLimits('free:10'),
    bytesKept: parsePlanLimits('7'),
    attemptBytesKept: parsePlanLimits('free:9'),
  };
  const free = { plan: 'free', eventsPerDay: null, bytesKept: null, attemptBytesKept: null } as const;
  expect(limitsOf(free, defaults)).toEqual({ eventsPerDay: 10, bytesKept: 7, attemptBytesKept: 9 });
  expect(limitsOf({ ...free, plan: 'pro' }, defaults)).toEqual({
    eventsPerDay: null,
    bytesKept: 7,
    attemptBytesKept: null,
  });
  expect(limitsOf({ ...free, eventsPerDay: 3n, bytesKept: 0n }, defaults)).toEqual({
    eventsPerDay: 3,
    bytesKept: null,
    attemptBytesKept: 9,
  });
});
