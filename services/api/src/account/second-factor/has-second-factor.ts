import type { Db } from '@posthorn/db/client';

/** Whether the account has a second factor besides its password. */
export async function hasSecondFactor(db: Pick<Db, 'authenticator'>, userId: string): Promise<boolean> {
  return (await db.authenticator.count({ where: inUse(userId) })) > 0;
}

/** The authenticator app that is in use. */
export const inUse = (userId: string) => ({ userId, isConfirmed: true });

/** The second step of a sign-in: it was given, or the account had no second factor when the password was checked. */
export type SecondFactorStep = 'given' | 'not_due';
