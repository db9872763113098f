import { LIMITS } from '@posthorn/contract/limits';
import type { DbTransaction } from '@posthorn/db/client';
import type { WorkspaceContext } from '../http/context.ts';
import { ApiError } from '../http/error.ts';

const DAY_MS = 86_400_000;

/**
 * Refuses a mail to an address that somebody typed, when the workspace has sent too many such mails within 24 hours: so
 * nobody sends mail to strangers by this installation. The answer holds only while the caller has the workspace's lock.
 */
export async function requireMailRoom(
  { workspace, clock }: Pick<WorkspaceContext, 'workspace' | 'clock'>,
  transaction: Pick<DbTransaction, 'outgoingMail'>,
): Promise<void> {
  const since = new Date(clock.now().getTime() - DAY_MS);
  const where = { workspaceId: workspace.id, createdAt: { gt: since }, kind: { not: 'alert' } };
  if ((await transaction.outgoingMail.count({ where })) < LIMITS.mailsPerWorkspaceDay) return;
  throw new ApiError(
    'limit_reached',
    `A workspace mails at most ${LIMITS.mailsPerWorkspaceDay} invitations and confirmations in 24 hours`,
  );
}
