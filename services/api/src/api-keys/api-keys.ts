import type { createApiKeyBody, rotateApiKeyBody } from '@posthorn/contract/credentials';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { PageQuery } from '@posthorn/contract/primitives';
import { digestToken, newToken, tokenPreview } from '@posthorn/crypto/token';
import type { DbTransaction } from '@posthorn/db/client';
import type { z } from 'zod';
import { lockEnvironment, requireEnvironment } from '../environments/environments.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { listRows } from '../operation/list-rows.ts';
import { ApiError, invalid, notFound } from '../transport/error.ts';

/** The time for which a revoked key is still listed. */
const SHOWN_AFTER_MS = 7 * 86_400_000;

/** An environment's keys, oldest first; a revoked one until 7 days after its end. */
export async function listApiKeys(ctx: WorkspaceContext, environmentId: string, query: PageQuery) {
  const environment = await requireEnvironment(ctx, ctx.db, environmentId);
  // A rotation is always allowed, so the number of ended keys has no limit.
  const where = { environmentId: environment.id, ...shown(ctx) };
  return listRows(ctx, query, {
    name: ['api keys', environment.id],
    read: ({ after, take }) =>
      ctx.db.apiKey.findMany({
        where: { AND: [where, after === undefined ? {} : { id: { gt: after } }] },
        orderBy: { id: 'asc' },
        take,
      }),
    present: presentApiKey,
  });
}

/** Creates a key, which no other answer shows. At most 20 keys of an environment are active at once. */
export async function createApiKey(
  ctx: WorkspaceContext,
  environmentId: string,
  body: z.output<typeof createApiKeyBody>,
) {
  const expiresAt = body.expiresAt == null ? null : new Date(body.expiresAt);
  if (expiresAt !== null && expiresAt <= ctx.clock.now()) throw invalid('expiresAt must be in the future', 'expiresAt');
  return ctx.change('api_key.created', async (transaction) => {
    const environment = await lockKeysOf(ctx, transaction, environmentId);
    const now = ctx.clock.now();
    await requireRoom(transaction, environment.id, now);
    const { row, key } = await insertKey(ctx, transaction, {
      environmentId: environment.id,
      name: body.name,
      expiresAt,
    });
    const shownKey = presentApiKey(row);
    const changes = {
      name: { from: null, to: shownKey.name },
      environmentId: { from: null, to: shownKey.environmentId },
      expiresAt: { from: null, to: shownKey.expiresAt },
    };
    return { result: { ...shownKey, key }, entry: { resourceId: shownKey.id, changes } };
  });
}

export type KeyReference = { environmentId: string; id: string };

/**
 * Creates a new key instead of this one, which still works for the grace period unless it ends before. Always allowed,
 * also at the limit of keys. The new key has the old one's original end, or none if that has passed. At most 20 keys of
 * an environment are in their grace: those with the earliest end are ended now, because a chain of rotations would
 * otherwise keep any number of them alive.
 */
export async function rotateApiKey(
  ctx: WorkspaceContext,
  reference: KeyReference,
  { gracePeriodSeconds }: z.output<typeof rotateApiKeyBody>,
) {
  return ctx.change('api_key.rotated', async (transaction) => {
    const before = await lockKey(ctx, transaction, reference);
    const now = ctx.clock.now();
    // Always allowed while one live key replaces another; a second successor counts like any new key.
    const isReplaced = before.revokedAt !== null || (before.expiresAt !== null && before.expiresAt <= now);
    if (isReplaced) await requireRoom(transaction, before.environmentId, now);
    const graceEndsAt = new Date(now.getTime() + gracePeriodSeconds * 1_000);
    const revokedAt = before.revokedAt !== null && before.revokedAt < graceEndsAt ? before.revokedAt : graceEndsAt;
    const old = await transaction.apiKey.update({ where: { id: before.id }, data: { revokedAt } });
    const { row, key } = await insertKey(ctx, transaction, {
      environmentId: before.environmentId,
      name: before.name,
      expiresAt: before.expiresAt !== null && before.expiresAt > now ? before.expiresAt : null,
    });
    const cutShort = await cutGracesShort(transaction, { except: old, now });
    const replaced = presentApiKey(old);
    const result = { ...presentApiKey(row), key };
    const changes = {
      revokedAt: { from: before.revokedAt?.toISOString() ?? null, to: replaced.revokedAt },
      replacedBy: { from: null, to: result.id },
      ...(cutShort.length > 0 ? { endedWithIt: { from: null, to: cutShort } } : {}),
    };
    return { result, entry: { resourceId: replaced.id, changes } };
  });
}

/** Returns the public ids of the keys whose grace ended early. The caller must hold the environment's lock. */
async function cutGracesShort(
  transaction: DbTransaction,
  { except, now }: { except: { id: string; environmentId: string; revokedAt: Date | null }; now: Date },
): Promise<string[]> {
  // A rotation with a grace of 0 seconds ends the key at once.
  const isInGrace = except.revokedAt !== null && except.revokedAt > now;
  const ids = await transaction.apiKey.findMany({
    where: { environmentId: except.environmentId, id: { not: except.id }, revokedAt: { gt: now } },
    orderBy: [{ revokedAt: 'desc' }, { id: 'desc' }],
    skip: LIMITS.apiKeysPerEnvironment - (isInGrace ? 1 : 0),
    select: { id: true },
  });
  if (ids.length === 0) return [];
  await transaction.apiKey.updateMany({ where: { id: { in: ids.map(({ id }) => id) } }, data: { revokedAt: now } });
  return ids.map(({ id }) => toId('key', id));
}

/** Ends the key at once and permanently: it is no longer listed. */
export async function deleteApiKey(ctx: WorkspaceContext, reference: KeyReference) {
  return ctx.change('api_key.revoked', async (transaction) => {
    const before = await lockKey(ctx, transaction, reference);
    await transaction.apiKey.delete({ where: { id: before.id } });
    const changes = { name: { from: before.name, to: null } };
    return { result: undefined, entry: { resourceId: toId('key', before.id), changes } };
  });
}

/** Refuses the 21st key; ended keys do not count. The caller must hold the environment's lock. */
async function requireRoom(transaction: DbTransaction, environmentId: string, now: Date): Promise<void> {
  const alive = await transaction.apiKey.count({
    where: {
      environmentId,
      AND: [
        { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
        { OR: [{ revokedAt: null }, { revokedAt: { gt: now } }] },
      ],
    },
  });
  if (alive < LIMITS.apiKeysPerEnvironment) return;
  throw new ApiError('limit_reached', `An environment has at most ${LIMITS.apiKeysPerEnvironment} API keys`);
}

/** The environment, locked so that keys are counted one at a time. Also deletes the keys that are no longer listed. */
async function lockKeysOf(ctx: WorkspaceContext, transaction: DbTransaction, environmentId: string) {
  const environment = await requireEnvironment(ctx, transaction, environmentId);
  await lockEnvironment(transaction, environment.id);
  await transaction.apiKey.deleteMany({ where: { environmentId: environment.id, NOT: shown(ctx) } });
  return environment;
}

async function lockKey(ctx: WorkspaceContext, transaction: DbTransaction, reference: KeyReference) {
  const environment = await lockKeysOf(ctx, transaction, reference.environmentId);
  const uuid = fromId('key', reference.id);
  const row =
    uuid === undefined
      ? null
      : await transaction.apiKey.findFirst({ where: { id: uuid, environmentId: environment.id } });
  if (row === null) throw notFound('API key');
  return row;
}

type NewKey = { environmentId: string; name: string; expiresAt: Date | null };

async function insertKey({ clock }: WorkspaceContext, transaction: DbTransaction, columns: NewKey) {
  const key = newToken('apiKey');
  const row = await transaction.apiKey.create({
    data: { id: newUuid(clock.now()), digest: digestToken(key), preview: tokenPreview(key), ...columns },
  });
  return { row, key };
}

function shown(ctx: WorkspaceContext) {
  const revokedAfter = new Date(ctx.clock.now().getTime() - SHOWN_AFTER_MS);
  return { OR: [{ revokedAt: null }, { revokedAt: { gt: revokedAfter } }] };
}

type ApiKeyRow = {
  id: string;
  environmentId: string;
  name: string;
  preview: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
};

function presentApiKey(row: ApiKeyRow) {
  return {
    id: toId('key', row.id),
    name: row.name,
    environmentId: toId('env', row.environmentId),
    keyPreview: row.preview,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  };
}
