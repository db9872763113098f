import { isIPv6 } from 'node:net';
import type { Clock } from '@posthorn/runtime/clock';
import { ApiError } from '../http/error.ts';

/** Who tries: an account as it was named, whether it exists or not, and the address that it came from. */
export type LoginAttempt = { account: string; address: string };

export type LoginLimit = {
  /**
   * Runs a login's check and counts it when it answers undefined, for failed. Too many failures are `rate_limited`
   * without a check: 10 of one account from one address in 15 minutes, or 100 from one address in an hour. One address
   * has one check at a time, so that many at once cannot slip under the limit.
   */
  attempt: <User>(who: LoginAttempt, check: () => Promise<User | undefined>) => Promise<User | undefined>;
};

const ACCOUNT_LIMIT = { most: 10, windowMs: 15 * 60_000 };
const ADDRESS_LIMIT = { most: 100, windowMs: 60 * 60_000 };

/** Kept in this process: a login must not depend on Redis, and a restart forgives at most one window. */
export function createLoginLimit(clock: Pick<Clock, 'monotonicMs'>): LoginLimit {
  const byAccount = createFailureLog(ACCOUNT_LIMIT);
  const byAddress = createFailureLog(ADDRESS_LIMIT);
  const inTurn = createTurns();
  return {
    attempt({ account, address }, check) {
      const addressKey = networkOf(address);
      const accountKey = `${addressKey} ${account}`;
      return inTurn(addressKey, async () => {
        const nowMs = clock.monotonicMs();
        const waitMs = Math.max(byAccount.waitMs(accountKey, nowMs), byAddress.waitMs(addressKey, nowMs));
        if (waitMs > 0) {
          throw new ApiError('rate_limited', 'Too many failed logins; try again later', {
            'Retry-After': String(Math.ceil(waitMs / 1_000)),
          });
        }
        const user = await check();
        if (user === undefined) {
          byAccount.add(accountKey, clock.monotonicMs());
          byAddress.add(addressKey, clock.monotonicMs());
        }
        return user;
      });
    },
  };
}

/** The times of the latest failures by key, none older than the window. */
function createFailureLog({ most, windowMs }: { most: number; windowMs: number }) {
  const failures = new Map<string, number[]>();
  const recent = (key: string, nowMs: number) => (failures.get(key) ?? []).filter((at) => nowMs - at < windowMs);
  return {
    /** Until one more may be tried; 0 when it may be now. */
    waitMs(key: string, nowMs: number): number {
      const times = recent(key, nowMs);
      const oldest = times[times.length - most];
      return oldest === undefined ? 0 : oldest + windowMs - nowMs;
    },
    add(key: string, nowMs: number): void {
      const times = [...recent(key, nowMs), nowMs];
      // The latest failure stands last, so what has run out stands first.
      failures.delete(key);
      failures.set(key, times);
      for (const [oldKey, oldTimes] of failures) {
        if (nowMs - (oldTimes.at(-1) ?? 0) < windowMs) return;
        failures.delete(oldKey);
      }
    },
  };
}

/** Runs the work of one key one after another. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}

/** An IPv4 address, or the /64 of an IPv6 one: whoever has one address of it has them all. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1).split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length;
  return [...groups, ...Array.from({ length: zeros }, () => '0'), ...rest].slice(0, 4).join(':');
}
