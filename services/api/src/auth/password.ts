import { hash, verify } from '@node-rs/argon2';
import { ApiError } from '../http/error.ts';

// OWASP's minimum for argon2id: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The argon2id hash of a password, in PHC form with its own salt; `unavailable` while too many callers wait. */
export function hashPassword(password: string): Promise<string> {
  return inSlot(() => hash(password, COST));
}

/**
 * Whether the password matches the hash; `unavailable` while too many callers wait. Without a hash (no such user, or no
 * password set yet) it does the same work and returns false.
 */
export async function passwordMatches(passwordHash: string | null, password: string): Promise<boolean> {
  const matches = await inSlot(() => verify(passwordHash ?? NOBODYS_HASH, password));
  return passwordHash !== null && matches;
}

/** A hash of discarded random bytes, at COST. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$LdnbEjSi+iNwjod/Ejv0cw$8a1jB6Dt81rsjOpqa7vF2fICbRVLI3JUjRVeCqq3Om0';

export type Slots = { atOnce: number; mostWaiting: number };

/** Runs at most `atOnce` works at a time, in the order of the calls; refuses a call when `mostWaiting` wait already. */
export function createSlots({ atOnce, mostWaiting }: Slots) {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free -= 1;
    else if (waiting.length < mostWaiting) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw new ApiError('unavailable', 'Too many passwords are being checked; try again', { 'Retry-After': '1' });
    try {
      return await work();
    } finally {
      // The slot passes directly to the next waiting work, so that no newer call takes it first.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

// Each hash occupies a core and one of the four threads that files and DNS share; 200 hashes take about two seconds.
const inSlot = createSlots({ atOnce: 2, mostWaiting: 200 });
