import { fromId } from '@posthorn/contract/ids';
import { digestToken } from '@posthorn/crypto/token';
import type { Db } from '@posthorn/db/client';
import { createAgedCache } from '@posthorn/runtime/aged-cache';
import type { Clock } from '@posthorn/runtime/clock';
import type { Claimant } from '@posthorn/runtime/gate';
import type { Request } from 'express';
import { notValid, requireBearer } from '../auth/credential.ts';
import type { IsKnown } from '../auth/credential-lookup.ts';
import type { LastUsed } from '../auth/last-used.ts';
import { ApiError, notFound } from '../transport/error.ts';

/** A consumer with a valid key of an active endpoint. */
export type Consumer = Claimant & { pullKeyId: string; endpointId: string; endpointRevision: string };

/** The end of a key takes effect within one second (docs/interface.md, When a change takes hold). */
const MAX_AGE_MS = 800;

export type ConsumerAuthDeps = { db: Db; clock: Clock; lastUsed: LastUsed; isKnown: IsKnown };

/**
 * Authenticates a consumer of the endpoint in the path. Throws `unauthorized` for a key that is malformed, unknown or
 * expired, `not_found` for one of another endpoint, and `endpoint_inactive`.
 */
export function createConsumerAuth({ db, clock, lastUsed, isKnown }: ConsumerAuthDeps) {
  const findKey = createAgedCache({
    clock,
    maxAgeMs: MAX_AGE_MS,
    maxEntries: 10_000,
    load: async (token: string) => ((await isKnown({ kind: 'pullKey', token })) ? loadKey(db, token) : undefined),
  });
  return async (request: Request, endpoint: string): Promise<Consumer> => {
    const { token } = requireBearer(request, 'pullKey');
    const key = await findKey(token);
    const now = clock.now();
    if (key === undefined || (key.expiresAt !== null && key.expiresAt <= now)) throw notValid('pullKey');
    if (!names(endpoint, key)) throw notFound('Endpoint');
    lastUsed.pullKey(key.pullKeyId, now);
    if (!key.isActive) throw new ApiError('endpoint_inactive', 'The endpoint is not active: nothing can be fetched');
    return key;
  };
}

type KeyRow = Consumer & { externalId: string | null; expiresAt: Date | null; isActive: boolean };

/** Whether a path names the endpoint: by its id, or by `ext:` and its externalId. */
function names(given: string, { endpointId, externalId }: Pick<KeyRow, 'endpointId' | 'externalId'>): boolean {
  return given === `ext:${externalId ?? ''}` ? externalId !== null : fromId('ep', given) === endpointId;
}

async function loadKey(db: Db, token: string): Promise<KeyRow | undefined> {
  const [row] = await db.$queryRaw<KeyRow[]>`
    select k.id as "pullKeyId", k.endpoint_id as "endpointId", p.revision as "endpointRevision",
      p.workspace_id as "workspaceId", coalesce(w.created_by, w.id) as "ownerId", k.expires_at as "expiresAt",
      p.is_active as "isActive", p.external_id as "externalId"
    from pull_key k join endpoint p on p.id = k.endpoint_id join workspace w on w.id = p.workspace_id
    where k.digest = ${digestToken(token)} and p.deleted_at is null`;
  return row;
}
