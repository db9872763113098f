import type { DbTransaction } from '@posthorn/db/client';
import { isUnproven, unproven } from '../account/unproven.ts';
import type { Services } from '../operation/context.ts';
import { ApiError } from '../transport/error.ts';

/**
 * Locks the workspace's row until the transaction ends. Changes that count or compare its rows (the limit of
 * environments, the one default, the last owner) then run one after another. Inserts that only reference it do not
 * wait.
 */
export async function lockWorkspace(transaction: DbTransaction, workspaceId: string): Promise<void> {
  await transaction.$queryRaw`select 1 from workspace where id = ${workspaceId}::uuid for no key update`;
}

/**
 * Throws `forbidden` for an account whose address nobody has proved, where a mail could prove it, and `limit_reached`
 * for one that owns or has created as many workspaces as are allowed: to hand a workspace on makes no room for another.
 * Locks the user, so that the limit holds.
 */
export async function requireMayOwn(
  { settings }: Pick<Services, 'settings'>,
  transaction: DbTransaction,
  user: { id: string; email: string },
): Promise<void> {
  await transaction.$queryRaw`select 1 from "user" where id = ${user.id}::uuid for no key update`;
  if (await isUnproven(settings, transaction, [user.id])) {
    throw new ApiError(
      'forbidden',
      `${unproven(user.email, settings.passwordLogin)}. Only then can it own a workspace`,
    );
  }
  const most = settings.maxWorkspacesPerUser;
  if (most === 0) return;
  const owned = { OR: [{ createdBy: user.id }, { members: { some: { userId: user.id, role: 'owner' as const } } }] };
  if ((await transaction.workspace.count({ where: owned })) < most) return;
  throw new ApiError('limit_reached', `A user can own or have created at most ${most} workspaces`);
}
