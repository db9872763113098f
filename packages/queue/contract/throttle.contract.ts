import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pace, type Throttle } from '@posthorn/queue/throttle';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Maker, nowhere, type Place } from './maker.ts';

/** The limits of endpoints, across all dispatchers. */
export function throttleContract(maker: Maker): void {
  let place: Place;
  let throttles: Throttle[];
  let endpointId: string;
  beforeAll(async () => {
    place = await maker.open();
    throttles = [1, 2].map(() => place.process().openThrottle());
    for (const throttle of throttles) {
      const first = () => throttle.takeTime(randomUUID(), { limit: 10_000, periodSeconds: 1 });
      await waitFor(first, { what: 'a connection' });
    }
  });
  afterAll(async () => {
    for (const throttle of throttles) throttle.close();
    await place.close();
  });
  const nth = (n: number): Throttle => {
    const throttle = throttles[n % throttles.length];
    if (throttle === undefined) throw new Error('no throttle');
    return throttle;
  };

  describe('a rate', () => {
    const rate = { limit: 2, periodSeconds: 100 };
    const quick = { limit: 10, periodSeconds: 1 };

    test('has one time for each interval, over all dispatchers', async () => {
      endpointId = randomUUID();
      expect(await nth(0).takeTime(endpointId, rate)).toEqual({ kind: 'now' });
      const refused = await nth(1).takeTime(endpointId, rate);
      expect(refused).toEqual({ kind: 'wait', waitMs: expect.any(Number) });
      const { intervalMs } = pace(rate);
      expect(refused.kind === 'wait' && refused.waitMs).toBeLessThanOrEqual(intervalMs);
      expect(refused.kind === 'wait' && refused.waitMs).toBeGreaterThan(intervalMs - 5_000);
    });

    test('has no more times at once than its tolerance, however many ask together', async () => {
      const hourly = { limit: 1_000, periodSeconds: 3_600 };
      const { intervalMs, toleranceMs } = pace(hourly);
      endpointId = randomUUID();
      const asked = Array.from({ length: 40 }, (_, n) => nth(n).takeTime(endpointId, hourly));
      const taken = (await Promise.all(asked)).filter(({ kind }) => kind === 'now');
      expect(taken).toHaveLength(Math.floor(toleranceMs / intervalMs + 1e-9) + 1);
    });

    test('of one endpoint is answered to its own callers, and not to those of another one', async () => {
      const endpoints = Array.from({ length: 20 }, () => randomUUID());
      const first = await Promise.all(endpoints.map((id) => nth(0).takeTime(id, rate)));
      expect(first.filter(({ kind }) => kind === 'now')).toHaveLength(20);
      const most = endpoints.map((id, n) => nth(0).reserveTimes(id, { limit: n + 1, periodSeconds: 1 }, ALL_AT_ONCE));
      // Each uses a different rate, so none of these is used yet. The first time in a rate is always free.
      expect((await Promise.all(most)).map(({ waitsMs }) => waitsMs[0])).toEqual(endpoints.map(() => 0));
    });

    test('reserves the next times in order, and none further ahead than asked', async () => {
      endpointId = randomUUID();
      const { intervalMs } = pace(quick);
      const { waitsMs, nextMs } = await nth(0).reserveTimes(endpointId, quick, { most: 100, aheadMs: 350 });
      expect(waitsMs.map(Math.round)).toEqual([0, 1, 2, 3].map((n) => Math.round(n * intervalMs)));
      expect(nextMs).toBeGreaterThan(350);
      expect((await nth(1).reserveTimes(endpointId, quick, { most: 100, aheadMs: 0 })).waitsMs).toEqual([]);
    });

    test('tells its next time, and reserves none, when none is asked for', async () => {
      endpointId = randomUUID();
      await nth(0).takeTime(endpointId, rate);
      for (const n of [0, 1]) {
        const { waitsMs, nextMs } = await nth(n).reserveTimes(endpointId, rate, { most: 0, aheadMs: 300 });
        expect(waitsMs).toEqual([]);
        expect(nextMs).toBeGreaterThan(pace(rate).intervalMs - 5_000);
        expect(nextMs).toBeLessThanOrEqual(pace(rate).intervalMs);
      }
    });

    test('never reserves more than a second ahead', async () => {
      const five = { limit: 5, periodSeconds: 1 };
      const { waitsMs } = await nth(0).reserveTimes(randomUUID(), five, { most: 9, aheadMs: 9_000 });
      expect(waitsMs).toHaveLength(5);
    });

    test('that is changed is not bound to what was sent under the earlier one', async () => {
      endpointId = randomUUID();
      const hourly = { limit: 1, periodSeconds: 3_600 };
      await nth(0).takeTime(endpointId, hourly);
      expect(await nth(0).reserveTimes(endpointId, hourly, { most: 1, aheadMs: 0 })).toMatchObject({ waitsMs: [] });
      const other = { limit: 1_000, periodSeconds: 1 };
      expect(await nth(0).reserveTimes(endpointId, other, { most: 1, aheadMs: 0 })).toMatchObject({ waitsMs: [0] });
    });

    test('lets no new delivery pass one that was refused, until the line is forgotten', async () => {
      endpointId = randomUUID();
      await nth(0).takeTime(endpointId, rate);
      expect(await nth(0).takeTime(endpointId, rate)).toMatchObject({ kind: 'wait' });
      // This other rate is not used yet: only the line makes the delivery wait.
      expect(await nth(1).takeTime(endpointId, quick)).toMatchObject({ kind: 'wait', waitMs: 0 });
      expect(await nth(1).reserveTimes(endpointId, quick, { most: 1, aheadMs: 0 })).toMatchObject({ waitsMs: [0] });
      nth(0).forgetLine(endpointId);
      const unused = { limit: 20, periodSeconds: 1 };
      await waitFor(async () => (await nth(1).takeTime(endpointId, unused)).kind === 'now', {
        what: 'the end of the line',
      });
    });

    test('lets no new delivery pass a line that is marked, and the mark ends by its time', async () => {
      endpointId = randomUUID();
      nth(0).markLine(endpointId, 60_000);
      expect(await nth(0).takeTime(endpointId, quick)).toEqual({ kind: 'wait', waitMs: 0 });
      nth(0).markLine(endpointId, 1);
      await waitFor(async () => (await nth(1).takeTime(endpointId, quick)).kind === 'now', {
        what: 'the end of the mark',
      });
    });

    test('one that passes waits for the line alone, and those after it wait until the rate has room for it', async () => {
      const ten = { limit: 10, periodSeconds: 10 };
      endpointId = randomUUID();
      for (let n = 0; n < 5; n += 1)
        expect(await nth(n).takeTime(endpointId, ten, { passes: true })).toEqual({ kind: 'now' });
      const refused = await nth(0).takeTime(endpointId, ten);
      expect(refused.kind === 'wait' && refused.waitMs).toBeGreaterThan(4_000);
      // The refused delivery is about to enter the line.
      expect((await nth(1).takeTime(endpointId, ten, { passes: true })).kind).toBe('wait');
    });
  });

  describe('slots', () => {
    const take = (holder: string, given: { max?: number; leaseMs?: number; isTurn?: boolean } = {}) =>
      nth(0).takeSlot(endpointId, { holder, max: 2, leaseMs: 60_000, isTurn: true, ...given });

    test('are never more than allowed over all dispatchers, and can be released', async () => {
      endpointId = randomUUID();
      const holders = Array.from({ length: 8 }, () => randomUUID());
      const slot = { max: 2, leaseMs: 60_000, isTurn: true };
      const taken = await Promise.all(holders.map((holder, n) => nth(n).takeSlot(endpointId, { holder, ...slot })));
      expect(taken.filter(Boolean)).toHaveLength(2);
      const [first = '', second = ''] = holders.filter((_, n) => taken[n]);
      expect(await nth(0).releaseSlot(endpointId, first)).toBe(false);
      const third = randomUUID();
      expect([await take(third), await take(randomUUID())]).toEqual([true, false]);
      for (const holder of [second, third]) await nth(1).releaseSlot(endpointId, holder);
      expect([await take(randomUUID()), await take(randomUUID())]).toEqual([true, true]);
    });

    test('a new delivery that finds none is not passed by others, and its release tells that it waits', async () => {
      endpointId = randomUUID();
      const first = randomUUID();
      const one = { max: 1, isTurn: false };
      expect([await take(first, one), await take(randomUUID(), one)]).toEqual([true, false]);
      expect(await nth(1).releaseSlot(endpointId, first)).toBe(true);
      expect(await take(randomUUID(), one)).toBe(false);
      expect(await take(randomUUID(), { max: 1, isTurn: true })).toBe(true);
    });

    test('are freed when the holder’s lease ends', async () => {
      endpointId = randomUUID();
      const ends = randomUUID();
      expect([await take(ends), await take(randomUUID()), await take(randomUUID())]).toEqual([true, true, false]);
      // If there is room for another slot, a holder's lease is replaced, here by one that ends at once.
      await take(ends, { max: 3, leaseMs: 1 });
      await waitFor(() => take(randomUUID()), { what: 'the lease to end' });
    });
  });

  test('rejects while its server is away', async () => {
    const away = place.process({ url: nowhere(place.url) }).openThrottle();
    await expect(away.takeTime(randomUUID(), { limit: 1, periodSeconds: 1 })).rejects.toThrow();
    await expect(away.takeSlot(randomUUID(), { holder: randomUUID(), max: 1, leaseMs: 1 })).rejects.toThrow();
    away.close();
  });
}

const ALL_AT_ONCE = { most: 1, aheadMs: 0 };
