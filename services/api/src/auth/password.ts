import { hash, verify } from '@node-rs/argon2';
import type { Claimant } from '@posthorn/runtime/gate';
import { createLimit } from '../limits.ts';

// OWASP's minimum for argon2id: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The argon2id hash of a password, in PHC form with its own salt; `unavailable` while too many callers wait. */
export function hashPassword(password: string): Promise<string> {
  return passwords.run(ANYONE, () => hash(normalized(password), COST));
}

/**
 * The hash of a password that a member of the workspace gives to another person. Only one is hashed at a time, and only
 * few of a workspace wait, so that logins get their turn.
 */
export function hashPasswordForOther(member: Claimant, password: string): Promise<string> {
  return passwordsOfMembers.run(member, () => hashPassword(password));
}

/**
 * Whether the password matches the hash; `unavailable` while too many callers wait. Without a hash (no such user, or no
 * password set yet) it does the same work and returns false.
 */
export async function passwordMatches(passwordHash: string | null, password: string): Promise<boolean> {
  const typed = normalized(password);
  const isMatch = (text: string) => passwords.run(ANYONE, () => verify(passwordHash ?? NOBODYS_HASH, text));
  // Older versions hashed a password as it was typed. Whether this costs a second try depends on the typed text alone.
  const matches = (await isMatch(typed)) || (typed !== password && (await isMatch(password)));
  return passwordHash !== null && matches;
}

/** Keyboards and systems write the same letter in several ways (Unicode, Normalization Form C). */
function normalized(password: string): string {
  return password.normalize('NFC');
}

/** A hash of discarded random bytes, at COST. */
export const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$LdnbEjSi+iNwjod/Ejv0cw$8a1jB6Dt81rsjOpqa7vF2fICbRVLI3JUjRVeCqq3Om0';

/** The claimant for passwords. Before a login, nobody knows who asks. */
const ANYONE: Claimant = { ownerId: 'anyone', workspaceId: 'anyone' };
const passwords = createLimit('passwords');
const passwordsOfMembers = createLimit('passwordsOfMembers');
