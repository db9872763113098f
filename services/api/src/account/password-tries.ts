import { createHash } from 'node:crypto';
import type { Db } from '@posthorn/db/client';

/**
 * After this many failures of one account within the window, from all addresses, it may be tried only once in `gapMs`.
 */
type SlowFrom = { failures: number; windowMs: number; gapMs: number };

/** The limit for passwords. Anybody may try one, so the owner must not wait for long. */
const PASSWORDS: SlowFrom = { failures: 50, windowMs: 15 * 60_000, gapMs: 10_000 };
/** Second factors: only somebody who knows the password can try, 43 times a day, and one code in 333,333 is right. */
const SECOND_FACTORS: SlowFrom = { failures: 20, windowMs: 24 * 3_600_000, gapMs: 3_600_000 };

/**
 * Counts the attempts at each account's password from all addresses, and separately the attempts with the cookie of each
 * device. The count is in Postgres, which all API processes share: a login reads from Postgres in any case, and this adds
 * one statement, or two when it succeeds. Names without an account count in the same way.
 */
export type PasswordTries = {
  /**
   * Begins an attempt, which counts as failed until it is forgiven, so that concurrent attempts cannot pass the limit.
   * After 50 failures in 15 minutes an account has one attempt in 10 s; after 20 wrong second factors in a day, one in
   * an hour. Further attempts are `slowed`. An account is never locked. `counted` names the account, or the account and
   * the device.
   */
  begin: (counted: string, what?: Tried) => Promise<PasswordTry | 'slowed'>;
  /** Deletes some of the attempts that no longer count. */
  forgetOld: () => Promise<void>;
};

export type Tried = 'password' | 'second_factor';

/** How long to wait for the next attempt of an account that is slowed. */
export const SLOWED_SECONDS: Record<Tried, number> = {
  password: PASSWORDS.gapMs / 1_000,
  second_factor: SECOND_FACTORS.gapMs / 1_000,
};

export type PasswordTry = {
  /** Removes the attempt from the count: it was not a failure. */
  forgive: () => Promise<void>;
};

export function createPasswordTries(db: Db, clock: { now: () => Date }): PasswordTries {
  return {
    async begin(counted, what = 'password') {
      const key = keyOf(counted);
      const now = clock.now();
      const { failures: most, windowMs, gapMs } = what === 'password' ? PASSWORDS : SECOND_FACTORS;
      const windowStart = new Date(now.getTime() - windowMs);
      const gapStart = new Date(now.getTime() - gapMs);
      const keptUntil = what === 'password' ? null : new Date(now.getTime() + windowMs);
      const begun = await db.$executeRaw`
        insert into password_try as t (account, failed_at, tried_at, kept_until)
        values (${key}, array[${now}::timestamptz], ${now}::timestamptz, ${keptUntil}::timestamptz)
        on conflict (account) do update
        set failed_at = (t.failed_at || excluded.failed_at)[greatest(1, cardinality(t.failed_at) + 1 - ${most}::int):],
          tried_at = excluded.tried_at, kept_until = excluded.kept_until
        where cardinality(t.failed_at) < ${most}::int
          or t.failed_at[cardinality(t.failed_at) + 1 - ${most}::int] <= ${windowStart}::timestamptz
          or t.tried_at <= ${gapStart}::timestamptz`;
      if (begun === 0) return 'slowed';
      return {
        async forgive() {
          // Remove only one element: others may have made attempts in the same millisecond.
          await db.$executeRaw`
            update password_try
            set failed_at = failed_at[:array_position(failed_at, ${now}::timestamptz) - 1]
              || failed_at[array_position(failed_at, ${now}::timestamptz) + 1:]
            where account = ${key} and array_position(failed_at, ${now}::timestamptz) is not null`;
        },
      };
    },
    async forgetOld() {
      const now = clock.now();
      const cutoff = new Date(now.getTime() - PASSWORDS.windowMs);
      await db.$executeRaw`
        delete from password_try where account in
          (select account from password_try where tried_at <= ${cutoff}::timestamptz
            and (kept_until is null or kept_until <= ${now}::timestamptz)
            order by tried_at limit 100 for update skip locked)`;
    },
  };
}

/** A name may be a password that was typed into the wrong field, so only its hash is stored. */
function keyOf(counted: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(counted).digest());
}
