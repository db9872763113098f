import { fromId, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { PageQuery } from '@posthorn/contract/primitives';
import type { createPullKeyBody } from '@posthorn/contract/pull';
import type { z } from 'zod';
import { lockEndpoint, requireEndpointKey } from '../endpoints/endpoints.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { listRows } from '../operation/list-rows.ts';
import { ApiError, invalid, notFound } from '../transport/error.ts';
import { insertPullKey } from './new-pull-key.ts';

/** The keys of an endpoint, oldest first. Only a pull endpoint has some. */
export async function listPullKeys(ctx: WorkspaceContext, endpoint: string, query: PageQuery) {
  const endpointId = await requireEndpointKey(ctx, endpoint);
  return listRows(ctx, query, {
    name: ['pull keys', endpointId],
    read: ({ after, take }) =>
      ctx.db.pullKey.findMany({
        where: { endpointId, ...(after === undefined ? {} : { id: { gt: after } }) },
        orderBy: { id: 'asc' },
        take,
      }),
    present: presentPullKey,
  });
}

/** Creates a key, which no other answer shows. An endpoint has at most ten. */
export async function createPullKey(ctx: WorkspaceContext, endpoint: string, body: z.output<typeof createPullKeyBody>) {
  const expiresAt = body.expiresAt == null ? null : new Date(body.expiresAt);
  if (expiresAt !== null && expiresAt <= ctx.clock.now()) throw invalid('expiresAt must be in the future', 'expiresAt');
  return ctx.change('pull_key.created', async (transaction) => {
    const row = await lockEndpoint(ctx, transaction, endpoint);
    if (!row.isPulled) throw invalid(`A ${row.type} endpoint has no pull keys: its messages are sent`, 'path.id');
    if ((await transaction.pullKey.count({ where: { endpointId: row.id } })) >= LIMITS.pullKeysPerEndpoint) {
      throw new ApiError('limit_reached', `An endpoint has at most ${LIMITS.pullKeysPerEndpoint} pull keys`);
    }
    const made = await insertPullKey(ctx, transaction, { endpointId: row.id, name: body.name ?? '', expiresAt });
    const shown = presentPullKey(made.row);
    const changes = {
      name: { from: null, to: shown.name },
      endpointId: { from: null, to: toId('ep', row.id) },
      expiresAt: { from: null, to: shown.expiresAt },
    };
    return { result: { ...shown, pullKey: made.pullKey }, entry: { resourceId: shown.id, changes, ...placeOf(row) } };
  });
}

/** Ends the key at once: it is no longer listed. */
export async function deletePullKey(ctx: WorkspaceContext, { id, keyId }: { id: string; keyId: string }) {
  return ctx.change('pull_key.deleted', async (transaction) => {
    const endpoint = await lockEndpoint(ctx, transaction, id);
    const uuid = fromId('plk', keyId);
    const before =
      uuid === undefined ? null : await transaction.pullKey.findFirst({ where: { id: uuid, endpointId: endpoint.id } });
    if (before === null) throw notFound('Pull key');
    await transaction.pullKey.delete({ where: { id: before.id } });
    const changes = { name: { from: before.name, to: null } };
    return { result: undefined, entry: { resourceId: toId('plk', before.id), changes, ...placeOf(endpoint) } };
  });
}

/** Places an audit entry: a portal shows only those of its application. */
function placeOf({ applicationId, environmentId }: { applicationId: string | null; environmentId: string }) {
  return { applicationId, environmentId };
}

type PullKeyRow = {
  id: string;
  name: string;
  preview: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
};

function presentPullKey({ id, name, preview, createdAt, lastUsedAt, expiresAt }: PullKeyRow) {
  return {
    id: toId('plk', id),
    name,
    keyPreview: preview,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}
