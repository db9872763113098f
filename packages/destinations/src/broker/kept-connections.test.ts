import { afterEach, describe, expect, test } from '@jest/globals';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Place } from '../kind.ts';
import { rabbitmq } from '../rabbitmq/describe.ts';
import { requestTo } from '../testing.ts';
import { createKeptConnections } from './kept-connections.ts';

const LIMITS = { idleMs: 60_000, most: 3, mostOfOwner: 2, failedMs: 60_000 };

type Fake = { isOpen: () => boolean; close: () => void; fail: () => void; isClosed: boolean };

describe('connections to brokers', () => {
  const opened: Fake[] = [];
  afterEach(() => void opened.splice(0));

  const open = async () => {
    let isOpen = true;
    const fake: Fake = {
      isClosed: false,
      isOpen: () => isOpen,
      close: () => (fake.isClosed = true),
      fail: () => (isOpen = false),
    };
    opened.push(fake);
    return fake;
  };
  const at = (endpointId: string, more: Partial<Place> = {}): Place => {
    const { place } = requestTo(rabbitmq, { settings: { host: 'a.example' } });
    return { ...place, endpointId, revision: '1', ...more };
  };
  const keep = (limits: { idleMs?: number; most?: number; mostOfOwner?: number } = {}) =>
    createKeptConnections(open, { ...LIMITS, ...limits });
  const use = async (kept: ReturnType<typeof keep>, place: Place) => {
    const lease = kept.take(place);
    if (lease === undefined) throw new Error('no connection');
    await lease.connection;
    return lease;
  };

  test('are shared by the attempts of an endpoint, and closed some time after the last use', async () => {
    const kept = keep({ idleMs: 1 });
    const [first, second] = [await use(kept, at('a')), await use(kept, at('a'))];
    expect(opened).toHaveLength(1);
    first.giveBack();
    first.giveBack();
    expect(opened[0]?.isClosed).toBe(false);
    second.giveBack();
    await waitFor(() => opened[0]?.isClosed === true, { what: 'the connection to be closed' });
    expect(kept.count()).toBe(0);
  });

  test('of one account leave some to other accounts, however many applications it has', async () => {
    const kept = keep({ most: 8 });
    const of = (accountId: string, n: number) => at(`${accountId}-${n}`, { accountId, owner: `app_${accountId}_${n}` });
    for (let n = 0; n < 6; n += 1) await use(kept, of('first', n));
    expect(kept.take(of('first', 6))).toBeUndefined();
    await use(kept, of('second', 0));
    expect(kept.take(of('second', 1))).toBeUndefined();
    await use(kept, of('third', 0));
    expect(kept.count()).toBe(8);
  });

  test('of an endpoint that was changed are closed as soon as no attempt uses them', async () => {
    const kept = keep();
    const before = await use(kept, at('a'));
    await use(kept, at('a', { revision: '2' }));
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([false, false]);
    before.giveBack();
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  test('that have failed, or were retired, are not used again', async () => {
    const kept = keep();
    (await use(kept, at('a'))).giveBack();
    opened[0]?.fail();
    const retired = await use(kept, at('a'));
    retired.retire();
    await use(kept, at('a'));
    expect(opened).toHaveLength(3);
    retired.giveBack();
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true, false]);
  });

  test('are bounded for an owner and for the process; the one that is unused for longest makes room', async () => {
    const kept = keep();
    const leases = [await use(kept, at('a')), await use(kept, at('b'))];
    expect(kept.take(at('c'))).toBeUndefined();
    await use(kept, at('d', { owner: 'app_2' }));
    expect(kept.take(at('e', { owner: 'app_3' }))).toBeUndefined();
    leases[1]?.giveBack();
    await use(kept, at('e', { owner: 'app_3' }));
    expect(kept.count()).toBe(3);
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([false, true, false, false]);
  });

  test('are bounded together, whichever kind of broker they go to', async () => {
    const limits = { ...LIMITS };
    const [one, other] = [createKeptConnections(open, limits), createKeptConnections(open, limits)];
    const lease = await use(one, at('a'));
    await use(other, at('b'));
    expect(other.take(at('c'))).toBeUndefined();
    lease.giveBack();
    await use(other, at('c'));
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false, false]);
    expect([one.count(), other.count()]).toEqual([0, 2]);
  });

  test('that cannot be made leave no trace', async () => {
    const kept = createKeptConnections<Fake>(() => Promise.reject(new Error('refused')));
    const lease = kept.take(at('a'));
    await expect(lease?.connection).rejects.toThrow('refused');
    lease?.giveBack();
    expect(kept.count()).toBe(0);
  });

  test('that cannot be made are not tried for each attempt: it fails like the one before, until a moment has passed', async () => {
    for (const failedMs of [60_000, 1]) {
      let tried = 0;
      const refuse = () => {
        tried += 1;
        return Promise.reject(new Error(`refused ${tried}`));
      };
      const kept = createKeptConnections<Fake>(refuse, { ...LIMITS, failedMs });
      const failure = async (place: Place) => {
        const lease = kept.take(place);
        const error = await lease?.connection.then(
          () => undefined,
          (thrown: Error) => thrown.message,
        );
        lease?.giveBack();
        return error;
      };
      expect(await failure(at('a'))).toBe('refused 1');
      if (failedMs === 1) {
        await waitFor(async () => (await failure(at('a'))) === 'refused 2', { what: 'another connection' });
        continue;
      }
      expect(await failure(at('a'))).toBe('refused 1');
      // The failure does not affect another endpoint, or this endpoint after a change.
      expect(await failure(at('b'))).toBe('refused 2');
      expect(await failure(at('a', { revision: '2' }))).toBe('refused 3');
      expect(kept.count()).toBe(0);
    }
  });

  test('that are made after their attempt has ended are kept, but not after the end of the process began', async () => {
    const kept = keep();
    const late = kept.take(at('a'));
    late?.giveBack();
    kept.closeAll();
    await waitFor(() => opened[0]?.isClosed === true, { what: 'the connection to be closed' });
    expect(kept.count()).toBe(0);
  });
});
