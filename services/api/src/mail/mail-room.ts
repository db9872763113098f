import { LIMITS } from '@posthorn/contract/limits';
import type { DbTransaction } from '@posthorn/db/client';
import { countMails } from '@posthorn/mail/mail-quota';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError } from '../transport/error.ts';

/** What goes to an address that somebody typed. */
const TO_STRANGERS = ['invitation', 'alert_confirmation'] as const;
const COUNTED = [...TO_STRANGERS, 'alert_test'] as const;

/**
 * Refuses a mail to an address that somebody typed, when the owner of the workspace has sent too many such mails within 24 hours
 * from all workspaces, or too many to this address: so nobody uses this installation to mail strangers. Portals stop at half, so
 * that customers leave the rest to the owner.
 */
export async function requireMailRoom(
  { workspace, bounds }: Pick<WorkspaceContext, 'workspace' | 'bounds'>,
  transaction: DbTransaction,
  { to, kind }: { to: string; kind: (typeof COUNTED)[number] },
): Promise<void> {
  const ownerId = ownerOf(workspace);
  const isOfPortal = bounds.applicationId !== undefined;
  const most = isOfPortal ? LIMITS.mailsPerOwnerDay / 2 : LIMITS.mailsPerOwnerDay;
  if ((await countMails(transaction, { ownerId, kinds: COUNTED })) >= most) {
    const where = isOfPortal ? ' for its portals' : '';
    throw new ApiError(
      'limit_reached',
      `The workspaces of one owner mail at most ${most} invitations, confirmations and tests in 24 hours${where}`,
    );
  }
  if (kind === 'alert_test') return;
  const toAddress = await countMails(transaction, { ownerId, address: to, kinds: TO_STRANGERS });
  if (toAddress < LIMITS.mailsPerAddressDay) return;
  throw new ApiError(
    'limit_reached',
    `The workspaces of one owner mail at most ${LIMITS.mailsPerAddressDay} invitations and confirmations to one address in 24 hours`,
  );
}

/** For whom the mails of a workspace count. */
export function ownerOf({ id, createdBy }: { id: string; createdBy: string | null }): string {
  return createdBy ?? id;
}
