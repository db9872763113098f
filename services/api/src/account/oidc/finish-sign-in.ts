import { newUuid } from '@posthorn/contract/ids';
import type { finishOidcBody } from '@posthorn/contract/oidc';
import { sealContext } from '@posthorn/crypto/contexts';
import { seal } from '@posthorn/crypto/seal';
import { digestToken } from '@posthorn/crypto/token';
import { inTransaction } from '@posthorn/db/transaction';
import type { z } from 'zod';
import { newSession, SESSION_ENDS_AFTER_MS, type UserRecord } from '../../auth/session-token.ts';
import { ApiError } from '../../transport/error.ts';
import type { AccountContext } from '../account-route.ts';
import { reportFailedLogin } from '../failed-login.ts';
import { countOwnInvitations } from '../own-invitations.ts';
import { insertSession } from '../sessions.ts';
import { presentUser } from '../sign-in.ts';
import { applyGroups } from './apply-groups.ts';
import { away, requireProvider } from './begin-sign-in.ts';
import { findAccount } from './find-account.ts';
import { type Identity, readIdentity } from './identity.ts';
import type { Finished } from './provider.ts';

/** Characters. A longer ID token is not kept: it would not fit into the URL that ends the provider's session. */
const LONGEST_ID_TOKEN = 6_000;

/**
 * Finishes a sign-in that this browser began: verifies the provider's answer, finds the account, applies the roles of
 * its groups and begins a session. It refuses everything that is not right. The sign-in is used up in any case.
 */
export async function finishOidc(ctx: AccountContext, { body }: { body: z.output<typeof finishOidcBody> }) {
  const provider = requireProvider(ctx);
  const { returnTo, sessionId, secret } = await takeSignIn(ctx);
  const finished = await provider.finish(secret, body.query);
  if (finished.kind !== 'signed_in') throw refusalOf(ctx, finished);
  const read = readIdentity(finished.claims, provider.settings.groupsClaim);
  if (read.kind === 'refused') {
    reportFailedLogin(ctx, undefined);
    throw new ApiError('forbidden', `You are not signed in: ${read.reason}`);
  }
  const account = await findAccount(ctx, { identity: read.identity, provider: provider.settings, sessionId });
  if (account.kind === 'refused') {
    reportFailedLogin(ctx, account.user);
    throw new ApiError('forbidden', account.reason);
  }
  await applyGroups(ctx, { userId: account.user.id, groups: read.identity.groups, mapping: provider.settings.groups });
  const session = await beginSession(ctx, account.user, read.identity, finished.idToken);
  return { ...session, returnTo, openInvitations: await countOwnInvitations(ctx, account.user) };
}

/** Uses up the sign-in that the browser's cookie names, and returns it. */
async function takeSignIn(ctx: AccountContext) {
  const secret = ctx.oidcCookie.read();
  ctx.oidcCookie.clear();
  const rows =
    secret === undefined
      ? []
      : await ctx.db.$queryRaw<{ returnTo: string; sessionId: string | null }[]>`
          delete from oidc_sign_in where digest = ${digestToken(secret)} and expires_at > ${ctx.clock.now()}::timestamptz
          returning return_to as "returnTo", session_id as "sessionId"`;
  const [begun] = rows;
  if (begun !== undefined && secret !== undefined) return { ...begun, secret };
  throw new ApiError('unauthorized', 'This sign-in did not begin in this browser, or it has ended: sign in again');
}

function refusalOf(ctx: AccountContext, finished: Exclude<Finished, { kind: 'signed_in' }>): ApiError {
  const name = ctx.provider?.settings.name;
  if (finished.kind === 'denied') return new ApiError('unauthorized', `${name} answers: ${finished.code}`);
  if (finished.kind !== 'invalid') return away(ctx, finished);
  ctx.logger.warn('a sign-in with the provider failed', { reason: finished.reason, requestId: ctx.origin.requestId });
  return new ApiError('unauthorized', `The answer of ${name} is not valid: sign in again`);
}

async function beginSession(
  ctx: AccountContext,
  user: UserRecord,
  { issuer, subject }: Identity,
  idToken: string | undefined,
) {
  const now = ctx.clock.now();
  const { token, columns } = newSession(now);
  const id = newUuid(now);
  const isKept = idToken !== undefined && idToken.length <= LONGEST_ID_TOKEN;
  const idTokenSealed = isKept
    ? new Uint8Array(seal(ctx.sealingKeys, Buffer.from(idToken), sealContext.idToken(id)))
    : null;
  await inTransaction(ctx.db, async (transaction) => {
    await transaction.$queryRaw`select 1 from "user" where id = ${user.id}::uuid for share`;
    // Disconnecting ends the existing sessions. Either it waits for this insert, or this statement sees that it happened.
    if ((await transaction.identity.count({ where: { issuer, subject, userId: user.id } })) === 0) {
      throw new ApiError('unauthorized', 'The account was disconnected meanwhile: sign in again');
    }
    await insertSession(transaction, { id, userId: user.id, isByProvider: true, idTokenSealed, ...columns });
  });
  ctx.cookie.set(token, SESSION_ENDS_AFTER_MS);
  return { token, expiresAt: columns.expiresAt.toISOString(), user: presentUser(user) };
}
