import { expect, test } from '@jest/globals';
import { readiness } from './readiness.ts';

test.each([
  [true, true, 200, 'ready'],
  [true, false, 200, 'degraded'],
  [false, true, 503, 'unavailable'],
  [false, false, 503, 'unavailable'],
])('postgres %p and redis %p answer %i %s', (postgres, redis, httpStatus, status) => {
  const word = (up: boolean) => (up ? 'up' : 'down');
  expect(readiness({ postgres, redis })).toEqual({
    httpStatus,
    body: { status, dependencies: { postgres: word(postgres), redis: word(redis) } },
  });
});
