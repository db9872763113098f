import { fromId } from '@posthorn/contract/ids';
import type { DbTransaction } from '@posthorn/db/client';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError } from '../transport/error.ts';

/**
 * Refuses a management token (`forbidden`) unless its creator is an owner now, or it was made by the bootstrap or by
 * posthorn-admin. For operations of owners: otherwise an admin could make a token with more rights than an admin has.
 */
export async function refuseTokenOfNoOwner(
  { workspace, actor }: WorkspaceContext,
  transaction: DbTransaction,
): Promise<void> {
  if (actor.type !== 'management_token') return;
  const token = await transaction.managementToken.findUnique({
    where: { id: fromId('tok', actor.id) ?? '' },
    select: { createdBy: true },
  });
  // A token that was deleted meanwhile has no rights.
  const maker = token === null ? undefined : token.createdBy;
  if (maker === null) return;
  const owner = { workspaceId: workspace.id, userId: maker, role: 'owner' } as const;
  if (maker !== undefined && (await transaction.member.count({ where: owner })) > 0) return;
  throw new ApiError('forbidden', 'The creator of this token is not an owner of the workspace');
}
