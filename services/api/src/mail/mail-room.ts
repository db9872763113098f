import { LIMITS } from '@posthorn/contract/limits';
import type { DbTransaction } from '@posthorn/db/client';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError } from '../transport/error.ts';

const DAY_MS = 86_400_000;

/**
 * Refuses a mail to an address that somebody typed, when the workspace has sent too many such mails within 24 hours: so
 * nobody uses this installation to mail strangers. Portals stop at half, so that customers leave the rest to the
 * workspace. The answer holds only while the caller has the workspace's lock.
 */
export async function requireMailRoom(
  { workspace, clock, bounds }: Pick<WorkspaceContext, 'workspace' | 'clock' | 'bounds'>,
  transaction: Pick<DbTransaction, 'outgoingMail'>,
): Promise<void> {
  const since = new Date(clock.now().getTime() - DAY_MS);
  const where = { workspaceId: workspace.id, createdAt: { gt: since }, kind: { not: 'alert' } };
  const isOfPortal = bounds.applicationId !== undefined;
  const most = isOfPortal ? LIMITS.mailsPerWorkspaceDay / 2 : LIMITS.mailsPerWorkspaceDay;
  if ((await transaction.outgoingMail.count({ where })) < most) return;
  throw new ApiError(
    'limit_reached',
    `A workspace mails at most ${most} invitations and confirmations in 24 hours${isOfPortal ? ' for its portals' : ''}`,
  );
}
