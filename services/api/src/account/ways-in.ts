import type { DbTransaction } from '@posthorn/db/client';

/** How many of each kind were ended. */
export type EndedWays = { sessions: number; identities: number; authenticators: number; passkeys: number };

/**
 * Ends everything that leads to a session of the account, except for its password, and voids its one-time tokens
 * (ways-in.test.ts lists the tables). It also voids the tokens of invitations that somebody else may have. `keeps` is
 * the identity at the provider that proves the address now.
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
