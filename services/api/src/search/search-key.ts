import { randomBytes } from 'node:crypto';
import { newUuid } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { seal } from '@posthorn/crypto/seal';
import type { DbTransaction } from '@posthorn/db/client';
import type { WorkspaceContext } from '../operation/context.ts';

const KEY_BYTES = 32;

type Context = Pick<WorkspaceContext, 'workspace' | 'clock' | 'sealingKeys'>;

/** Makes the search key of the workspace, unless it has one. */
export async function ensureSearchKey(ctx: Context, transaction: DbTransaction): Promise<void> {
  const workspaceId = ctx.workspace.id;
  if ((await transaction.workspaceSearchKey.count({ where: { workspaceId, replacedAt: null } })) > 0) return;
  await transaction.workspaceSearchKey.createMany({ data: [newSearchKey(ctx)], skipDuplicates: true });
}

/** A new search key of the workspace, as it is stored. */
export function newSearchKey({ workspace, clock, sealingKeys }: Context) {
  const id = newUuid(clock.now());
  const sealed = new Uint8Array(seal(sealingKeys, randomBytes(KEY_BYTES), sealContext.searchKey(id)));
  return { id, workspaceId: workspace.id, sealed };
}
