import type { DbTransaction } from '@posthorn/db/client';
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

/** Throws `limit_reached` unless the user may own another workspace. Locks the user, so that the limit holds. */
export async function holdRoomForOwner(
  { settings }: Pick<Services, 'settings'>,
  transaction: DbTransaction,
  userId: string,
): Promise<void> {
  const most = settings.maxWorkspacesPerUser;
  if (most === 0) return;
  await transaction.$queryRaw`select 1 from "user" where id = ${userId}::uuid for no key update`;
  if ((await transaction.member.count({ where: { userId, role: 'owner' } })) < most) return;
  throw new ApiError('limit_reached', `A user can own at most ${most} workspaces`);
}
