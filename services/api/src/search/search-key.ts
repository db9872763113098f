import { randomBytes } from 'node:crypto';
import { newUuid, toId } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { seal } from '@posthorn/crypto/seal';
import type { DbTransaction } from '@posthorn/db/client';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError, notFound } from '../transport/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { refuseTokenOfNoOwner } from '../workspaces/token-of-owner.ts';

const KEY_BYTES = 32;

type Context = Pick<WorkspaceContext, 'workspace' | 'clock' | 'sealingKeys'>;

/** Makes the search key of the workspace, unless it has one. */
export async function ensureSearchKey(ctx: Context, transaction: DbTransaction): Promise<void> {
  const workspaceId = ctx.workspace.id;
  if ((await transaction.workspaceSearchKey.count({ where: { workspaceId, replacedAt: null } })) > 0) return;
  await transaction.workspaceSearchKey.createMany({ data: [newSearchKey(ctx)], skipDuplicates: true });
}

/** A new search key of the workspace, as it is stored. */
function newSearchKey({ workspace, clock, sealingKeys }: Context) {
  const id = newUuid(clock.now());
  const sealed = new Uint8Array(seal(sealingKeys, randomBytes(KEY_BYTES), sealContext.searchKey(id)));
  return { id, workspaceId: workspace.id, sealed };
}

/**
 * Replaces the search key. A search looks with both until the last event under the former one has left the retention. Only one
 * former key is kept, so until then there is no further rotation.
 */
export async function rotateSearchKey(ctx: WorkspaceContext) {
  const workspaceId = ctx.workspace.id;
  return ctx.change('search_key.rotated', async (transaction) => {
    await lockWorkspace(transaction, workspaceId);
    await refuseTokenOfNoOwner(ctx, transaction);
    const keys = await transaction.workspaceSearchKey.findMany({ where: { workspaceId } });
    if (keys.length === 0) throw notFound('Search key');
    const replaced = keys.find(({ replacedAt }) => replacedAt !== null)?.replacedAt;
    if (replaced) {
      const until = endOf(ctx, replaced).toISOString();
      throw new ApiError('limit_reached', `One former search key is kept, until ${until}; rotate again after that`);
    }
    const rotatedAt = ctx.clock.now();
    await transaction.workspaceSearchKey.updateMany({ where: { workspaceId }, data: { replacedAt: rotatedAt } });
    await transaction.workspaceSearchKey.create({ data: newSearchKey(ctx) });
    const result = { rotatedAt: rotatedAt.toISOString(), formerKeyEndsAt: endOf(ctx, rotatedAt).toISOString() };
    return { result, entry: { resourceId: toId('ws', workspaceId) } };
  });
}

const DAY_MS = 86_400_000;

/** When the former key has gone: dispatchers delete it within a day after the retention of the installation. */
function endOf({ settings }: WorkspaceContext, replacedAt: Date): Date {
  return new Date(replacedAt.getTime() + (settings.retentionDays + 1) * DAY_MS);
}
