import { expect, test } from '@jest/globals';
import { createChallengeLimits } from './challenge-limits.ts';

const clock = { now: () => new Date(0), monotonicMs: () => 0 };

test('challenges of one account leave half of the rate of a host to others', () => {
  const spend = createChallengeLimits({ clock, challengesPerHost: 300 });
  const count = (ownerId: string, host: string) => {
    for (let spent = 0; ; spent += 1) {
      try {
        // Each agent makes ten challenges, which is its limit.
        spend({ principal: `key:${ownerId}:${host}:${Math.floor(spent / 10)}`, ownerId, url: `https://${host}/in` });
      } catch {
        return spent;
      }
    }
  };
  expect(count('greedy', 'shared.test')).toBe(150);
  expect(count('other', 'shared.test')).toBe(150);
  expect(count('greedy', 'else.test')).toBe(150);
});

test('other ports, other paths and a dot at the end of its name make no other host', () => {
  const spend = createChallengeLimits({ clock, challengesPerHost: 2 });
  // Each account has half of the rate of a host: one challenge.
  const callTo = (ownerId: string, url: string) => () => spend({ principal: `key:${url}`, ownerId, url });
  callTo('one', 'https://shared.test/in')();
  for (const url of ['https://shared.test:8443/in', 'https://shared.test./in', 'https://shared.test/other']) {
    expect(callTo('one', url)).toThrow('Challenges of one account to this host');
  }
  callTo('two', 'https://shared.test:8443/in')();
  expect(callTo('three', 'https://shared.test:444/in')).toThrow('Challenges to this host');
});
