import type { Role } from '@posthorn/contract/access';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { addMemberBody, updateMemberBody } from '@posthorn/contract/members';
import type { PageQuery } from '@posthorn/contract/primitives';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { queueMail } from '@posthorn/mail/outgoing-mail';
import type { z } from 'zod';
import { hashPasswordForOther } from '../auth/password.ts';
import { ownerOf, requireMailRoom } from '../mail/mail-room.ts';
import { madeOwnerMail } from '../mail/mails.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { listItems } from '../operation/list-rows.ts';
import { ApiError, invalid, notFound } from '../transport/error.ts';
import { lockWorkspace, requireMayOwn } from '../workspaces/lock.ts';
import {
  createInvitation,
  type InvitationRow,
  passInvitationOn,
  presentInvitation,
  renewInvitation,
} from './invitations.ts';

/** The members in the order of joining, and after them the invited in the order of their invitations. */
export async function listMembers(ctx: WorkspaceContext, query: PageQuery) {
  const where = { workspaceId: ctx.workspace.id };
  const [members, invitations] = await Promise.all([
    ctx.db.member.findMany({ where, orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }], include: withUser }),
    ctx.db.invitation.findMany({ where, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }),
  ]);
  const items = [...members.map((row) => presentMember(ctx, row)), ...invitations.map(presentInvitation)];
  return listItems(ctx, query, {
    name: ['members'],
    items,
    keyOf: ({ status, createdAt, userId }) => `${status} ${createdAt} ${userId}`,
  });
}

/**
 * Invites the address: its holder becomes a member by accepting, whether the address has an account or not. With a
 * password, an address without an account gets one and is a member at once. Only an owner adds an owner: others are
 * `forbidden`. Throws `member_exists` for a member or an invited person, and `limit_reached` in a full workspace.
 */
export async function addMember(ctx: WorkspaceContext, body: z.output<typeof addMemberBody>) {
  if (body.password !== undefined) {
    if (!ctx.settings.passwordLogin) {
      throw invalid('Passwords are switched off here: leave password out, and the person is invited', 'password');
    }
    if (ctx.settings.accountCreation === 'operators') {
      throw invalid(
        'Only the operator of this installation creates accounts; without it, the person is invited',
        'password',
      );
    }
    // Nobody has proved the address of the account that this makes.
    if (body.role === 'owner' && ctx.settings.sendsMail) {
      throw invalid(
        'An owner proves the address first: leave password out, and the person is invited by mail',
        'password',
      );
    }
    // Check before hashing, too: a hash costs as much as that of a login.
    if (body.role === 'owner') await requireOwner(ctx, ctx.db);
    await refuseKnown(ctx, ctx.db, body.email);
    await requireRoom(ctx, ctx.db);
  }
  const passwordHash =
    body.password === undefined ? undefined : await hashPasswordForOther(ctx.claimant, body.password);
  return ctx.change('member.created', async (transaction) => {
    await lockWorkspace(transaction, ctx.workspace.id);
    if (body.role === 'owner') await requireOwner(ctx, transaction);
    await refuseKnown(ctx, transaction, body.email);
    await requireRoom(ctx, transaction);
    const name = body.name ?? body.email.slice(0, body.email.indexOf('@')).slice(0, LIMITS.nameCharacters);
    const offer = { workspaceId: ctx.workspace.id, email: body.email, name, role: body.role };
    const result =
      (passwordHash && (await addWithAccount(ctx, transaction, { ...offer, passwordHash }))) ||
      (await invite(ctx, transaction, { ...offer, now: ctx.clock.now() }));
    const changes = {
      email: { from: null, to: body.email },
      role: { from: null, to: body.role },
      status: { from: null, to: result.status },
    };
    return { result, entry: { resourceId: result.userId, changes } };
  });
}

/**
 * A new token for an invitation that is not accepted yet; the previous one becomes void. Only an owner reinvites an
 * owner.
 */
export async function reinviteMember(ctx: WorkspaceContext, userId: string) {
  return ctx.change('member.reinvited', async (transaction) => {
    await lockWorkspace(transaction, ctx.workspace.id);
    const before = await requireMember(ctx, transaction, userId);
    if (before.status === 'active') throw alreadyMember();
    if (before.role === 'owner') await requireOwner(ctx, transaction);
    const renewal = { now: ctx.clock.now(), isMailed: ctx.settings.sendsMail };
    const token = await renewInvitation(transaction, before.id, renewal);
    const setPasswordToken = await passInvitationOn(ctx, transaction, { email: before.shown.email, token });
    const changes = { setPasswordToken: { from: '[redacted]', to: '[redacted]' } };
    return { result: { ...before.shown, setPasswordToken }, entry: { resourceId: before.shown.userId, changes } };
  });
}

/**
 * Changes a role. Only an owner can give or take the role of owner, and the last owner keeps it. Nobody becomes one without a
 * proved address (`forbidden`), where a mail could prove it.
 */
export async function updateMember(ctx: WorkspaceContext, userId: string, body: z.output<typeof updateMemberBody>) {
  return ctx.change('member.updated', async (transaction) => {
    await lockWorkspace(transaction, ctx.workspace.id);
    const before = await requireMember(ctx, transaction, userId);
    const role = body.role ?? before.role;
    if (role === before.role) return { result: before.shown, entry: null };
    if (role === 'owner' || before.role === 'owner') await requireOwner(ctx, transaction);
    await refuseLastOwner(ctx, transaction, before);
    if (before.status === 'invited') {
      await transaction.invitation.update({ where: { id: before.id }, data: { role } });
    } else {
      if (role === 'owner') await makeOwner(ctx, transaction, { id: before.id, email: before.shown.email });
      await transaction.member.update({ where: { workspaceId_userId: keyOf(ctx, before.id) }, data: { role } });
    }
    const changes = { role: { from: before.role, to: role } };
    return { result: { ...before.shown, role }, entry: { resourceId: before.shown.userId, changes } };
  });
}

/** A member who becomes an owner is asked nothing, but learns of it by a mail, where there is a mail server. */
async function makeOwner(ctx: WorkspaceContext, transaction: DbTransaction, person: { id: string; email: string }) {
  await requireMayOwn(ctx, transaction, person);
  if (!ctx.settings.sendsMail) return;
  await requireMailRoom(ctx, transaction, { to: person.email, kind: 'made_owner' });
  const { workspace, settings, actor } = ctx;
  const content = madeOwnerMail({ baseUrl: settings.baseUrl, workspaceName: workspace.name, by: actor.label });
  const of = { workspaceId: workspace.id, ownerId: ownerOf(workspace) };
  const mail = { kind: 'made_owner' as const, ...of, to: person.email, content };
  await queueMail(transaction, ctx.sealingKeys, { mail, now: ctx.clock.now() });
}

/** A member or an invited person. Throws `not_found`. */
export async function getMember(ctx: WorkspaceContext, userId: string) {
  return (await requireMember(ctx, ctx.db, userId)).shown;
}

/** Ends the membership at once, or voids the invitation's token. The account remains, for other workspaces. */
export async function removeMember(ctx: WorkspaceContext, userId: string) {
  return ctx.change('member.deleted', async (transaction) => {
    await lockWorkspace(transaction, ctx.workspace.id);
    const before = await requireMember(ctx, transaction, userId);
    if (before.role === 'owner') await requireOwner(ctx, transaction);
    await refuseLastOwner(ctx, transaction, before);
    if (before.status === 'invited') await transaction.invitation.delete({ where: { id: before.id } });
    else await transaction.member.delete({ where: { workspaceId_userId: keyOf(ctx, before.id) } });
    const changes = { email: { from: before.shown.email, to: null }, role: { from: before.role, to: null } };
    return { result: undefined, entry: { resourceId: before.shown.userId, changes } };
  });
}

type Offer = { workspaceId: string; email: string; name: string; role: Role };

/** A new account with this password and its membership; undefined when the address has an account already. */
async function addWithAccount(
  ctx: WorkspaceContext,
  transaction: DbTransaction,
  { workspaceId, role, ...account }: Offer & { passwordHash: string },
) {
  const id = newUuid(ctx.clock.now());
  const { count } = await transaction.user.createMany({ data: [{ id, ...account }], skipDuplicates: true });
  if (count === 0) return undefined;
  const row = await transaction.member.create({ data: { workspaceId, userId: id, role }, include: withUser });
  return { ...presentMember(ctx, row), setPasswordToken: null };
}

async function invite(ctx: WorkspaceContext, transaction: DbTransaction, offer: Offer & { now: Date }) {
  const created = await createInvitation(transaction, { ...offer, isMailed: ctx.settings.sendsMail });
  const { row, setPasswordToken: token } = created;
  const setPasswordToken = await passInvitationOn(ctx, transaction, { email: offer.email, token });
  return { ...presentInvitation(row), setPasswordToken };
}

type MembersDb = Pick<Db | DbTransaction, 'member' | 'invitation'>;

/** Looks only in this workspace, so that it reveals nothing of accounts elsewhere. */
async function refuseKnown({ workspace }: WorkspaceContext, db: MembersDb, email: string): Promise<void> {
  const members = await db.member.count({ where: { workspaceId: workspace.id, user: { email } } });
  const invitations = await db.invitation.count({ where: { workspaceId: workspace.id, email } });
  if (members + invitations > 0) throw alreadyMember();
}

/** Refuses a full workspace. The result holds only while the caller has the workspace's lock. */
async function requireRoom({ workspace }: WorkspaceContext, db: MembersDb): Promise<void> {
  const where = { workspaceId: workspace.id };
  const [members, invitations] = [await db.member.count({ where }), await db.invitation.count({ where })];
  const limit = LIMITS.membersPerWorkspace;
  if (members + invitations < limit) return;
  throw new ApiError('limit_reached', `A workspace has at most ${limit} members, including invited ones`);
}

function alreadyMember(): ApiError {
  return new ApiError('member_exists', 'This person is already a member');
}

type Found =
  | { status: 'active'; id: string; role: Role; shown: ReturnType<typeof presentMember> }
  | { status: 'invited'; id: string; role: Role; shown: ReturnType<typeof presentInvitation> };

/** A member or an invitation of this workspace; `not_found` when neither exists. */
async function requireMember(
  ctx: WorkspaceContext,
  transaction: Pick<Db | DbTransaction, 'member' | 'invitation'>,
  userId: string,
): Promise<Found> {
  const uuid = fromId('usr', userId);
  if (uuid === undefined) throw notFound('Member');
  const where = { workspaceId_userId: keyOf(ctx, uuid) };
  const member = await transaction.member.findUnique({ where, include: withUser });
  if (member !== null) return { status: 'active', id: uuid, role: member.role, shown: presentMember(ctx, member) };
  const own = { id: uuid, workspaceId: ctx.workspace.id };
  const invitation: InvitationRow | null = await transaction.invitation.findUnique({ where: own });
  if (invitation === null) throw notFound('Member');
  return { status: 'invited', id: uuid, role: invitation.role, shown: presentInvitation(invitation) };
}

/** Reads the role again: the caller may have lost it since the request began. */
async function requireOwner(ctx: WorkspaceContext, db: Pick<MembersDb, 'member'>): Promise<void> {
  const userId = fromId('usr', ctx.actor.id);
  const owner = { workspaceId: ctx.workspace.id, userId: userId ?? '', role: 'owner' } as const;
  if (userId !== undefined && (await db.member.count({ where: owner })) > 0) return;
  throw new ApiError('forbidden', 'Only an owner can add, invite, change or remove an owner');
}

/** An invited owner does not count as the last owner. */
async function refuseLastOwner(ctx: WorkspaceContext, transaction: DbTransaction, before: Found): Promise<void> {
  if (before.status === 'invited' || before.role !== 'owner') return;
  const owners = await transaction.member.count({ where: { workspaceId: ctx.workspace.id, role: 'owner' } });
  if (owners === 1) throw new ApiError('last_owner', 'The last owner of a workspace must remain its owner');
}

const withUser = {
  user: {
    select: {
      email: true,
      name: true,
      authenticators: { where: { isConfirmed: true }, select: { id: true } },
      passkeys: { take: 1, select: { id: true } },
    },
  },
} as const;

function keyOf({ workspace }: WorkspaceContext, userId: string) {
  return { workspaceId: workspace.id, userId };
}

type MemberRow = {
  userId: string;
  role: Role;
  createdAt: Date;
  user: { email: string; name: string; authenticators: unknown[]; passkeys: unknown[] };
};

function presentMember({ role }: WorkspaceContext, row: MemberRow) {
  return {
    userId: toId('usr', row.userId),
    email: row.user.email,
    name: row.user.name,
    role: row.role,
    status: 'active' as const,
    // Hidden from other roles: it would tell whose account is the easiest to take over.
    hasSecondFactor:
      role === 'owner' || role === 'admin' ? row.user.authenticators.length + row.user.passkeys.length > 0 : null,
    createdAt: row.createdAt.toISOString(),
  };
}
