import type { confirmedBody } from '@posthorn/contract/second-factor';
import type { Db } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import type { z } from 'zod';
import { ApiError, notFound } from '../../transport/error.ts';
import type { SessionContext } from '../account-route.ts';
import { confirmPerson } from '../second-factor/confirm-person.ts';
import { enter } from '../second-factor/own-second-factor.ts';
import { holdSession } from '../sessions.ts';
import { requireProvider } from './begin-sign-in.ts';
import type { Provider } from './provider.ts';

/**
 * The person of the provider with whom the account is connected, with the address that the provider has verified;
 * undefined without one. A connection of an earlier `OIDC_ISSUER` signs nobody in.
 */
export async function findConnection(
  db: Pick<Db, 'identity'>,
  { settings }: Pick<Provider, 'settings'>,
  userId: string,
): Promise<{ issuer: string; subject: string; email: string | null } | undefined> {
  const rows = await db.identity.findMany({ where: { userId }, select: { issuer: true, subject: true, email: true } });
  // A provider may name itself with a slash at the end and be set without one.
  const { href } = new URL(settings.issuer);
  return rows.find(({ issuer }) => new URL(issuer).href === href);
}

/** Ends the connection, and the other sessions that began with it. The only way to sign in cannot be removed. */
export async function removeOidcConnection(ctx: SessionContext, { body }: { body: z.output<typeof confirmedBody> }) {
  const provider = requireProvider(ctx);
  await confirmPerson(ctx, body.currentPassword);
  const { db, session, settings } = ctx;
  const { name } = provider.settings;
  const userId = session.user.id;
  return inTransaction(db, async (transaction) => {
    await holdSession(transaction, session);
    const connection = await findConnection(transaction, provider, userId);
    if (connection === undefined) throw notFound('Connection with the sign-in provider');
    const withPassword = { id: userId, passwordHash: { not: null } };
    if (!settings.passwordLogin || (await transaction.user.count({ where: withPassword })) === 0) {
      throw new ApiError('forbidden', `You cannot disconnect ${name}: it is your only way to sign in`);
    }
    const { issuer, subject } = connection;
    await transaction.identity.delete({ where: { issuer_subject: { issuer, subject } } });
    await transaction.session.deleteMany({ where: { userId, isByProvider: true, id: { not: session.id } } });
    const changes = { identity: { from: `${issuer} ${subject}`, to: null } };
    await enter(ctx, transaction, 'member.identity_disconnected', changes);
    return undefined;
  });
}
