import { afterEach, expect, test } from '@jest/globals';
import { testQueue, testRedis } from './database.ts';

const given = process.env.POSTHORN_TEST_QUEUE;
afterEach(() => {
  if (given === undefined) delete process.env.POSTHORN_TEST_QUEUE;
  else process.env.POSTHORN_TEST_QUEUE = given;
});

test.each([
  ['', 'redis', 'postgres'],
  ['redis', 'redis', 'redis'],
  ['postgres', 'postgres', 'postgres'],
  ['swapped', 'postgres', 'redis'],
])(
  'with POSTHORN_TEST_QUEUE=%s, tests that usually use Redis use %s, and those that use Postgres %s',
  (asked, ofRedis, ofPostgres) => {
    process.env.POSTHORN_TEST_QUEUE = asked;
    const urls = { redis: testRedis().redisUrl, postgres: '' };
    expect([testQueue('redis').redisUrl, testQueue('postgres').redisUrl]).toEqual(
      [ofRedis, ofPostgres].map((queue) => urls[queue as keyof typeof urls]),
    );
  },
);

test('another value is refused', () => {
  process.env.POSTHORN_TEST_QUEUE = 'kafka';
  expect(() => testQueue('redis')).toThrow('POSTHORN_TEST_QUEUE must be redis, postgres or swapped');
});
