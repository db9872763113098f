import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testRedis } from '@posthorn/testkit/database';
import { waitFor } from '@posthorn/testkit/wait-for';
import { Redis } from 'ioredis';
import { createThrottle, pace, type Throttle } from './throttle.ts';

let throttles: Throttle[];
let redis: Redis;
const place = testRedis();
beforeAll(async () => {
  throttles = [1, 2].map(() => createThrottle({ ...place, onError: () => {} }));
  redis = new Redis(place.redisUrl);
  for (const throttle of throttles) {
    await waitFor(() => throttle.reserve('warm-up', { limit: 10_000, periodSeconds: 1 }), { what: 'a connection' });
  }
});
afterAll(() => {
  for (const throttle of throttles) throttle.close();
  redis.disconnect();
});

const reserve = (endpointId: string, rate: { limit: number; periodSeconds: number }, reservedAtMs?: number) =>
  Promise.all(throttles.map((throttle) => throttle.reserve(endpointId, rate, reservedAtMs)));

test.each([
  [1, 1],
  [5, 1],
  [9, 60],
  [100, 60],
  [10_000, 3_600],
])('%i in %i s is paced so that no period holds more', (limit, periodSeconds) => {
  const { intervalMs, toleranceMs } = pace({ limit, periodSeconds });
  // At first as many as the tolerance allows, then one each interval within a period of the first.
  const atOnce = Math.floor(toleranceMs / intervalMs + 1e-9) + 1;
  const after = Math.floor((periodSeconds * 1_000) / intervalMs);
  expect(atOnce + after).toBeLessThanOrEqual(limit);
  expect(atOnce + after).toBeGreaterThanOrEqual(Math.floor(limit * 0.8));
});

describe('a rate', () => {
  test('reserves consecutive times over all dispatchers', async () => {
    const rate = { limit: 2, periodSeconds: 100 };
    const answers = [...(await reserve('spaced', rate)), ...(await reserve('spaced', rate))];
    const waits = answers.map((answer) => (answer.kind === 'later' ? answer.waitMs : 0)).sort((a, b) => a - b);
    const { intervalMs } = pace(rate);
    expect(waits[0]).toBe(0);
    for (const n of [1, 2, 3]) {
      expect(waits[n]).toBeGreaterThan(n * intervalMs - 5_000);
      expect(waits[n]).toBeLessThanOrEqual(Math.ceil(n * intervalMs));
    }
  });

  test('reserves nothing more than ten minutes ahead, and charges nothing for it', async () => {
    const rate = { limit: 1, periodSeconds: 400 };
    await reserve('far', rate);
    const before = await redis.get(`${place.prefix}:rate:far`);
    expect(await reserve('far', rate)).toEqual([{ kind: 'too_far' }, { kind: 'too_far' }]);
    expect(await redis.get(`${place.prefix}:rate:far`)).toBe(before);
  });

  test('does not charge a request at its reserved time, and charges one that is too late', async () => {
    const rate = { limit: 1, periodSeconds: 60 };
    const now = Date.now();
    await reserve('reserved', rate);
    const before = await redis.get(`${place.prefix}:rate:reserved`);
    expect(await reserve('reserved', rate, now)).toEqual([{ kind: 'now' }, { kind: 'now' }]);
    expect(await reserve('reserved', rate, now + 30_000)).toMatchObject([{ kind: 'later' }, { kind: 'later' }]);
    expect(await redis.get(`${place.prefix}:rate:reserved`)).toBe(before);
    expect(await reserve('reserved', rate, now - 60_000)).toMatchObject([{ kind: 'later' }, { kind: 'later' }]);
    expect(await redis.get(`${place.prefix}:rate:reserved`)).not.toBe(before);
  });

  test('leaves no key behind once the rate is used up', async () => {
    await reserve('short', { limit: 10, periodSeconds: 1 });
    expect(await redis.pttl(`${place.prefix}:rate:short`)).toBeLessThan(2_500);
  });
});

describe('slots', () => {
  const take = (holder: string, leaseMs = 60_000) =>
    throttles[holder.length % 2]?.takeSlot('limited', { holder, max: 2, leaseMs });

  test('are never more than allowed over all dispatchers, and can be released', async () => {
    const taken = await Promise.all(['a', 'bb', 'ccc', 'dddd'].map((holder) => take(holder)));
    expect(taken.filter(Boolean)).toHaveLength(2);
    const held = ['a', 'bb', 'ccc', 'dddd'].filter((_, n) => taken[n]);
    await throttles[0]?.releaseSlot('limited', held[0] ?? '');
    expect([await take('e'), await take('ff')]).toEqual([true, false]);
    for (const holder of [held[1] ?? '', 'e']) await throttles[1]?.releaseSlot('limited', holder);
  });

  test('are freed when the holder’s lease ends', async () => {
    expect([await take('x'), await take('yy'), await take('z')]).toEqual([true, true, false]);
    // With room for another one, a holder's lease is replaced by one that ends at once.
    await throttles[0]?.takeSlot('limited', { holder: 'x', max: 3, leaseMs: 1 });
    await waitFor(() => take('z'), { what: 'the lease to end' });
  });
});

test('rejects at once while Redis is away', async () => {
  const away = createThrottle({ redisUrl: 'redis://127.0.0.1:9', prefix: 'p', onError: () => {} });
  await expect(away.reserve('a', { limit: 1, periodSeconds: 1 })).rejects.toThrow();
  await expect(away.takeSlot('a', { holder: 'b', max: 1, leaseMs: 1 })).rejects.toThrow();
  away.close();
});
