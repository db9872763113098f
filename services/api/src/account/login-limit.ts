import { networkOf } from '@posthorn/egress/network-of';
import type { Clock } from '@posthorn/runtime/clock';
import { createInOrder } from '../limits.ts';
import { ApiError } from '../transport/error.ts';
import { type PasswordTries, SLOWED_SECONDS, type Tried } from './password-tries.ts';

/**
 * The account's name as it was given, whether it exists or not, and the address of the attempt. Undefined when the
 * attempt names no account: an unknown token. `device` is the id of a browser in which the account has logged in.
 */
export type LoginAttempt = {
  account: string | undefined;
  address: string;
  device?: string | undefined;
  /** What the attempt tries; a password by default. */
  what?: Tried;
};

export type LoginLimit = {
  /**
   * Runs the check of a password or a one-time token, and counts undefined as a failed login. Too many failures are
   * `rate_limited` without a check: 10 of one account from one address in 15 minutes, or 100 from one address in an
   * hour. After 50 failures of one account from all addresses in 15 minutes, the account gets one check in 10 s. Each
   * remembered device has 50 failures of its own. After 20 wrong second factors in a day, an account gets one check in
   * an hour. Checks of one address run one at a time, so that concurrent attempts cannot pass the limit.
   */
  attempt: <Result>(who: LoginAttempt, check: () => Promise<Result | undefined>) => Promise<Result | undefined>;
};

const ACCOUNT_LIMIT = { most: 10, windowMs: 15 * 60_000 };
const ADDRESS_LIMIT = { most: 100, windowMs: 60 * 60_000 };
/** At most this many accounts and this many addresses have failures in memory: many networks would fill it. */
const MOST_KEPT = 10_000;

/**
 * Counts the attempts of one address in this process, so a restart resets at most one window. `tries` counts the
 * attempts of all addresses at one account, and those of each device separately.
 */
export function createLoginLimit(clock: Clock, tries: Pick<PasswordTries, 'begin'>): LoginLimit {
  const byAccount = createFailureLog(ACCOUNT_LIMIT);
  const byAddress = createFailureLog(ADDRESS_LIMIT);
  const inOrder = createInOrder();
  return {
    attempt({ account, address, device, what }, check) {
      const addressKey = networkOf(address);
      const accountKey = account === undefined ? undefined : `${addressKey} ${account}`;
      return inOrder(addressKey, async () => {
        const nowMs = clock.monotonicMs();
        const ofAccountMs = accountKey === undefined ? 0 : byAccount.waitMs(accountKey, nowMs);
        const waitMs = Math.max(ofAccountMs, byAddress.waitMs(addressKey, nowMs));
        if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1_000));
        const counted = device === undefined ? account : `${account} ${device}`;
        const result = await countedIn(tries, { counted, what }, check);
        if (result === undefined) {
          if (accountKey !== undefined) byAccount.add(accountKey, clock.monotonicMs());
          byAddress.add(addressKey, clock.monotonicMs());
        }
        return result;
      });
    },
  };
}

/** A check that throws does not count as a failure. */
async function countedIn<Result>(
  tries: Pick<PasswordTries, 'begin'>,
  { counted, what }: { counted: string | undefined; what: Tried | undefined },
  check: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  if (counted === undefined) return check();
  const begun = await tries.begin(counted, what);
  if (begun === 'slowed') throw tooMany(SLOWED_SECONDS[what ?? 'password']);
  let failed = false;
  try {
    const result = await check();
    failed = result === undefined;
    return result;
  } finally {
    if (!failed) await begun.forgive();
  }
}

function tooMany(waitSeconds: number): ApiError {
  const message = 'Too many failed logins; try again later';
  return new ApiError('rate_limited', message, { 'Retry-After': String(waitSeconds) });
}

/** The times of the latest failures by key, none older than the window. */
function createFailureLog({ most, windowMs }: { most: number; windowMs: number }) {
  const failures = new Map<string, number[]>();
  const recent = (key: string, nowMs: number) => (failures.get(key) ?? []).filter((at) => nowMs - at < windowMs);
  return {
    /** The milliseconds until the next attempt is allowed; 0 when it is allowed now. */
    waitMs(key: string, nowMs: number): number {
      const times = recent(key, nowMs);
      const oldest = times[times.length - most];
      return oldest === undefined ? 0 : oldest + windowMs - nowMs;
    },
    add(key: string, nowMs: number): void {
      const times = [...recent(key, nowMs), nowMs];
      // Delete and insert the key: the map is then in the order of the latest failures, and expired keys come first.
      failures.delete(key);
      failures.set(key, times);
      const [oldest] = failures.keys();
      if (failures.size > MOST_KEPT && oldest !== undefined) failures.delete(oldest);
      for (const [oldKey, oldTimes] of failures) {
        if (nowMs - (oldTimes.at(-1) ?? 0) < windowMs) return;
        failures.delete(oldKey);
      }
    },
  };
}
