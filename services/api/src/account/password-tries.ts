import { createHash } from 'node:crypto';
import type { Db } from '@posthorn/db/client';

/** After this many failures of one account over all addresses it may be tried only once in `gapMs`. */
const SLOW_FROM = { failures: 50, windowMs: 15 * 60_000, gapMs: 10_000 };

/**
 * Counts the attempts at each account's password from all addresses, and separately the attempts with the cookie of each
 * device. The count is in Postgres, which all API processes share: a login reads from Postgres in any case, and this adds
 * one statement, or two when it succeeds. Names without an account count in the same way.
 */
export type PasswordTries = {
  /**
   * Begins an attempt, which counts as failed until it is forgiven, so that concurrent attempts cannot pass the limit.
   * After 50 failures in 15 minutes an account has one attempt in 10 s; others return `slowed`. An account is never
   * locked. `counted` names the account, or the account and the device.
   */
  begin: (counted: string) => Promise<PasswordTry | 'slowed'>;
  /** Deletes some of the attempts that no longer count. */
  forgetOld: () => Promise<void>;
};

export type PasswordTry = {
  /** Removes the attempt from the count: it was not a failure. */
  forgive: () => Promise<void>;
};

export const SLOWED_SECONDS = SLOW_FROM.gapMs / 1_000;

export function createPasswordTries(db: Db, clock: { now: () => Date }): PasswordTries {
  return {
    async begin(counted) {
      const key = keyOf(counted);
      const now = clock.now();
      const windowStart = new Date(now.getTime() - SLOW_FROM.windowMs);
      const gapStart = new Date(now.getTime() - SLOW_FROM.gapMs);
      const most = SLOW_FROM.failures;
      const begun = await db.$executeRaw`
        insert into password_try as t (account, failed_at, tried_at)
        values (${key}, array[${now}::timestamptz], ${now}::timestamptz)
        on conflict (account) do update
        set failed_at = (t.failed_at || excluded.failed_at)[greatest(1, cardinality(t.failed_at) + 1 - ${most}::int):],
          tried_at = excluded.tried_at
        where cardinality(t.failed_at) < ${most}::int
          or t.failed_at[cardinality(t.failed_at) + 1 - ${most}::int] <= ${windowStart}::timestamptz
          or t.tried_at <= ${gapStart}::timestamptz`;
      if (begun === 0) return 'slowed';
      return {
        async forgive() {
          // One element only: others may have made attempts in the same millisecond.
          await db.$executeRaw`
            update password_try
            set failed_at = failed_at[:array_position(failed_at, ${now}::timestamptz) - 1]
              || failed_at[array_position(failed_at, ${now}::timestamptz) + 1:]
            where account = ${key} and array_position(failed_at, ${now}::timestamptz) is not null`;
        },
      };
    },
    async forgetOld() {
      const cutoff = new Date(clock.now().getTime() - SLOW_FROM.windowMs);
      await db.$executeRaw`
        delete from password_try where account in
          (select account from password_try where tried_at <= ${cutoff}::timestamptz order by tried_at limit 100 for update skip locked)`;
    },
  };
}

/** A name may be a password that was typed into the wrong field, so only its hash is stored. */
function keyOf(counted: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(counted).digest());
}
