import { randomBytes } from 'node:crypto';
import type { connectOidcBody, startOidcBody } from '@posthorn/contract/oidc';
import { digestToken } from '@posthorn/crypto/token';
import { networkOf } from '@posthorn/egress/network-of';
import type { z } from 'zod';
import { ApiError, invalid, notFound } from '../../transport/error.ts';
import type { AccountContext, SessionContext } from '../account-route.ts';
import { confirmPerson } from '../second-factor/confirm-person.ts';
import type { Away, Provider } from './provider.ts';

const LIFETIME_MS = 10 * 60_000;
/** Open sign-ins per network. When another begins, the oldest ends. */
const MOST_OPEN = 100;

/** Answers the address of the provider's page, and sets the cookie that binds the sign-in to this browser. */
export async function startOidc(ctx: AccountContext, { body }: { body: z.output<typeof startOidcBody> }) {
  return begin(ctx, body.returnTo, null);
}

/** Begins a sign-in that connects the caller's account: from then on that person of the provider signs in to it. */
export async function startOidcConnection(ctx: SessionContext, { body }: { body: z.output<typeof connectOidcBody> }) {
  if (ctx.session.kind === 'device') throw new ApiError('forbidden', 'Only a browser session can connect an account');
  requireProvider(ctx);
  if (body.currentPassword === undefined && (await isOfMaker(ctx))) {
    throw invalid('currentPassword is required: nobody has proved the address of this account yet', 'currentPassword');
  }
  await confirmPerson(ctx, body.currentPassword);
  return begin(ctx, body.returnTo, ctx.session.id);
}

/**
 * Whether somebody else may have made this account and may know its password. Connecting it can prove the address, and
 * a proof leaves the password as it is. So the person must give the password even after a recent sign-in: the maker of
 * the account may have signed in in this browser.
 */
async function isOfMaker({ db, session }: SessionContext): Promise<boolean> {
  const where = { id: session.user.id, addressProvenAt: null, isByOperator: false, passwordHash: { not: null } };
  return (await db.user.count({ where })) > 0;
}

async function begin(ctx: AccountContext, returnTo: string, sessionId: string | null) {
  const secret = randomBytes(32).toString('base64url');
  const begun = await requireProvider(ctx).begin(secret);
  if (begun.kind !== 'begun') throw away(ctx, begun);
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  const network = networkOf(ctx.origin.ip ?? '');
  await ctx.db.oidcSignIn.deleteMany({ where: { network, expiresAt: { lte: now } } });
  await ctx.db.$executeRaw`
    delete from oidc_sign_in where digest in
      (select digest from oidc_sign_in where expires_at <= ${now}::timestamptz order by expires_at limit 20 for update skip locked)`;
  await ctx.db.$executeRaw`
    delete from oidc_sign_in where digest in (select digest from oidc_sign_in where network = ${network}
      order by created_at desc offset ${MOST_OPEN - 1}::int)`;
  await ctx.db.oidcSignIn.create({
    data: { digest: digestToken(secret), network, returnTo, sessionId, createdAt: now, expiresAt },
  });
  ctx.oidcCookie.set(secret, LIFETIME_MS);
  return { url: begun.url.href };
}

export function requireProvider({ provider }: Pick<AccountContext, 'provider'>): Provider {
  if (provider === undefined) throw notFound('Sign-in provider');
  return provider;
}

/**
 * Logs why the provider cannot be used now, and makes the error for the caller. It names a wrong setting, because
 * trying again does not help.
 */
export function away({ provider, logger, origin }: AccountContext, found: Away): ApiError {
  logger.warn('the sign-in provider cannot be used', { ...found, requestId: origin.requestId });
  const name = provider?.settings.name;
  if (found.kind === 'unreachable')
    return new ApiError('unavailable', `${name} does not answer; try again in a minute`);
  const message = `${name} names itself ${found.named}, but OIDC_ISSUER is ${found.set}: the operator must set the former`;
  return new ApiError('unavailable', message);
}
