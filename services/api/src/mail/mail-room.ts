import { fromId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { DbTransaction } from '@posthorn/db/client';
import { countMails } from '@posthorn/mail/mail-quota';
import { isUnproven } from '../account/unproven.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError } from '../transport/error.ts';

/** The kinds of mails to an address that somebody typed, or to a person who has not asked for them. */
const TO_STRANGERS = ['invitation', 'alert_confirmation', 'made_owner'] as const;
const COUNTED = [...TO_STRANGERS, 'alert_test'] as const;

/**
 * Refuses a mail to an address that somebody typed, when the owner of the workspace has sent too many such mails within 24 hours
 * from all workspaces, or too many to this address: so nobody uses this installation to mail strangers. Portals stop at half, so
 * that customers leave the rest to the owner. `forbidden` while nobody has proved the address of the caller, or of the owner: an
 * account costs nothing to make, and each would have a quota of its own.
 */
export async function requireMailRoom(
  { workspace, bounds, actor, settings }: Pick<WorkspaceContext, 'workspace' | 'bounds' | 'actor' | 'settings'>,
  transaction: DbTransaction,
  { to, kind }: { to: string; kind: (typeof COUNTED)[number] },
): Promise<void> {
  const senders = [fromId('usr', actor.id), workspace.createdBy].flatMap((id) => id ?? []);
  if (await isUnproven(settings, transaction, senders)) {
    const whose = 'Your address, or that of the account that created this workspace,';
    const message = `${whose} is not proved yet, so this workspace sends no mails to others: its person sets a new password by “Forgot password?”`;
    throw new ApiError('forbidden', message);
  }
  const ownerId = ownerOf(workspace);
  const isOfPortal = bounds.applicationId !== undefined;
  const most = isOfPortal ? LIMITS.mailsPerOwnerDay / 2 : LIMITS.mailsPerOwnerDay;
  if ((await countMails(transaction, { ownerId, kinds: COUNTED })) >= most) {
    const where = isOfPortal ? ' for its portals' : '';
    throw new ApiError(
      'limit_reached',
      `The workspaces of one owner mail at most ${most} invitations, confirmations, tests and notices of new owners in 24 hours${where}`,
    );
  }
  if (kind === 'alert_test') return;
  const toAddress = await countMails(transaction, { ownerId, address: to, kinds: TO_STRANGERS });
  if (toAddress < LIMITS.mailsPerAddressDay) return;
  throw new ApiError(
    'limit_reached',
    `The workspaces of one owner mail at most ${LIMITS.mailsPerAddressDay} invitations, confirmations and notices to one address in 24 hours`,
  );
}

/** The owner for whom the mails of a workspace count. */
export function ownerOf({ id, createdBy }: { id: string; createdBy: string | null }): string {
  return createdBy ?? id;
}
