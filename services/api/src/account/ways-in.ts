import type { DbTransaction } from '@posthorn/db/client';

/**
 * The tables with what leads to a session of a person, by their names in Postgres. Rows that hang on a session end with it.
 * A new table that references the account must stand here or in `OTHER_TABLES` (ways-in.test.ts), and one that stands here
 * must be emptied by `endWaysIn`.
 */
export const WAYS_IN = [
  'session',
  'device_login',
  'oidc_sign_in',
  'identity',
  'passkey',
  'passkey_setup',
  'authenticator',
  'recovery_code',
  'sign_in_challenge',
] as const;

/** How much ended. */
export type EndedWays = { sessions: number; identities: number; authenticators: number; passkeys: number };

/**
 * Ends everything that leads to a session of the account, except for its password, and voids its one-time tokens. Of invitations
 * it voids the tokens that somebody else may have. `keeps` is the person of the provider who proves the address now.
 */
export async function endWaysIn(
  transaction: DbTransaction,
  user: { id: string; email: string },
  keeps?: { issuer: string; subject: string },
): Promise<EndedWays> {
  const where = { userId: user.id };
  const { count: sessions } = await transaction.session.deleteMany({ where });
  const { count: identities } = await transaction.identity.deleteMany({
    where: { ...where, ...(keeps && { NOT: keeps }) },
  });
  const { count: passkeys } = await transaction.passkey.deleteMany({ where });
  await transaction.passkeySetup.deleteMany({ where });
  const { count: authenticators } = await transaction.authenticator.deleteMany({
    where: { ...where, isConfirmed: true },
  });
  await transaction.authenticator.deleteMany({ where });
  await transaction.recoveryCode.deleteMany({ where });
  await transaction.signInChallenge.deleteMany({ where });
  await transaction.user.update({
    where: { id: user.id },
    data: {
      setPasswordDigest: null,
      setPasswordTokenEndsAt: null,
      signInDigest: null,
      signInTokenEndsAt: null,
      mailedDigest: null,
    },
  });
  await transaction.$executeRaw`
    update invitation set digest = null
    where email = ${user.email} and digest is not null and mailed_digest is distinct from digest`;
  return { sessions, identities, authenticators, passkeys };
}
