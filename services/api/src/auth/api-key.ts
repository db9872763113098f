import { digestToken, parseToken } from '@posthorn/crypto/token';
import type { Db } from '@posthorn/db/client';
import { createAgedCache } from '@posthorn/runtime/aged-cache';
import type { Clock } from '@posthorn/runtime/clock';
import type { Request } from 'express';
import type { IsKnown } from './credential-lookup.ts';
import type { LastUsed } from './last-used.ts';
import { bearerToken, unauthorized } from './principal.ts';

/** The identity of an ingesting caller: a key determines the environment. */
export type KeyHolder = { apiKeyId: string; environmentId: string; workspaceId: string };

/**
 * The end of a key takes effect within one second (docs/interface.md, When a change takes hold), so cached keys must be
 * younger.
 */
const MOST_AGE_MS = 800;

/**
 * Authenticates ingestion: `Authorization: Bearer`, or `X-API-Key`. Throws `unauthorized` when the key is malformed,
 * unknown, expired or revoked.
 */
export function createApiKeyAuth(deps: { db: Db; clock: Clock; lastUsed: LastUsed; isKnown: IsKnown }) {
  const { db, clock, lastUsed, isKnown } = deps;
  const findKey = createAgedCache({
    clock,
    maxAgeMs: MOST_AGE_MS,
    maxEntries: 10_000,
    load: async (token: string) => ((await isKnown({ kind: 'apiKey', token })) ? loadKey(db, token) : undefined),
  });
  return async (request: Request): Promise<KeyHolder> => {
    const given = request.get('x-api-key') ?? bearerToken(request);
    const token = parseToken(given);
    if (token?.kind !== 'apiKey') throw unauthorized();
    const key = await findKey(token.token);
    const now = clock.now();
    if (key === undefined || (key.endsAt !== null && key.endsAt <= now)) throw unauthorized();
    lastUsed.apiKey(key.apiKeyId, now);
    return key;
  };
}

async function loadKey(db: Db, token: string) {
  const record = await db.apiKey.findUnique({
    where: { digest: digestToken(token) },
    include: { environment: { select: { id: true, workspaceId: true, deletedAt: true } } },
  });
  if (record === null || record.environment.deletedAt !== null) return undefined;
  return {
    apiKeyId: record.id,
    environmentId: record.environmentId,
    workspaceId: record.environment.workspaceId,
    endsAt: earlier(record.expiresAt, record.revokedAt),
  };
}

/** A revocation may lie in the future, for the grace period of a rotation. */
function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
