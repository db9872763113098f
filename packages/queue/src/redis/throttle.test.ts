import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testRedis } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import { Redis } from 'ioredis';
import { pace, type RateLimit, type Throttle } from '../throttle.ts';
import { createThrottle } from './throttle.ts';

let throttles: Throttle[];
let redis: Redis;
const place = testRedis();
beforeAll(async () => {
  throttles = [1, 2].map(() => createThrottle({ ...place, onError: () => {} }));
  redis = new Redis(place.redisUrl);
  for (const throttle of throttles) {
    await waitFor(() => throttle.takeTime('warm-up', { limit: 10_000, periodSeconds: 1 }), { what: 'a connection' });
  }
});
afterAll(() => {
  for (const throttle of throttles) throttle.close();
  redis.disconnect();
});

const nth = (n: number): Throttle => {
  const throttle = throttles[n % throttles.length];
  if (throttle === undefined) throw new Error('no throttle');
  return throttle;
};
const keyOf = (kind: string, endpointId: string, { limit, periodSeconds }: RateLimit) =>
  `${place.prefix}:${kind}:{${endpointId}}:${limit}/${periodSeconds}`;

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
  // At first as many as the tolerance allows, then one each interval within a period of the first, if that was late.
  const atOnce = Math.floor(toleranceMs / intervalMs + 1e-9) + 1;
  const after = Math.ceil((seconds * 1_000 + slackMs - 1e-6) / intervalMs) - 1;
  expect(atOnce + after).toBeLessThanOrEqual(limit);
  expect((seconds * 1_000) / intervalMs).toBeGreaterThan(limit * 0.97);
});

describe('a rate', () => {
  const rate = { limit: 2, periodSeconds: 100 };

  test('has one time for each interval, over all dispatchers', async () => {
    expect(await nth(0).takeTime('spaced', rate)).toEqual({ kind: 'now' });
    const refused = await nth(1).takeTime('spaced', rate);
    expect(refused).toEqual({ kind: 'wait', waitMs: expect.any(Number) });
    const { intervalMs } = pace(rate);
    expect(refused.kind === 'wait' && refused.waitMs).toBeLessThanOrEqual(intervalMs);
    expect(refused.kind === 'wait' && refused.waitMs).toBeGreaterThan(intervalMs - 5_000);
  });

  test('reserves the next times in order, and none further ahead than asked', async () => {
    const quick = { limit: 10, periodSeconds: 1 };
    const { intervalMs } = pace(quick);
    const { waitsMs, nextMs } = await nth(0).reserveTimes('ahead', quick, { most: 100, aheadMs: 350 });
    expect(waitsMs.map(Math.round)).toEqual([0, 1, 2, 3].map((n) => Math.round(n * intervalMs)));
    expect(nextMs).toBeGreaterThan(350);
    expect((await nth(1).reserveTimes('ahead', quick, { most: 100, aheadMs: 0 })).waitsMs).toEqual([]);
  });

  test('never reserves more than a second ahead', async () => {
    const { waitsMs } = await nth(0).reserveTimes('far', { limit: 5, periodSeconds: 1 }, { most: 9, aheadMs: 9_000 });
    expect(waitsMs).toHaveLength(5);
  });

  test('that is changed is not bound to what was sent under the earlier one', async () => {
    const hourly = { limit: 1, periodSeconds: 3_600 };
    await nth(0).takeTime('changed', hourly);
    expect(await nth(0).reserveTimes('changed', hourly, { most: 1, aheadMs: 0 })).toMatchObject({ waitsMs: [] });
    const quick = { limit: 1_000, periodSeconds: 1 };
    expect(await nth(0).reserveTimes('changed', quick, { most: 1, aheadMs: 0 })).toMatchObject({ waitsMs: [0] });
  });

  test('lets no new delivery pass one that was refused, until the line is forgotten', async () => {
    const quick = { limit: 10, periodSeconds: 1 };
    await nth(0).takeTime('line', quick);
    expect(await nth(0).takeTime('line', quick)).toMatchObject({ kind: 'wait' });
    const isFree = async () => (await nth(1).reserveTimes('line', quick, { most: 1, aheadMs: 0 })).waitsMs.length === 1;
    await waitFor(isFree, { what: 'the next time, which the line takes' });
    await redis.del(keyOf('rate', 'line', quick));
    expect(await nth(1).takeTime('line', quick)).toMatchObject({ kind: 'wait', waitMs: 0 });
    nth(0).forgetLine('line');
    await waitFor(async () => (await nth(1).takeTime('line', quick)).kind === 'now', { what: 'the end of the line' });
  });

  test('one that passes waits for the line alone, and those after it wait until the rate has room for it', async () => {
    const rate = { limit: 10, periodSeconds: 10 };
    for (let n = 0; n < 5; n += 1)
      expect(await nth(n).takeTime('passed', rate, { passes: true })).toEqual({ kind: 'now' });
    const refused = await nth(0).takeTime('passed', rate);
    expect(refused.kind === 'wait' && refused.waitMs).toBeGreaterThan(4_000);
    // The one that was refused is about to enter the line.
    expect((await nth(1).takeTime('passed', rate, { passes: true })).kind).toBe('wait');
  });

  test('keeps the distance from a request that was late, once for each period', async () => {
    const quick = { limit: 10, periodSeconds: 100 };
    const { slackMs } = pace(quick);
    await nth(0).takeTime('late', quick);
    const used = async () => Number(await redis.get(keyOf('rate', 'late', quick)));
    const before = await used();
    nth(0).tellLate('late', quick, slackMs);
    nth(0).tellLate('late', quick, slackMs + 400);
    await waitFor(async () => (await used()) > before, { what: 'the later time' });
    for (const lateMs of [300, 400]) nth(0).tellLate('late', quick, slackMs + lateMs);
    nth(0).tellLate('late', quick, slackMs + 500);
    await waitFor(async () => Math.round((await used()) - before) === 500, { what: 'the greatest lateness' });
  });

  test('is not stopped by a number that a clock ahead has left', async () => {
    await redis.set(keyOf('rate', 'stepped', rate), String(Date.now() + 86_400_000));
    const { nextMs } = await nth(0).reserveTimes('stepped', rate, { most: 1, aheadMs: 0 });
    expect(nextMs).toBeLessThan(2_500 * rate.periodSeconds);
  });

  test('leaves no key behind once it is used up', async () => {
    await nth(0).takeTime('short', { limit: 10, periodSeconds: 1 });
    expect(await redis.pttl(keyOf('rate', 'short', { limit: 10, periodSeconds: 1 }))).toBeLessThan(2_500);
  });
});

describe('slots', () => {
  const take = (holder: string, given: { leaseMs?: number; isTurn?: boolean } = {}) =>
    nth(holder.length).takeSlot('limited', { holder, max: 2, leaseMs: 60_000, isTurn: true, ...given });

  test('are never more than allowed over all dispatchers, and can be released', async () => {
    const taken = await Promise.all(['a', 'bb', 'ccc', 'dddd'].map((holder) => take(holder)));
    expect(taken.filter(Boolean)).toHaveLength(2);
    const held = ['a', 'bb', 'ccc', 'dddd'].filter((_, n) => taken[n]);
    expect(await nth(0).releaseSlot('limited', held[0] ?? '')).toBe(false);
    expect([await take('e'), await take('ff')]).toEqual([true, false]);
    for (const holder of [held[1] ?? '', 'e']) await nth(1).releaseSlot('limited', holder);
  });

  test('a new delivery that finds none is not passed by others, and its release tells that it waits', async () => {
    const take = (holder: string, isTurn: boolean) =>
      nth(0).takeSlot('waited-for', { holder, max: 1, leaseMs: 60_000, isTurn });
    expect([await take('a', false), await take('b', false)]).toEqual([true, false]);
    expect(await nth(0).releaseSlot('waited-for', 'a')).toBe(true);
    expect([await take('c', false), await take('b', true)]).toEqual([false, true]);
  });

  test('are freed when the holder’s lease ends', async () => {
    expect([await take('x'), await take('yy'), await take('z')]).toEqual([true, true, false]);
    // With room for another one, a holder's lease is replaced by one that ends at once.
    await nth(0).takeSlot('limited', { holder: 'x', max: 3, leaseMs: 1, isTurn: true });
    await waitFor(() => take('z'), { what: 'the lease to end' });
  });

  test('are freed when their leases end further ahead than any lease: the clock was set back', async () => {
    await redis.zadd(`${place.prefix}:slots:{stepped}`, Date.now() + 86_400_000, 'held');
    expect(await nth(0).takeSlot('stepped', { holder: 'next', max: 1, leaseMs: 1_000 })).toBe(true);
  });
});

test('rejects at once while Redis is away', async () => {
  const away = createThrottle({ redisUrl: 'redis://127.0.0.1:9', prefix: 'p', onError: () => {} });
  await expect(away.takeTime('a', { limit: 1, periodSeconds: 1 })).rejects.toThrow();
  await expect(away.takeSlot('a', { holder: 'b', max: 1, leaseMs: 1 })).rejects.toThrow();
  away.close();
});
