import type { Role } from '@posthorn/contract/access';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import type { addMemberBody, updateMemberBody } from '@posthorn/contract/members';
import type { DbTransaction } from '@posthorn/db/client';
import type { z } from 'zod';
import { hashPassword } from '../auth/password.ts';
import { newSetPasswordToken } from '../auth/set-password-token.ts';
import type { WorkspaceContext } from '../http/context.ts';
import { ApiError, invalid, notFound } from '../http/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';

/** The workspace's members, in the order in which they joined. */
export async function listMembers(ctx: WorkspaceContext) {
  const rows = await ctx.db.member.findMany({
    where: { workspaceId: ctx.workspace.id },
    orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
    include: { user: { select: { email: true, name: true } } },
  });
  return rows.map(presentMember);
}

/**
 * A new user without a password gets a token to set one. For an email that has a user already only the membership is
 * added, so that nobody takes over an account of another workspace.
 */
export async function addMember(ctx: WorkspaceContext, body: z.output<typeof addMemberBody>) {
  const passwordHash = body.password === undefined ? null : await hashPassword(body.password);
  const invitation = body.password === undefined ? newSetPasswordToken(ctx.clock.now()) : undefined;
  return ctx.change('member.created', async (transaction) => {
    await lockWorkspace(transaction, ctx.workspace.id);
    if (body.role === 'owner') await requireOwner(ctx, transaction);
    const name = body.name ?? body.email.slice(0, body.email.indexOf('@'));
    const { count: newUsers } = await transaction.user.createMany({
      data: [{ id: newUuid(ctx.clock.now()), email: body.email, name, passwordHash, ...invitation?.columns }],
      skipDuplicates: true,
    });
    const user = await transaction.user.findUniqueOrThrow({ where: { email: body.email }, select: { id: true } });
    const key = { workspaceId: ctx.workspace.id, userId: user.id };
    if ((await transaction.member.count({ where: key })) > 0) {
      throw new ApiError('member_exists', 'This person is a member already');
    }
    if (newUsers === 0 && body.password !== undefined) {
      throw invalid('password must be left out: this email has a user already, whose password stays');
    }
    const row = await transaction.member.create({
      data: { ...key, role: body.role },
      include: { user: { select: { email: true, name: true } } },
    });
    const changes = { email: { from: null, to: body.email }, role: { from: null, to: body.role } };
    return {
      result: { ...presentMember(row), setPasswordToken: newUsers > 0 ? (invitation?.token ?? null) : null },
      entry: { resourceId: toId('usr', user.id), changes },
    };
  });
}

/** Only an owner makes or unmakes an owner, and the last one stays. */
export async function updateMember(ctx: WorkspaceContext, userId: string, body: z.output<typeof updateMemberBody>) {
  return ctx.change('member.updated', async (transaction) => {
    await lockWorkspace(transaction, ctx.workspace.id);
    const before = await requireMember(ctx, transaction, userId);
    const role = body.role ?? before.role;
    if (role === before.role) return { result: presentMember(before), entry: null };
    if (role === 'owner' || before.role === 'owner') await requireOwner(ctx, transaction);
    if (before.role === 'owner') await refuseLastOwner(ctx, transaction);
    await transaction.member.update({ where: { workspaceId_userId: keyOf(before) }, data: { role } });
    const changes = { role: { from: before.role, to: role } };
    return { result: presentMember({ ...before, role }), entry: { resourceId: toId('usr', before.userId), changes } };
  });
}

/** The person loses this workspace at once; the user stays, for the others. */
export async function removeMember(ctx: WorkspaceContext, userId: string) {
  return ctx.change('member.deleted', async (transaction) => {
    await lockWorkspace(transaction, ctx.workspace.id);
    const before = await requireMember(ctx, transaction, userId);
    if (before.role === 'owner') {
      await requireOwner(ctx, transaction);
      await refuseLastOwner(ctx, transaction);
    }
    await transaction.member.delete({ where: { workspaceId_userId: keyOf(before) } });
    const changes = { email: { from: before.user.email, to: null }, role: { from: before.role, to: null } };
    return { result: undefined, entry: { resourceId: toId('usr', before.userId), changes } };
  });
}

async function requireMember(ctx: WorkspaceContext, transaction: DbTransaction, userId: string) {
  const row = await findMember(ctx, transaction, userId);
  if (row === null) throw notFound('Member');
  return row;
}

async function findMember(ctx: WorkspaceContext, transaction: DbTransaction, userId: string) {
  const uuid = fromId('usr', userId);
  if (uuid === undefined) return null;
  return transaction.member.findUnique({
    where: { workspaceId_userId: { workspaceId: ctx.workspace.id, userId: uuid } },
    include: { user: { select: { email: true, name: true } } },
  });
}

/** Looked up again under the lock: the caller may have been unmade since the request came in. */
async function requireOwner(ctx: WorkspaceContext, transaction: DbTransaction): Promise<void> {
  const caller = await findMember(ctx, transaction, ctx.actor.id);
  if (caller?.role !== 'owner') throw new ApiError('forbidden', 'Only an owner makes or unmakes an owner');
}

async function refuseLastOwner(ctx: WorkspaceContext, transaction: DbTransaction): Promise<void> {
  const owners = await transaction.member.count({ where: { workspaceId: ctx.workspace.id, role: 'owner' } });
  if (owners === 1) throw new ApiError('last_owner', 'The last owner of a workspace stays');
}

type MemberRow = {
  workspaceId: string;
  userId: string;
  role: Role;
  createdAt: Date;
  user: { email: string; name: string };
};

function keyOf({ workspaceId, userId }: MemberRow) {
  return { workspaceId, userId };
}

function presentMember(row: MemberRow) {
  return {
    userId: toId('usr', row.userId),
    email: row.user.email,
    name: row.user.name,
    role: row.role,
    createdAt: row.createdAt.toISOString(),
  };
}
