import { hash, verify } from '@node-rs/argon2';

// OWASP's minimum for argon2id: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The argon2id hash of a password, in PHC form with its own salt. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/**
 * Whether the password is the hashed one. Without a hash (no such user, or none set yet) it costs the same time and
 * answers no.
 */
export async function passwordMatches(passwordHash: string | null, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await unusedHash()), password);
  return passwordHash !== null && matches;
}

let unused: Promise<string> | undefined;

function unusedHash(): Promise<string> {
  unused ??= hashPassword('no password has this hash');
  return unused;
}
