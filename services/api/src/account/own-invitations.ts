import { fromId, toId } from '@posthorn/contract/ids';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { writeEntry } from '../audit/change.ts';
import { userActor } from '../auth/session-token.ts';
import { notFound } from '../transport/error.ts';
import { lockWorkspace, requireMayOwn } from '../workspaces/lock.ts';
import type { SessionContext } from './account-route.ts';
import { findConnection } from './oidc/connection.ts';

// Invitations to addresses that the person has proved. The person answers each of them: none is accepted automatically.

/** The most invitations in a list. The others are listed once these are answered. */
const MOST_LISTED = 100;

type Person = { id: string; email: string };

/** The open invitations of the person's proven addresses, oldest first. */
export async function listOwnInvitations({ db, clock, provider, session }: SessionContext) {
  const rows = await db.invitation.findMany({
    where: { email: { in: await provenAddresses(db, provider, session.user) }, tokenEndsAt: { gt: clock.now() } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: MOST_LISTED,
    include: { workspace: { select: { name: true } } },
  });
  return rows.map(({ id, email, role, createdAt, tokenEndsAt, workspace }) => ({
    id: toId('usr', id),
    workspaceName: workspace.name,
    email,
    role,
    createdAt: createdAt.toISOString(),
    expiresAt: (tokenEndsAt ?? createdAt).toISOString(),
  }));
}

/** The number of invitations that wait for the person's answer. */
export async function countOwnInvitations(
  { db, clock, provider }: Pick<SessionContext, 'db' | 'clock' | 'provider'>,
  person: Person,
): Promise<number> {
  const email = { in: await provenAddresses(db, provider, person) };
  const some = await db.invitation.findMany({
    where: { email, tokenEndsAt: { gt: clock.now() } },
    select: { id: true },
    take: MOST_LISTED,
  });
  return some.length;
}

/**
 * Makes the caller a member with the invitation's role. `limit_reached` when a new owner already owns as many
 * workspaces as are allowed.
 */
export async function acceptOwnInvitation(ctx: SessionContext, id: string) {
  await answer(ctx, id, async (transaction, { workspaceId, role }) => {
    const userId = ctx.session.user.id;
    if (role === 'owner') await requireMayOwn(ctx, transaction, ctx.session.user);
    const membership = { workspaceId, userId, role, createdAt: ctx.clock.now() };
    // A person who is a member already, through a group of the sign-in provider, stays one. The invitation is used up.
    await transaction.member.createMany({ data: [membership], skipDuplicates: true });
    return { action: 'member.accepted', to: 'active' };
  });
  return undefined;
}

/** Deletes the invitation. Nobody becomes a member. */
export async function declineOwnInvitation(ctx: SessionContext, id: string) {
  await answer(ctx, id, async () => ({ action: 'member.declined', to: 'declined' }));
  return undefined;
}

type Open = { id: string; workspaceId: string; role: 'owner' | 'admin' | 'member' | 'viewer' };
type Answered = { action: string; to: 'active' | 'declined' };

/** Deletes the invitation, whatever the answer. `not_found` if it is not the caller's, or no longer open. */
async function answer(
  ctx: SessionContext,
  id: string,
  act: (transaction: DbTransaction, open: Open) => Promise<Answered>,
): Promise<void> {
  const { db, clock, origin, provider } = ctx;
  const { user } = ctx.session;
  const uuid = fromId('usr', id);
  const found = uuid === undefined ? null : await db.invitation.findUnique({ where: { id: uuid } });
  if (found === null) throw notFound('Invitation');
  const { workspaceId } = found;
  await inTransaction(db, async (transaction) => {
    await lockWorkspace(transaction, workspaceId);
    // Read it again under the lock: its role may have changed, and it may have been accepted or withdrawn.
    const email = { in: await provenAddresses(transaction, provider, user) };
    const where = { id: found.id, email, tokenEndsAt: { gt: clock.now() } };
    const open = await transaction.invitation.findFirst({ where, select: { id: true, workspaceId: true, role: true } });
    if (open === null) throw notFound('Invitation');
    const { action, to } = await act(transaction, open);
    await transaction.invitation.delete({ where: { id: open.id } });
    const changes = {
      status: { from: 'invited', to },
      ...(to === 'active' && { userId: { from: toId('usr', open.id), to: toId('usr', user.id) } }),
    };
    const by = { workspaceId, actor: userActor(user), origin, clock };
    const resourceId = toId('usr', to === 'active' ? user.id : open.id);
    await writeEntry(transaction, by, action, { resourceId, changes });
  });
}

/** The account's own address once it is proved, and the address that the sign-in provider has verified. */
async function provenAddresses(
  db: Pick<Db, 'user' | 'identity'>,
  provider: SessionContext['provider'],
  { id, email }: Person,
): Promise<string[]> {
  const { addressProvenAt } = await db.user.findUniqueOrThrow({ where: { id }, select: { addressProvenAt: true } });
  const verified = (provider && (await findConnection(db, provider, id)))?.email ?? [];
  return (addressProvenAt === null ? [] : [email]).concat(verified);
}
