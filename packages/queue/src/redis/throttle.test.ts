import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testRedis } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import { Redis } from 'ioredis';
import { pace, type RateLimit, type Throttle } from '../throttle.ts';
import { createThrottle } from './throttle.ts';

// Tests for Redis only. packages/queue/contract tests the promises of every throttle.

let throttle: Throttle;
let redis: Redis;
const place = testRedis();
beforeAll(async () => {
  throttle = createThrottle({ ...place, onError: () => {} });
  redis = new Redis(place.redisUrl);
  await waitFor(() => throttle.takeTime('warm-up', { limit: 10_000, periodSeconds: 1 }), { what: 'a connection' });
});
afterAll(() => {
  throttle.close();
  redis.disconnect();
});

const RATE = { limit: 2, periodSeconds: 100 };
const keyOf = (kind: string, endpointId: string, { limit, periodSeconds }: RateLimit) =>
  `${place.prefix}:${kind}:{${endpointId}}:${limit}/${periodSeconds}`;

test('a rate keeps the distance from a request that was late, once for each period', async () => {
  const quick = { limit: 10, periodSeconds: 100 };
  const { slackMs } = pace(quick);
  await throttle.takeTime('late', quick);
  const used = async () => Number(await redis.get(keyOf('rate', 'late', quick)));
  const before = await used();
  throttle.tellLate('late', quick, slackMs);
  throttle.tellLate('late', quick, slackMs + 400);
  await waitFor(async () => (await used()) > before, { what: 'the later time' });
  for (const lateMs of [300, 400]) throttle.tellLate('late', quick, slackMs + lateMs);
  throttle.tellLate('late', quick, slackMs + 500);
  await waitFor(async () => Math.round((await used()) - before) === 500, { what: 'the greatest lateness' });
});

test('a rate is not stopped by a number that a clock ahead has left', async () => {
  await redis.set(keyOf('rate', 'stepped', RATE), String(Date.now() + 86_400_000));
  const { nextMs } = await throttle.reserveTimes('stepped', RATE, { most: 1, aheadMs: 0 });
  expect(nextMs).toBeLessThan(2_500 * RATE.periodSeconds);
});

test('a turn of a line that begins late takes the times that have passed, and a new delivery takes none', async () => {
  const quick = { limit: 10, periodSeconds: 50 };
  const { intervalMs, passedMs } = pace(quick);
  const isUsedUpSince = (ms: number) => redis.set(keyOf('rate', 'turns', quick), String(Date.now() - ms));
  const turn = () => throttle.reserveTimes('turns', quick, { most: 2, aheadMs: 0 });
  await isUsedUpSince(passedMs / 2);
  const { waitsMs, nextMs } = await turn();
  expect(waitsMs).toHaveLength(1);
  expect(waitsMs[0]).toBeLessThan(-passedMs / 2 + 5);
  expect(nextMs).toBeCloseTo(intervalMs + (waitsMs[0] ?? 0));
  await isUsedUpSince(60_000);
  expect((await turn()).waitsMs).toEqual([-passedMs]);
  await isUsedUpSince(passedMs / 2);
  expect(await throttle.takeTime('turns', quick)).toEqual({ kind: 'now' });
  expect(await throttle.takeTime('turns', quick)).toEqual({ kind: 'wait', waitMs: expect.any(Number) });
  expect((await turn()).nextMs).toBeGreaterThan(intervalMs - passedMs / 2);
});

test('a rate leaves no key behind once it is used up', async () => {
  await throttle.takeTime('short', { limit: 10, periodSeconds: 1 });
  expect(await redis.pttl(keyOf('rate', 'short', { limit: 10, periodSeconds: 1 }))).toBeLessThan(2_500);
});

test('slots are freed when their leases end further ahead than any lease: the clock was set back', async () => {
  await redis.zadd(`${place.prefix}:slots:{stepped}`, Date.now() + 86_400_000, 'held');
  expect(await throttle.takeSlot('stepped', { holder: 'next', max: 1, leaseMs: 1_000 })).toBe(true);
});
