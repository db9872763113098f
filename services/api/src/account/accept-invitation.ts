import { toId } from '@posthorn/contract/ids';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { writeEntry } from '../audit/change.ts';
import { hashPassword, passwordMatches } from '../auth/password.ts';
import { userActor } from '../auth/session-token.ts';
import { ApiError } from '../transport/error.ts';
import { lockWorkspace, requireMayOwn } from '../workspaces/lock.ts';
import type { AccountContext } from './account-route.ts';
import { proveAddress } from './prove-address.ts';

export type OpenInvitation = {
  id: string;
  workspaceId: string;
  email: string;
  name: string;
  digest: Uint8Array<ArrayBuffer>;
};

/**
 * Makes the invited person a member. An existing account keeps its password, which must match this one: undefined when
 * it does not. An address without an account gets one with this password. Throws `unauthorized` when the token or the
 * account changed meanwhile.
 */
export async function acceptInvitation(
  ctx: AccountContext,
  invitation: OpenInvitation,
  password: string,
): Promise<true | undefined> {
  const holder = await holderOf(ctx.db, invitation.email, password);
  if (holder.kind === 'other_password') return undefined;
  return inTransaction(ctx.db, async (transaction) => {
    await lockWorkspace(transaction, invitation.workspaceId);
    const [taken] = await transaction.invitation.updateManyAndReturn({
      where: { digest: invitation.digest, tokenEndsAt: { gt: ctx.clock.now() } },
      data: { digest: null },
      select: { id: true, role: true, mailedDigest: true },
    });
    if (taken === undefined) throw refusedToken();
    const isMailed = taken.mailedDigest !== null && Buffer.compare(taken.mailedDigest, invitation.digest) === 0;
    const userId = await takeAccount(transaction, holder, {
      ...invitation,
      addressProvenAt: isMailed ? ctx.clock.now() : null,
      isByOperator: await isFounding(transaction, invitation.workspaceId),
    });
    if (userId === undefined) throw refusedToken();
    if (isMailed) await proveAddress(ctx, transaction, { user: { id: userId, email: invitation.email } });
    if (taken.role === 'owner') await requireMayOwn(ctx, transaction, { id: userId, email: invitation.email });
    await transaction.invitation.delete({ where: { id: taken.id } });
    const { workspaceId, email } = invitation;
    const createdAt = ctx.clock.now();
    const membership = { workspaceId, userId, role: taken.role, createdAt };
    // A person who is a member already, through a group of the sign-in provider or another address, keeps that
    // membership. The invitation is used up.
    await transaction.member.createMany({ data: [membership], skipDuplicates: true });
    const by = { workspaceId, actor: userActor({ id: userId, email }), origin: ctx.origin, clock: ctx.clock };
    const changes = {
      status: { from: 'invited', to: 'active' },
      userId: { from: toId('usr', invitation.id), to: toId('usr', userId) },
      ...(holder.kind === 'member' ? {} : { password: { from: null, to: '[redacted]' } }),
    };
    await writeEntry(transaction, by, 'member.accepted', { resourceId: toId('usr', userId), changes });
    return true as const;
  });
}

/** An invalid token and a wrong password have the same answer. */
export function refusedToken(): ApiError {
  const message = 'The token is unknown, used or expired, or the password is not the one of the account';
  return new ApiError('unauthorized', message);
}

/**
 * True when `posthorn-admin` made the workspace and this invites its first owner: only then does it have no members.
 */
async function isFounding(transaction: DbTransaction, workspaceId: string): Promise<boolean> {
  return (
    (await transaction.workspace.count({ where: { id: workspaceId, createdBy: null, members: { none: {} } } })) > 0
  );
}

type Holder =
  | { kind: 'other_password' }
  /** An account with this password. */
  | { kind: 'member'; id: string; passwordHash: string }
  /** An account without a password, created by an earlier release. */
  | { kind: 'unused'; id: string; newHash: string }
  | { kind: 'none'; newHash: string };

async function holderOf(db: Db, email: string, password: string): Promise<Holder> {
  const user = await db.user.findUnique({ where: { email }, select: { id: true, passwordHash: true } });
  if (user === null) return { kind: 'none', newHash: await hashPassword(password) };
  const { id, passwordHash } = user;
  if (passwordHash === null) return { kind: 'unused', id, newHash: await hashPassword(password) };
  if (await passwordMatches(passwordHash, password)) return { kind: 'member', id, passwordHash };
  return { kind: 'other_password' };
}

/** The account that becomes a member, created when there is none; undefined when it changed since it was read. */
async function takeAccount(
  transaction: DbTransaction,
  holder: Exclude<Holder, { kind: 'other_password' }>,
  {
    id,
    email,
    name,
    addressProvenAt,
    isByOperator,
  }: OpenInvitation & { addressProvenAt: Date | null; isByOperator: boolean },
): Promise<string | undefined> {
  switch (holder.kind) {
    case 'member': {
      const { passwordHash } = holder;
      const same = await transaction.user.count({ where: { id: holder.id, passwordHash } });
      return same === 0 ? undefined : holder.id;
    }
    case 'unused': {
      // An account with a membership or with an identity at a sign-in provider is in use: the invitation cannot open
      // it.
      const where = { id: holder.id, passwordHash: null, members: { none: {} }, identities: { none: {} } };
      const { count } = await transaction.user.updateMany({
        where,
        data: { passwordHash: holder.newHash, isByOperator },
      });
      return count === 0 ? undefined : holder.id;
    }
    case 'none': {
      const data = [{ id, email, name, passwordHash: holder.newHash, addressProvenAt, isByOperator }];
      const { count } = await transaction.user.createMany({ data, skipDuplicates: true });
      return count === 0 ? undefined : id;
    }
  }
}
