import { hash, verify } from '@node-rs/argon2';
import { createTurns } from '@posthorn/runtime/turns';
import { createConcurrencyLimit } from '../http/concurrency-limit.ts';
import { ApiError } from '../http/error.ts';

// OWASP's minimum for argon2id: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The argon2id hash of a password, in PHC form with its own salt; `unavailable` while too many callers wait. */
export function hashPassword(password: string): Promise<string> {
  return turns.run(() => hash(password, COST));
}

/**
 * The same for a password that a member of the workspace gives to another person. One is hashed at a time, and few of a
 * workspace wait: logins keep a turn.
 */
export function hashPasswordForOther(workspaceId: string, password: string): Promise<string> {
  return ofWorkspace(workspaceId, () => forOthers.run(() => hashPassword(password)));
}

/**
 * Whether the password matches the hash; `unavailable` while too many callers wait. Without a hash (no such user, or no
 * password set yet) it does the same work and returns false.
 */
export async function passwordMatches(passwordHash: string | null, password: string): Promise<boolean> {
  const matches = await turns.run(() => verify(passwordHash ?? NOBODYS_HASH, password));
  return passwordHash !== null && matches;
}

/** A hash of discarded random bytes, at COST. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$LdnbEjSi+iNwjod/Ejv0cw$8a1jB6Dt81rsjOpqa7vF2fICbRVLI3JUjRVeCqq3Om0';

// 200 hashes take about two seconds.
const limits = {
  mostWaiting: 200,
  refusal: () => new ApiError('unavailable', 'Too many passwords are being checked; try again', { 'Retry-After': '1' }),
};
// Each hash occupies a core and one of the four threads that files and DNS share.
const turns = createTurns({ ...limits, atOnce: 2 });
const forOthers = createTurns({ ...limits, atOnce: 1 });
const ofWorkspace = createConcurrencyLimit({ most: 50, atOnce: 1, what: 'passwords of new members of a workspace' });
