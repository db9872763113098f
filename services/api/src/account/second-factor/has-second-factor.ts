import type { Db } from '@posthorn/db/client';

/** Whether the account has a second factor besides its password. */
export async function hasSecondFactor(db: Pick<Db, 'user'>, userId: string): Promise<boolean> {
  return (await db.user.count({ where: { id: userId, ...withSecondFactor } })) > 0;
}

/** A filter for the accounts with a second factor. */
export const withSecondFactor = {
  OR: [{ authenticators: { some: { isConfirmed: true } } }, { passkeys: { some: {} } }],
};

/** A filter for the authenticator app that is in use. */
export const inUse = (userId: string) => ({ userId, isConfirmed: true });

/** The second step of a sign-in: it was given, or the account had no second factor when the password was checked. */
export type SecondFactorStep = 'given' | 'not_due';
